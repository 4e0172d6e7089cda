"""The slash commands: what one is, and the registry that finds them."""

import difflib
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from handrail.errors import UsageError
from handrail.render.status_line import StatusLine
from handrail.sessions.conversation import Conversation, SessionChoice

_SIMILAR = 0.5


class Room(Protocol):
    """Where a slash command acts: what it can see and do."""

    @property
    def commands(self) -> "Commands": ...

    @property
    def conversation(self) -> Conversation | None:
        """None while a session is being opened or after that failed."""
        ...

    @property
    def choice(self) -> SessionChoice:
        """What opens this session again, or again tries to open the one that failed."""
        ...

    @property
    def status(self) -> StatusLine: ...

    @property
    def facts(self) -> Iterable[tuple[str, str]]:
        """What `/status` shows beyond the session: name and value."""
        ...

    def say(self, text: str) -> None:
        """Print untrusted text above the prompt as it stands."""
        ...

    async def open(self, choice: SessionChoice) -> None:
        """Put another session in place of this one, which is open again when that fails."""
        ...

    def leave(self) -> None: ...


Action = Callable[[Room, str], Awaitable[None]]
"""Does the command; the text is what stands behind its name, stripped."""


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    help: str
    action: Action
    argument: str = ""
    """How the argument is shown in help: `[spec]`."""
    aliases: tuple[str, ...] = ()
    at_once: bool = False
    """Runs also while a session opens or the agent works; others wait their turn."""

    @property
    def usage(self) -> str:
        return f"/{self.name} {self.argument}".rstrip()


class Commands:
    """Commands by name and alias, in the order they were given."""

    def __init__(self, commands: Iterable[Command] = ()) -> None:
        self._named: dict[str, Command] = {}
        self._all: list[Command] = []
        for command in commands:
            self.add(command)

    def __iter__(self) -> Iterator[Command]:
        return iter(self._all)

    def add(self, command: Command) -> None:
        """Raises `ValueError` when a name is taken."""
        names = (command.name, *command.aliases)
        taken = [name for name in names if name in self._named]
        if taken:
            raise ValueError(f"/{taken[0]} is already a command")
        self._named.update(dict.fromkeys(names, command))
        self._all.append(command)

    def find(self, name: str) -> Command:
        """Raises `UsageError` with the nearest name."""
        if command := self._named.get(name.lower()):
            return command
        near = difflib.get_close_matches(name.lower(), self._named, n=1, cutoff=_SIMILAR)
        hint = f"Did you mean /{near[0]}?" if near else "/help lists them."
        raise UsageError(f"There is no command /{name}.", hint=hint)

    def runs_at_once(self, name: str) -> bool:
        """Also true of a name that is no command: saying so does not wait."""
        command = self._named.get(name.lower())
        return command is None or command.at_once

    def starting_with(self, prefix: str) -> Iterator[tuple[str, Command]]:
        """Names and aliases that begin so, a command once and by its name where that fits."""
        for command in self._all:
            for name in (command.name, *command.aliases):
                if name.startswith(prefix.lower()):
                    yield name, command
                    break


@dataclass(frozen=True, slots=True)
class Line:
    """What was entered: a message, or a command with its argument."""

    message: str = ""
    command: str | None = None
    argument: str = ""


def read_line(text: str) -> Line:
    """`/name argument` is a command, `//...` is a message that starts with one slash."""
    stripped = text.strip()
    if stripped.startswith("//"):
        return Line(message=stripped[1:])
    if not _is_command(stripped):
        return Line(message=text.strip("\n").rstrip())
    name, _, argument = stripped[1:].partition(" ")
    return Line(command=name, argument=argument.strip())


def _is_command(text: str) -> bool:
    """A pasted path such as /usr/bin/env or a text of several lines is a message."""
    name = text.partition(" ")[0]
    return len(name) > 1 and text.startswith("/") and "/" not in name[1:] and "\n" not in text
