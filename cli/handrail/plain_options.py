"""Takes the values of options as they were typed, which keeps Typer from loading pydantic.

All our options are texts and switches. To check that, Typer builds a validator for each one, the
help option included, and that takes longer than everything else before the first prompt.
"""

from collections.abc import Callable, Iterator
from typing import cast

import typer
from typer.core import TyperGroup, TyperOption


def take_as_typed(group: TyperGroup, *, help_names: list[str]) -> None:
    """For every option of the group and of the commands below it."""
    for option in _options(typer.Context(group, help_option_names=help_names)):
        _take_as_typed(option)


def _options(context: typer.Context) -> Iterator[TyperOption]:
    command = context.command
    for parameter in command.get_params(context):
        if isinstance(parameter, TyperOption):
            yield parameter
    if isinstance(command, TyperGroup):
        for below in command.commands.values():
            yield from _options(typer.Context(below, parent=context))


def _take_as_typed(option: TyperOption) -> None:
    callback = cast("Callable[[object, object, object], object] | None", option.callback)

    def process_value(ctx: object, value: object) -> object:
        return value if callback is None else callback(ctx, option, value)

    option.process_value = process_value
