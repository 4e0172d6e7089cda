"""Takes the values of parameters as they were typed, which keeps Typer from loading pydantic.

All of ours are texts and switches. To check that, Typer builds a validator for each one, the
help option included, and that takes longer than everything else before the first prompt.
"""

from collections.abc import Callable, Iterator
from typing import cast

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption


def take_as_typed(group: TyperGroup, *, help_names: list[str]) -> None:
    """For every option and argument of the group and of the commands below it."""
    for parameter in _parameters(typer.Context(group, help_option_names=help_names)):
        _take_as_typed(parameter)


def _parameters(context: typer.Context) -> Iterator[TyperOption | TyperArgument]:
    command = context.command
    for parameter in command.get_params(context):
        if isinstance(parameter, TyperOption | TyperArgument):
            yield parameter
    if isinstance(command, TyperGroup):
        for below in command.commands.values():
            yield from _parameters(typer.Context(below, parent=context))


def _take_as_typed(parameter: TyperOption | TyperArgument) -> None:
    callback = cast("Callable[[object, object, object], object] | None", parameter.callback)

    def process_value(ctx: object, value: object) -> object:
        return value if callback is None else callback(ctx, parameter, value)

    parameter.process_value = process_value
