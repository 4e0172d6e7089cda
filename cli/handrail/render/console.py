"""Renderables to text: the last door, which no control byte passes but those of our own styles."""

from collections.abc import Iterable
from io import StringIO

from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.theme import Theme

from handrail.render.sanitise import sanitise_prose
from handrail.render.theme import STYLES, Paint


def to_ansi(renderables: Iterable[RenderableType], width: int, paint: Paint = "colour") -> str:
    """Lines of at most `width` cells that end in a newline, with no blanks at their end."""
    console = _console(max(width, 1))
    return "".join(
        f"{_painted(line, paint)}\n"
        for renderable in renderables
        for line in Segment.split_lines(console.render(renderable))
    )


def _console(width: int) -> Console:
    return Console(
        file=StringIO(),
        width=width,
        height=25,
        force_terminal=True,
        color_system="standard",
        no_color=False,
        legacy_windows=False,
        highlight=False,
        emoji=False,
        markup=False,
        theme=Theme(STYLES),
    )


def _painted(line: Iterable[Segment], paint: Paint) -> str:
    return "".join(_paint(text, style, paint) for text, style in _without_blank_end(line))


def _without_blank_end(line: Iterable[Segment]) -> list[tuple[str, Style | None]]:
    kept = [(sanitise_prose(s.text), s.style) for s in line if s.control is None]
    while kept:
        text, style = kept.pop()
        if stripped := text.rstrip(" "):
            return [*kept, (stripped, style)]
    return kept


def _paint(text: str, style: Style | None, paint: Paint) -> str:
    if style is None or paint == "plain":
        return text
    shown = style.update_link(None) if style.link else style
    if paint == "mono":
        shown = shown.without_color
    return shown.render(text, color_system=ColorSystem.STANDARD)
