"""A diff on the screen."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from handrail.render.amounts import plural
from handrail.render.blocks import marked_end
from handrail.render.diff import DiffLine, FileDiff
from handrail.render.fit import fold
from handrail.render.output import clipped
from handrail.render.sanitise import sanitise

_SIGNS = {"same": " ", "added": "+", "removed": "-"}
_TAB = 4


@dataclass(frozen=True, slots=True)
class DiffBlock:
    """The changed lines with their numbers. The middle of a long one is left out, and counted."""

    diff: FileDiff
    max_lines: int | None = None
    numbered: bool = True

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        numbers = len(str(max((line.number for line in self.diff.lines), default=1)))
        gutter = numbers + 1 if self.numbered else 0
        if self.diff.note:
            yield _remark(self.diff.note, gutter)
        styles = {kind: console.get_style(kind) for kind in ("same", "added", "removed", "gutter")}
        for part in _folded(self.diff.lines, self.max_lines):
            if isinstance(part, str):
                yield _remark(part, gutter)
            elif part.kind == "gap":
                yield _remark(f"… {plural(part.number, 'line')}", gutter)
            else:
                text = _code(part) if self.max_lines is None else clipped(_code(part))
                yield from _line(part, text, gutter, options.max_width, styles)


def _folded(lines: Sequence[DiffLine], max_lines: int | None) -> list[DiffLine | str]:
    if max_lines is None or len(lines) <= max_lines:
        return list(lines)
    head = max_lines * 2 // 3
    tail = len(lines) - (max_lines - head)
    hidden = lines[head:tail]
    added = sum(line.kind == "added" for line in hidden)
    removed = sum(line.kind == "removed" for line in hidden)
    return [
        *lines[:head],
        f"… {plural(len(hidden), 'more line')}, +{added} -{removed}",
        *lines[tail:],
    ]


def _remark(text: str, gutter: int) -> Text:
    return Text(" " * (gutter + 2) + text, style="gutter")


def _line(
    line: DiffLine, text: str, gutter: int, width: int, styles: Mapping[str, Style]
) -> Iterator[Segment]:
    number = f"{line.number:>{gutter - 1}} " if gutter else ""
    before = f"{number}{_SIGNS[line.kind]} "
    style = styles[line.kind]
    for piece in fold(text, width - len(before)):
        yield Segment(before, styles["gutter"] if line.kind == "same" else style)
        yield Segment(piece, style)
        yield Segment.line()
        before = " " * len(before)


def _code(line: DiffLine) -> str:
    """Tabs, and blanks at the end, are marked in changed lines: they may be the whole change."""
    text = sanitise(line.text)
    if line.kind == "same":
        return text.expandtabs(_TAB)
    return marked_end(text).replace("\t", "→" + " " * (_TAB - 1))
