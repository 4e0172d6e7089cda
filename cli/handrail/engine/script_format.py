"""What a script file holds, once read: turns of rounds, for sub-agents too, and summaries."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

MAIN_ROLE = "main"
SUMMARY_ROLE = "summary"

DEFAULT_WINDOW = 128_000


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    tool: str
    args: Mapping[str, object] | str
    """A text is what the model writes in place of a JSON object, as it stands."""
    id: str | None = None
    """None for one that is made up for each request."""


@dataclass(frozen=True, slots=True)
class ScriptedUsage:
    """In tokens; `cached` is a part of `input`."""

    input: int
    output: int
    cached: int = 0


@dataclass(frozen=True, slots=True)
class ScriptedFailure:
    message: str
    status: int | None = None
    """The HTTP status; None for a connection that broke."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one model request. With `error` the request fails after all the rest."""

    say: tuple[str, ...] = ()
    think: tuple[str, ...] = ()
    calls: tuple[ScriptedCall, ...] = ()
    usage: ScriptedUsage | None = None
    finish: str | None = None
    """Why the answer ends; None for what fits the calls."""
    error: ScriptedFailure | None = None


@dataclass(frozen=True, slots=True)
class Alternative:
    when: re.Pattern[str] | None
    """Searched in the tool results since the last answer; None takes every result."""
    rounds: tuple["Round", ...]
    repeat: bool = False
    """Whether the choice is made again after the rounds."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The first alternative that fits is taken; the last one always fits."""

    alternatives: tuple[Alternative, ...]


Round = Reply | Choice


@dataclass(frozen=True, slots=True)
class Turn:
    user: re.Pattern[str] | None
    """Searched in the person's message; None takes every message."""
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Script:
    name: str
    turns: tuple[Turn, ...]
    agents: Mapping[str, tuple[Turn, ...]] = field(default_factory=dict[str, tuple[Turn, ...]])
    summary: tuple[str, ...] = ()
    window: int = DEFAULT_WINDOW
    pace_ms: int = 0

    def turns_of(self, role: str) -> tuple[Turn, ...]:
        return self.turns if role == MAIN_ROLE else self.agents.get(role, ())
