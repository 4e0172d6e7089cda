"""The registry of slash commands, reading a line, completion."""

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import to_plain_text

from handrail.errors import UsageError
from handrail.repl.builtin import BUILTIN
from handrail.repl.commands import Command, Commands, Line, Room, read_line
from handrail.repl.completion import CommandCompleter


async def nothing(room: Room, argument: str) -> None:
    pass


def completions(text: str, position: int | None = None) -> list[tuple[str, str]]:
    completer = CommandCompleter(Commands(BUILTIN))
    found = completer.get_completions(Document(text, position), CompleteEvent())
    return [(completion.text, to_plain_text(completion.display_meta)) for completion in found]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("fix it", Line(message="fix it")),
        ("  indented\ncode \n", Line(message="  indented\ncode")),
        ("/help", Line(command="help")),
        (" /model  openai:x ", Line(command="model", argument="openai:x")),
        ("//help", Line(message="/help")),
        ("/usr/bin/env does not exist", Line(message="/usr/bin/env does not exist")),
        ("/", Line(message="/")),
        ("/a\nlist", Line(message="/a\nlist")),
    ],
)
def test_a_line_is_a_message_or_a_command(text: str, line: Line) -> None:
    assert read_line(text) == line


def test_commands_are_found_by_name_and_alias_in_any_case() -> None:
    commands = Commands(BUILTIN)

    assert commands.find("QUIT") is commands.find("exit")


@pytest.mark.parametrize(
    ("typed", "hint"), [("staus", "Did you mean /status?"), ("zzz", "/help lists them.")]
)
def test_an_unknown_command_is_refused_with_the_nearest(typed: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        Commands(BUILTIN).find(typed)

    assert caught.value.paragraph == f"There is no command /{typed}. {hint}"


def test_other_modules_can_add_commands_but_not_take_a_name() -> None:
    commands = Commands(BUILTIN)
    own = Command("undo", "take the last change back", nothing)
    commands.add(own)

    assert commands.find("undo") is own
    assert list(commands)[-1] is own
    with pytest.raises(ValueError, match="/quit is already a command"):
        commands.add(Command("quit", "", nothing))


def test_commands_complete_with_their_help() -> None:
    assert completions("/mo") == [("/model", "show the model, or go on with another one")]
    assert completions("/qu") == [("/quit", "leave; the session is kept")]
    assert [text for text, _ in completions("/")] == [f"/{c.name}" for c in BUILTIN]


@pytest.mark.parametrize("text", ["", "word", "//mo", "/model ", "say /mo", "/mo\n"])
def test_nothing_else_completes(text: str) -> None:
    assert completions(text) == []


def test_nothing_completes_in_the_middle_of_a_word() -> None:
    assert completions("/model", 3) == []
