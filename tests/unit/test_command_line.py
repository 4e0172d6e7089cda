"""Telling the words of a message from options and commands."""

import pytest

from handrail.command_line import CommandLine, split_command_line
from handrail.errors import UsageError


def split(*arguments: str) -> CommandLine:
    return split_command_line(
        arguments,
        commands=("demo", "config", "sessions"),
        with_value=("--model", "--base-url", "--resume"),
    )


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([], (), ""),
        (["fix", "the", "tests"], (), "fix the tests"),
        (["fix", "--model", "x:y", "it", "-c"], ("--model", "x:y", "-c"), "fix it"),
        (["--model=x:y", "fix", "it"], ("--model=x:y",), "fix it"),
        (["--resume", "demo", "go", "on"], ("--resume", "demo"), "go on"),
        (["--model", "x:y", "demo"], ("--model", "x:y", "demo"), ""),
        (["config", "show", "--json"], ("config", "show", "--json"), ""),
        (["config", "--", "x"], ("config", "--", "x"), ""),
        (["read", "config", "show"], (), "read config show"),
        (["config the server"], (), "config the server"),
        (["-c", "--", "demo", "--help", "--"], ("-c",), "demo --help --"),
        (["-", "is", "a", "word"], (), "- is a word"),
        (["fix", "--bogus"], ("--bogus",), "fix"),
        (["--model"], ("--model",), ""),
        (["", " "], (), ""),
        (["--", "sesions"], (), "sesions"),
        (["sesions", "are", "broken"], (), "sesions are broken"),
    ],
)
def test_words_and_options_are_told_apart(
    arguments: list[str], options: tuple[str, ...], message: str
) -> None:
    line = split(*arguments)
    assert (line.options, line.message) == (options, message)


def test_a_single_word_that_is_nearly_a_command_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        split("-c", "sesions")
    assert caught.value.paragraph == (
        "There is no command 'sesions'. Did you mean `agent sessions`?"
        " To send the word as a message: agent -- WORD"
    )
