"""What the engine's own middleware puts into the framework's stream for the adapter."""

from contextvars import ContextVar
from dataclasses import dataclass

from langgraph.config import get_stream_writer

from handrail.events import Call, Event

CURRENT_CALL: ContextVar[str | None] = ContextVar("current_call", default=None)
"""The id of the tool call that runs in this task."""


@dataclass(frozen=True, slots=True)
class Signal:
    """An event that does not know yet which agent speaks: the adapter fills in the source."""

    event: Event


@dataclass(frozen=True, slots=True)
class Known:
    """A call that is answered without running: an adapter of a later process has not seen it."""

    call: Call


def emit(event: Event) -> None:
    """Send an event from inside a step; outside of one nobody listens and it is dropped."""
    _write(Signal(event))


def know(call: Call) -> None:
    _write(Known(call))


def _write(what: Signal | Known) -> None:
    try:
        writer = get_stream_writer()
    except RuntimeError:
        return
    writer(what)
