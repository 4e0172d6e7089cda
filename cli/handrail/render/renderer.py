"""From finished events to what is printed once: live, and again when a session is resumed."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import singledispatchmethod

from rich.console import RenderableType
from rich.text import Text

from handrail.events import (
    MAIN,
    ApprovalAnswered,
    ArgumentsTruncated,
    CallFinished,
    CallProposed,
    CallStarted,
    Decision,
    Event,
    HistoryOffloaded,
    Notice,
    ResultOffloaded,
    RetryScheduled,
    Source,
    SubagentFinished,
    SubagentStarted,
    SummaryFinished,
    TextFinished,
    TodosChanged,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    TurnStopped,
)
from handrail.render.amounts import plural
from handrail.render.blocks import Prefixed, Todos, indented, paragraph
from handrail.render.context_words import ContextWords
from handrail.render.diff import FileReader
from handrail.render.finished import CHANGES, OldText, finished
from handrail.render.fit import cut_end
from handrail.render.output import Output, clipped
from handrail.render.prose import prose
from handrail.render.retry_words import retry_words
from handrail.render.sanitise import sanitise_line, sanitise_prose
from handrail.render.words import describe

_SUBAGENT_LINES = 6
_MAX_NAME = 24
_SAID_LINES = 60
_SAID_CHARS = 4000
_SHOWN_OTHERWISE = frozenset({"write_todos", "task"})
"""Tools whose success has events of its own."""
_APART = (TurnStarted, TextFinished, TurnFailed, TurnStopped)
"""What has an empty line before it, and after it unless it is one line that leads to calls."""


@dataclass(slots=True)
class _Call:
    """What is known of a call until it is finished."""

    old: OldText | None = None
    started: float | None = None
    is_answered: bool = False
    """By a person in the tool's place, or with a no."""
    offload: RenderableType | None = None


class Renderer:
    """Renders the events of one session, in order. Paths below `root` are shown relative to it.

    With `read` the diffs of changed files carry line numbers; with `clock`, in seconds, commands
    show how long they took. A reprint has neither.
    """

    def __init__(
        self,
        root: str = "",
        read: FileReader | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._root = root
        self._read = read
        self._clock = clock
        self._context = ContextWords()
        self._half_told: RenderableType | None = None
        self._calls: dict[str, _Call] = {}
        self._agents: dict[str, str] = {}
        self._after_apart = False

    def render(self, event: Event) -> list[RenderableType]:
        """What is printed for the event now; empty for all that is only shown while it lasts."""
        blocks = [*self._held_back(event), *self._blocks(event)]
        if not blocks:
            return []
        stands_apart = isinstance(event, _APART) and getattr(event, "source", MAIN) == MAIN
        gap = [Text()] if stands_apart or self._after_apart else []
        self._after_apart = stands_apart and not _is_one_line(event)
        return [*gap, *blocks]

    @singledispatchmethod
    def _blocks(self, event: Event) -> list[RenderableType]:
        del event
        return []

    @_blocks.register
    def _(self, event: TurnStarted) -> list[RenderableType]:
        self._calls.clear()
        self._agents.clear()
        if not event.text:
            return []
        return [Prefixed("> ", "  ", Text(_said(event.text), style="person"), "person")]

    @_blocks.register
    def _(self, event: TextFinished) -> list[RenderableType]:
        cut = [Text("… cut off here", style="quiet")] if event.cut else []
        if not event.text.strip():  # of a cut text everything may be printed already
            return self._within(event.source, *cut)
        if event.source != MAIN:
            text = Output(event.text, _SUBAGENT_LINES, head=True)
            return self._within(event.source, text, *cut)
        return [indented(prose(event.text)), *map(indented, cut)]

    @_blocks.register
    def _(self, event: CallProposed) -> list[RenderableType]:
        seen = self._calls[event.call.id] = _Call()
        path = event.call.args.get("file_path")
        if self._read is not None and event.call.name in CHANGES and isinstance(path, str):
            with suppress(OSError, UnicodeError):
                seen.old = OldText(self._read(path))
        return []

    @_blocks.register
    def _(self, event: CallStarted) -> list[RenderableType]:
        if self._clock is not None:
            self._calls.setdefault(event.call.id, _Call()).started = self._clock()
        return []

    @_blocks.register
    def _(self, event: CallFinished) -> list[RenderableType]:
        call = self._calls.pop(event.call.id, _Call())
        if call.is_answered or (event.ok and event.call.name in _SHOWN_OTHERWISE):
            return []
        seconds = self._seconds_since(call.started)
        blocks = finished(event, self._root, old=call.old, seconds=seconds, offload=call.offload)
        return self._within(event.source, *blocks)

    @_blocks.register
    def _(self, event: ApprovalAnswered) -> list[RenderableType]:
        lines: list[RenderableType] = []
        for call, decision in zip(event.calls, event.decisions, strict=False):
            if decision.kind in {"reject", "respond"}:
                self._calls.setdefault(call.id, _Call()).is_answered = True
            words = _decided(describe(call, self._root).line, decision)
            lines.append(indented(Text(words, style="decision")))
        return lines

    @_blocks.register
    def _(self, event: TodosChanged) -> list[RenderableType]:
        return self._within(event.source, Todos(event.todos)) if event.todos else []

    @_blocks.register
    def _(self, event: SubagentStarted) -> list[RenderableType]:
        name = _agent(event.source)
        if event.source.call_id is not None:
            taken = set(self._agents.values())
            number = next(n for n in range(1, len(taken) + 2) if _numbered(name, n) not in taken)
            name = self._agents[event.source.call_id] = _numbered(name, number)
        task = next((line for line in event.task.splitlines() if line.strip()), "")
        return [indented(Text(f"agent {name}: {sanitise_line(task)}".rstrip(": "), style="agent"))]

    @_blocks.register
    def _(self, event: SubagentFinished) -> list[RenderableType]:
        name = self._agents.pop(event.source.call_id or "", _agent(event.source))
        return [indented(Text(f"agent {name} finished", style="agent"))]

    @_blocks.register(SummaryFinished)
    @_blocks.register(HistoryOffloaded)
    @_blocks.register(ArgumentsTruncated)
    def _(self, event: Event) -> list[RenderableType]:
        line = self._of_the_context(event)
        self._half_told = line if self._context.waits else None
        return [] if self._context.waits else [indented(line)]

    @_blocks.register
    def _(self, event: ResultOffloaded) -> list[RenderableType]:
        line = self._of_the_context(event)
        call = self._calls.get(event.call_id or "")
        if call is None:
            return [indented(line)]
        call.offload = line
        return []

    @_blocks.register
    def _(self, event: Notice) -> list[RenderableType]:
        return [indented(paragraph(event.text, "quiet"))]

    @_blocks.register
    def _(self, event: RetryScheduled) -> list[RenderableType]:
        return self._within(event.source, Text(retry_words(event, event.wait_s), style="quiet"))

    @_blocks.register
    def _(self, event: TurnStopped) -> list[RenderableType]:
        del event
        return [indented(Text("Stopped. What was finished is kept.", style="decision"))]

    @_blocks.register
    def _(self, event: TurnFailed) -> list[RenderableType]:
        return [indented(paragraph(event.message, "failure"))]

    def _seconds_since(self, started: float | None) -> float | None:
        return None if self._clock is None or started is None else self._clock() - started

    def _held_back(self, event: Event) -> list[RenderableType]:
        """At the end of a turn: what waited for a call or a file that did not come."""
        if not isinstance(event, TurnFinished | TurnStopped | TurnFailed):
            return []
        lines = [self._half_told, *(call.offload for call in self._calls.values())]
        self._half_told = None
        self._calls.clear()
        return [indented(line) for line in lines if line is not None]

    def _of_the_context(self, event: Event) -> Text:
        words, path = self._context.update(event) or ("", "")
        return Text(f"{words} -> {path}" if path else words, style="context")

    def _within(self, source: Source, *bodies: RenderableType) -> list[RenderableType]:
        """Indented; what a sub-agent does further, with its name while several work."""
        if source == MAIN:
            return [indented(body) for body in bodies]
        name = self._agents.get(source.call_id or "", _agent(source))
        label = f"{name} " if len(self._agents) > 1 else ""
        return [indented(body, f"  │ {label}") for body in bodies]


def _said(text: str) -> str:
    """The person's message; of a long one the start, for they know what they pasted."""
    lines = text.rstrip("\n").split("\n")
    kept = [clipped(sanitise_prose(line), _SAID_CHARS) for line in lines[:_SAID_LINES]]
    hidden = len(lines) - len(kept)
    return "\n".join([*kept, f"… {plural(hidden, 'more line')}"] if hidden else kept)


def _is_one_line(event: Event) -> bool:
    return isinstance(event, TextFinished) and "\n" not in event.text.strip()


def _agent(source: Source) -> str:
    return cut_end(sanitise_line(source.agent), _MAX_NAME)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"


def _decided(line: str, decision: Decision) -> str:
    match decision.kind:
        case "approve":
            return f"approved {line}" + (" for this session" if decision.grant == "session" else "")
        case "edit":
            return f"approved {line} with changes"
        case "reject":
            return f"rejected {line}" + (
                f": {sanitise_line(decision.message)}" if decision.message else ""
            )
        case "respond":
            return f"answered in place of {line}: {sanitise_line(decision.message)}"
