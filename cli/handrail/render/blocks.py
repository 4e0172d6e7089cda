"""The small renderables of the screen: lines behind a prefix, calls, todos."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from handrail.events import Todo
from handrail.render.fit import cells, cut_end, cut_path, fold
from handrail.render.sanitise import sanitise, sanitise_line
from handrail.render.words import Described

_TOOL_WIDTH = 5
_OUTCOME_COLUMN = 46
_MARKS = {"completed": "✓", "in_progress": "▸", "pending": "·"}
_TODO_STYLES = {"completed": "todo.done", "in_progress": "todo.now", "pending": "todo.later"}


@dataclass(frozen=True, slots=True)
class Prefixed:
    """A renderable behind a prefix on its first line and another one on the following lines."""

    first: str
    rest: str
    body: RenderableType
    style: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        style = console.get_style(self.style)
        width = max(1, options.max_width - max(cells(self.first), cells(self.rest)))
        lines = console.render_lines(self.body, options.update(width=width), pad=False)
        for index, line in enumerate(lines):
            yield Segment(self.rest if index else self.first, style)
            yield from line
            yield Segment.line()


@dataclass(frozen=True, slots=True)
class Exact:
    """A sanitised line broken wherever the width ends: nothing is left out, not even blanks."""

    text: str
    style: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        style = console.get_style(self.style)
        for piece in fold(self.text, options.max_width):
            yield Segment(piece, style)
            yield Segment.line()


def marked_end(line: str) -> str:
    """Blanks at the end of a line, which nobody would see, as dots."""
    body = line.rstrip(" ")
    return body + "·" * (len(line) - len(body))


def indented(body: RenderableType, prefix: str = "  ") -> Prefixed:
    return Prefixed(prefix, prefix, body, "quiet")


def paragraph(text: str, style: str = "") -> Text:
    """Untrusted text as it stands."""
    return Text(sanitise(text), style=style)


@dataclass(frozen=True, slots=True)
class CallLine:
    """What ran and how it went, on one line as long as both fit."""

    called: Described
    outcome: str = ""
    style: str = "quiet"
    is_path: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        tool = f"{self.called.tool:<{_TOOL_WIDTH}} "
        room = width - cells(tool)
        alone = cells(self.outcome) > width // 2
        if self.outcome and not alone:
            room -= cells(self.outcome) + 2
        what = (cut_path if self.is_path else cut_end)(self.called.what, max(1, room))
        line = Text(no_wrap=True).append(tool, "tool").append(what, "what")
        if not self.outcome or alone:
            yield line
            if alone:
                yield Prefixed("      ", "      ", Text(self.outcome, style=self.style))
            return
        column = min(_OUTCOME_COLUMN, width - cells(self.outcome))
        line.append(" " * max(2, column - cells(line.plain)))
        yield line.append(self.outcome, self.style)


@dataclass(frozen=True, slots=True)
class Todos:
    """The todos on one line when they fit, else one below the other."""

    todos: tuple[Todo, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        done = sum(todo.state == "completed" for todo in self.todos)
        head = Text(f"todos {done} of {len(self.todos)}", style="tool")
        items = [
            Text(f"{_MARKS[todo.state]} {sanitise_line(todo.text)}", style=_TODO_STYLES[todo.state])
            for todo in self.todos
        ]
        line = head.copy().append("  ").append_text(Text("  ").join(items))
        if cells(line.plain) <= options.max_width:
            yield line
            return
        yield head
        for item in items:
            yield Prefixed("  ", "    ", item)
