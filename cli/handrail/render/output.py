"""The end of a long text on the screen, and how much there was before it."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from handrail.render.amounts import plural, size
from handrail.render.sanitise import sanitise_output

_LINE_CHARS = 400
"""Of a longer line only the start is shown."""
_TAIL_CHARS = 100_000
"""What is looked at for the last lines."""


@dataclass(frozen=True, slots=True)
class Output:
    """The last lines of what a program printed, or with `head` the first ones of a text."""

    text: str
    max_lines: int
    head: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = self.text.rstrip()
        cut = text[:_TAIL_CHARS] if self.head else text[-_TAIL_CHARS:]
        lines = sanitise_output(cut).split("\n")
        kept = lines[: self.max_lines] if self.head else lines[-self.max_lines :]
        shown = [Text(clipped(line), style="quiet") for line in kept]
        hidden = text.count("\n") + 1 - len(kept)
        if hidden <= 0:
            yield from shown
            return
        count = (
            f"… {plural(hidden, 'more line')}, {size(len(text.encode('utf-8', 'replace')))} in all"
        )
        remark = Text(count, style="quiet")
        yield from [*shown, remark] if self.head else [remark, *shown]


def clipped(line: str, chars: int = _LINE_CHARS) -> str:
    """The start of a very long line."""
    more = len(line) - chars
    return line if more <= 0 else f"{line[:chars]}… {plural(more, 'more character')}"
