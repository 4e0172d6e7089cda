"""The status line: what it knows, and how it fits the width of the terminal."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from handrail.events import MAIN, ContextMeasured, Event, TurnStarted, Usage, UsageCounted
from handrail.render.amounts import tokens
from handrail.render.context_words import ContextWords
from handrail.render.fit import cells, cut_end, cut_path
from handrail.render.sanitise import sanitise_line

Fragments = list[tuple[str, str]]
"""Style and text, as prompt_toolkit takes them."""

_GAP = "  "
_ARROW = " -> "
_MIN_PATH = 10
_MAX_NAME = 24
"""Cells of a path and of its name before other parts have to give way."""
_NEARLY_FULL = 0.8


@dataclass(slots=True)
class StatusLine:
    """Fed with the events of a session. What it shows may be changed at any time."""

    model: str = ""
    window: int | None = None
    mode: str = "ask"
    sandbox: str = "host"
    used: int | None = None
    usage: Usage = field(default_factory=Usage)
    event: tuple[str, str] | None = None
    """The last thing that happened to the context: words and path."""
    _words: ContextWords = field(default_factory=ContextWords)

    def update(self, event: Event) -> None:
        match event:
            case ContextMeasured() if event.source == MAIN:
                self.used = event.tokens
                self.window = event.window or self.window
            case UsageCounted():
                self.usage.add(event)
            case TurnStarted():
                pass
            case _:
                self.event = self._words.update(event) or self.event

    def text(self, width: int) -> str:
        return "".join(text for _, text in self.fragments(width))

    def fragments(self, width: int) -> Fragments:
        """At most `width` cells: the least important parts go first, the end of a path never."""
        parts, room = self._fitting(width)
        shown: Fragments = [("class:status", " ")]
        for style, text in parts:
            shown += [(f"class:status class:status.{style}", text), ("class:status", _GAP)]
        if self.event is not None:
            shown.append(("class:status class:status.event", _event(self.event, room)))
        return _cut(shown, width)

    def _fitting(self, width: int) -> tuple[list[tuple[str, str]], int]:
        """The first choice of parts that leaves enough room for the event, and that room."""
        parts: list[tuple[str, str]] = []
        room = 0
        for parts, needed in self._choices():
            room = width - 1 - sum(cells(text) + len(_GAP) for _, text in parts)
            if room >= needed:
                break
        return parts, room

    def _choices(self) -> Iterator[tuple[list[tuple[str, str]], int]]:
        """Parts and the cells the event needs besides, from everything to almost nothing."""
        most, least = _needed(self.event)
        roomy, tight = list(self._roomy()), list(self._tight())
        yield from ((parts, most) for parts in roomy)
        yield from ((parts, least) for parts in [*roomy, *tight])

    def _roomy(self) -> Iterator[list[tuple[str, str]]]:
        start, model, (style, context) = self._start(), self._model(), self._context()
        end = [("sandbox", sanitise_line(self.sandbox)), (style, context)]
        short = [("sandbox", sanitise_line(self.sandbox)), (style, context.partition(" of ")[0])]
        usage = [("usage", f"{tokens(self.usage.input)} in {tokens(self.usage.output)} out")]
        usage = usage if self.usage.requests else []
        yield [*start, ("model", model), *end, *usage]
        yield [*start, ("model", _bare(model)), *end, *usage]
        yield [*start, ("model", _bare(model)), *short, *usage]
        yield [*start, ("model", _bare(model)), *short]

    def _tight(self) -> Iterator[list[tuple[str, str]]]:
        start, model, (style, context) = self._start(), _bare(self._model()), self._context()
        end = [("sandbox", sanitise_line(self.sandbox))]
        percent = [(style, context.removeprefix("context ").partition(" of ")[0])]
        yield [*start, ("model", model), *end, *percent]
        yield [*start, ("model", cut_end(model, 12)), *end, *percent]
        yield [*start, *end, *percent]
        yield [*start, *percent]
        yield start

    def _start(self) -> list[tuple[str, str]]:
        return [("mode", sanitise_line(self.mode))]

    def _model(self) -> str:
        """`script:/long/way/to/demo.yaml` is shown by its name."""
        provider, colon, name = sanitise_line(self.model).partition(":")
        return provider + colon + (name.rpartition("/")[2] if provider == "script" else name)

    def _context(self) -> tuple[str, str]:
        """`context 41% of 200k`, as far as it is known."""
        if self.window is None:
            return "context", "context -" if self.used is None else f"context {tokens(self.used)}"
        if self.used is None:
            return "context", f"context - of {tokens(self.window)}"
        style = "full" if self.used >= self.window * _NEARLY_FULL else "context"
        return style, f"context {100 * self.used / self.window:.0f}% of {tokens(self.window)}"


def _needed(event: tuple[str, str] | None) -> tuple[int, int]:
    """The most and the least cells an event is shown in."""
    if event is None:
        return -len(_GAP), -len(_GAP)
    words, path = event
    if not path:
        return cells(words), cells(words)
    start = cells(words) + len(_ARROW)
    return start + cells(path), start + min(cells(path), _least_path(path))


def _least_path(path: str) -> int:
    return max(_MIN_PATH, min(_MAX_NAME, cells(path.rpartition("/")[2]) + len("…/")))


def _event(event: tuple[str, str], room: int) -> str:
    words, path = event
    if not path:
        return cut_end(words, room)
    rest = room - cells(words) - len(_ARROW)
    if rest < min(cells(path), _least_path(path)):
        return cut_path(path, room)
    return f"{words}{_ARROW}{cut_path(path, rest)}"


def _bare(model: str) -> str:
    """Without its provider."""
    return model.partition(":")[2] or model


def _cut(fragments: Fragments, width: int) -> Fragments:
    shown: Fragments = []
    for style, text in fragments:
        kept = text if cells(text) <= width else cut_end(text, width)
        width -= cells(kept)
        if kept:
            shown.append((style, kept))
    return shown
