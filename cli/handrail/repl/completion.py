"""Completes slash commands with their help."""

from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from handrail.repl.commands import Command, Commands


class CommandCompleter(Completer):
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        del complete_event  # part of the library's signature
        typed = document.text_before_cursor
        if not is_command_start(document):
            return
        for name, command in self._commands.starting_with(typed[1:]):
            yield Completion(
                f"/{name}",
                start_position=-len(typed),
                display=_shown(name, command),
                display_meta=command.help,
            )


def is_command_start(document: Document) -> bool:
    """Whether the cursor stands at the end of a lone `/word`."""
    text = document.text
    return (
        text.startswith("/")
        and not text.startswith("//")
        and not any(char.isspace() for char in text)
        and document.is_cursor_at_the_end
    )


def _shown(name: str, command: Command) -> str:
    return f"/{name} {command.argument}".rstrip()
