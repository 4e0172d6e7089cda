"""What the screen is told about where it runs and who else listens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from handrail.events import Event
from handrail.render.theme import Paint


@dataclass(frozen=True, slots=True)
class Surroundings:
    project: Path
    model: str = ""
    """Shown until a session is open."""
    history: Path | None = None
    """The file of the messages entered in this project."""
    facts: Sequence[tuple[str, str]] = ()
    """Name and value of what `/status` shows beyond the session."""
    paint: Paint = "colour"
    come_back: bool = True
    """Whether leaving says how to come back to the session."""
    turn_over: Callable[[str, Event | None], None] | None = None
    """Hears of each message that was sent, and the last event of its turn if there was one."""
