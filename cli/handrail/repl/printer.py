"""Collects what is printed above the prompt until the screen takes it; loads Rich when needed."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from handrail.events import Call, Event
from handrail.render.diff import FileReader
from handrail.render.theme import Paint

if TYPE_CHECKING:
    from handrail.repl.ink import Ink, Renderables


LoadInk = Callable[[FileReader], "Ink"]


def ink_loader(root: Path, clock: Callable[[], float], paint: Paint) -> LoadInk:
    """Rich takes a tenth of a second to import, which the first screen need not wait for."""

    def load(read: FileReader) -> "Ink":
        from handrail.repl.ink import Ink  # noqa: PLC0415 - see above

        return Ink(str(root), read, clock, paint)

    return load


class Printer:
    """Keeps the order in which things were said. `changed` is called when there is something."""

    def __init__(self, load: LoadInk, changed: Callable[[], None]) -> None:
        self._load = load
        self._read: FileReader = _no_file
        self._changed = changed
        self._ready = False
        self._loaded: Ink | None = None
        self._waiting: list[Callable[[Ink], Renderables]] = []

    def warm_up(self) -> None:
        """Does the slow part of the first printing; may run in a thread."""
        self._load(_no_file)
        self._ready = True
        self._changed()

    def event(self, event: Event) -> None:
        """Rendered now: a call that comes next may change the file that is shown."""
        rendered = self.ink.event(event)
        if rendered:
            self._add(lambda _: rendered)

    def earlier(self, events: Sequence[Event]) -> None:
        self._add(lambda ink: ink.earlier(events))

    def say(self, text: str, style: str = "") -> None:
        """Untrusted text as it stands, a paragraph of its own."""
        self._add(lambda ink: ink.text(text, style))

    def entered(self, text: str) -> None:
        """A command as the person entered it."""
        self._add(lambda ink: ink.entered(text))

    def proposal(self, call: Call, width: int) -> str:
        """The whole call, without printing it."""
        return self.ink.ansi(self.ink.proposal(call), width)

    def print_proposal(self, call: Call) -> None:
        self._add(lambda ink: ink.proposal(call))

    def start_session(self, read: FileReader) -> None:
        """What was remembered of the calls of another session is forgotten.

        `read` gives what a file holds before a call changes it.
        """
        self._read, self._loaded = read, None

    def take(self, width: int, *, now: bool = False) -> str:
        """Everything that waits, for a terminal of this width; nothing yet while Rich loads."""
        if not self._waiting or not (self._ready or now):
            return ""
        waiting, self._waiting = self._waiting, []
        renderables = [line for said in waiting for line in said(self.ink)]
        return self.ink.ansi(renderables, width)

    @property
    def ink(self) -> "Ink":
        if self._loaded is None:
            self._loaded, self._ready = self._load(self._read), True
        return self._loaded

    def _add(self, said: "Callable[[Ink], Renderables]") -> None:
        self._waiting.append(said)
        self._changed()


def _no_file(path: str) -> None:
    del path
