"""The lines of `--output jsonl`: first the session, then every event, last how the run ended."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from handrail.events import Call, Event
from handrail.sessions.event_codec import encode, event_types

FORMAT = 1
"""Grows when a line loses or changes something; new types and fields may always come."""


@dataclass(frozen=True, slots=True)
class SessionOpened(Event):
    """The first line."""

    format: int
    session: str
    model: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call that did not run because nobody was there, or because it never may."""

    call: Call
    reason: str


@dataclass(frozen=True, slots=True)
class RunEnded(Event):
    """The last line, unless the process was killed or nobody read any more."""

    exit_code: int
    answer: str | None
    """The final answer; None when there is none, or when it does not fit the wanted schema."""
    refused: tuple[Refusal, ...]


def line_types() -> Mapping[str, type[Event]]:
    return {"SessionOpened": SessionOpened, **event_types(), "RunEnded": RunEnded}


def to_line(event: Event) -> str:
    """In ASCII, so that a terminal obeys nothing in it."""
    return json.dumps(encode(event), allow_nan=False, separators=(",", ":")) + "\n"
