"""Tells the words of a first message from options and commands."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from handrail.errors import UsageError


@dataclass(frozen=True, slots=True)
class CommandLine:
    options: tuple[str, ...]
    """What the parser of options and commands gets."""
    words: tuple[str, ...] = ()
    """The first message."""

    @property
    def message(self) -> str:
        return " ".join(self.words).strip()


def split_command_line(
    arguments: Sequence[str], *, commands: Collection[str], with_value: Collection[str]
) -> CommandLine:
    """Options may stand anywhere. After `--` everything is a word, also the name of a command.

    `with_value` names the options that take the next argument.
    """
    options: list[str] = []
    words: list[str] = []
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "--":
            return CommandLine(tuple(options), (*words, *rest))
        if argument.startswith("-") and argument != "-":
            options.append(argument)
            if argument in with_value and rest:
                options.append(rest.pop(0))
        elif argument in commands and not words:
            return CommandLine((*options, argument, *rest))
        else:
            words.append(argument)
    _refuse_a_slip(words, commands)
    return CommandLine(tuple(options), tuple(words))


def _refuse_a_slip(words: Sequence[str], commands: Collection[str]) -> None:
    """A single word that is nearly a command is no message to send to a model."""
    if len(words) == 1 and (meant := get_close_matches(words[0], commands, n=1, cutoff=0.8)):
        raise UsageError(
            f"There is no command {words[0]!r}.",
            hint=f"Did you mean `agent {meant[0]}`? To send the word as a message: agent -- WORD",
        )
