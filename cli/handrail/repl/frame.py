"""What the bottom of the screen shows at one moment, computed once for each drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text import ANSI, to_formatted_text

from handrail.render.amounts import plural
from handrail.render.fit import cells, cut_end
from handrail.render.sanitise import sanitise_line
from handrail.repl.approval import Approval
from handrail.repl.live_view import Fragments, live_lines
from handrail.repl.menu import menu_lines
from handrail.repl.panel import lay_out
from handrail.repl.space import MAX_INPUT_ROWS, Need, Space, share_out
from handrail.repl.stage import Stage

if TYPE_CHECKING:
    from handrail.events import Call

PROMPT = "> "


@dataclass(frozen=True, slots=True)
class Frame:
    space: Space
    live: list[Fragments]
    panel: list[Fragments]
    waiting: list[Fragments]
    hint: list[Fragments]
    menu: list[Fragments]
    status: list[Fragments]


class Frames:
    """Composes frames; the text of the call that is asked is made once for each width."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._call: Call | None = None
        self._columns = 0
        self._lines: list[str] = []

    def compose(self, columns: int, rows: int) -> Frame:
        stage = self._stage
        approval = stage.desk.approval
        need = Need(
            panel=approval is not None,
            input=_rows(self._typed(), columns),
            waiting=len(stage.outbox),
            menu=_menu_rows(stage),
        )
        space = share_out(rows, need)
        return Frame(
            space,
            live_lines(stage.live, stage.root, width=columns, rows=space.live),
            self._panel(approval, columns, space.panel) if approval else [],
            _waiting(stage.outbox.texts, columns, space.waiting),
            _hint(stage.hint or stage.note, columns),
            menu_lines(stage.inputs.draft.complete_state, width=columns, rows=space.menu),
            [stage.status.fragments(columns)],
        )

    def _typed(self) -> str:
        stage = self._stage
        return (stage.inputs.answer if stage.desk.typing else stage.inputs.draft).text

    def _panel(self, approval: Approval, columns: int, rows: int) -> list[Fragments]:
        call = approval.pending.call
        if self._call is not call:
            self._stage.scroll.first = 0
        if self._call is not call or self._columns != columns:
            self._call, self._columns = call, columns
            self._lines = self._stage.printer.proposal(call, columns).splitlines()
        part = lay_out(
            approval,
            armed=self._stage.desk.choosing,
            scroll=self._stage.scroll,
            total=len(self._lines),
            width=columns,
            rows=rows,
        )
        body = [_fragments(self._lines[index]) for index in part.body]
        return [*part.above, *body, *part.below][-rows:]


def _fragments(line: str) -> Fragments:
    return [(style, text) for style, text, *_ in to_formatted_text(ANSI(line))]


def _rows(text: str, columns: int) -> int:
    """The rows of the input, as far as they can matter."""
    room = max(columns - len(PROMPT), 1)
    lines = text.split("\n", MAX_INPUT_ROWS)[:MAX_INPUT_ROWS]
    return sum(1 + cells(line[: room * MAX_INPUT_ROWS]) // room for line in lines)


def _menu_rows(stage: Stage) -> int:
    state = stage.inputs.draft.complete_state
    return len(state.completions) if state else 0


def _hint(text: str, columns: int) -> list[Fragments]:
    return [[("class:quiet", cut_end(f"  {text}", columns))]] if text else []


def _waiting(texts: Sequence[str], columns: int, rows: int) -> list[Fragments]:
    if not rows:
        return []
    shown = list(texts if len(texts) <= rows else texts[: rows - 1])
    lines = [" ".join(sanitise_line(part) for part in text.split("\n")) for text in shown]
    if len(texts) > len(shown):
        lines.append(f"{plural(len(texts) - len(shown), 'more message')}")
    return [[("class:quiet", cut_end(f"  waiting  {line}", columns))] for line in lines]
