"""A message on its way to the screen: what is there already is not shown again by another try."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from handrail.events import Event, ReasoningDelta, Source, TextDelta, TextFinished


@dataclass(slots=True)
class Strand:
    """A text that streams, and streams again under another id when its request is sent again."""

    id: str = ""
    """Under which it is shown."""
    shown: str = ""
    _latest: str = ""
    _repeated: str | None = None
    """What came again so far; None once there is more than that, or other text."""

    def take(self, message_id: str, piece: str) -> tuple[str, str]:
        """What of the piece is new, and what of the text before is cut off by it."""
        if message_id != self._latest:
            self._latest = message_id
            self._repeated = ""
        if self._repeated is None:
            self.shown += piece
            return piece, ""
        self._repeated += piece
        if self.shown.startswith(self._repeated):
            return "", ""
        text, self._repeated = self._repeated, None
        if text.startswith(self.shown):
            before, cut = len(self.shown), ""
            self.id = self.id or message_id
        else:
            before, cut = 0, self.shown
            self.id = message_id
        self.shown = text
        return text[before:], cut

    def again(self) -> None:
        """The request failed: what comes next starts from the beginning."""
        self._latest, self._repeated = "", ""

    def breaks_off(self, whole: str) -> bool:
        """Whether what is shown is of another try than this whole text."""
        again = self._repeated is not None or not whole.strip()
        return again and not whole.startswith(self.shown)


@dataclass(slots=True)
class Telling:
    """One agent's message, from its first piece until it is finished."""

    source: Source
    _text: Strand = field(default_factory=Strand)
    _reasoning: Strand = field(default_factory=Strand)

    def pieces(self, message_id: str, reasoning: str, text: str) -> Iterator[Event]:
        """The events of one piece of a stream; a new `message_id` is another try."""
        if reasoning:
            new, _ = self._reasoning.take(message_id, reasoning)
            if new:
                yield ReasoningDelta(self.source, self._reasoning.id, new)
        if text:
            before = self._text.id
            new, cut = self._text.take(message_id, text)
            if cut.strip():
                yield TextFinished(self.source, before, cut, cut=True)
            if new:
                yield TextDelta(self.source, self._text.id, new)

    def again(self) -> None:
        self._text.again()
        self._reasoning.again()

    def finished(self, message_id: str, text: str) -> Iterator[Event]:
        """The message is whole."""
        broke_off = self._text.breaks_off(text)
        if broke_off:
            yield from self.cut()
        if text.strip():
            shown_id = "" if broke_off else self._text.id
            yield TextFinished(self.source, shown_id or message_id, text)

    def cut(self) -> Iterator[TextFinished]:
        """The end of the message never came."""
        if self._text.shown.strip():
            yield TextFinished(self.source, self._text.id, self._text.shown, cut=True)
