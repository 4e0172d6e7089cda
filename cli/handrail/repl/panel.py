"""How an open approval looks: the call in full, what can be answered, what does not fit."""

from dataclasses import dataclass

from handrail.events import MAIN
from handrail.render.amounts import plural
from handrail.render.fit import cut_end
from handrail.render.sanitise import sanitise_line
from handrail.repl.approval import Approval, Asking
from handrail.repl.live_view import Fragments
from handrail.repl.wrap import wrap

CHOICES = (
    ("y", "once"),
    ("s", "session"),
    ("e", "edit"),
    ("n", "no"),
    ("r", "answer for it"),
    ("v", "view whole"),
    ("?", "why"),
)
_TYPING = {
    Asking.EDIT: "Enter runs it as edited · Alt+Enter new line · Esc back",
    Asking.REASON: "Enter says no, with this reason if you type one · Esc back",
    Asking.ANSWER: "Enter gives this to the model in place of the call · Esc back",
}
_NOT_YET = "…"


@dataclass(frozen=True, slots=True)
class PanelPart:
    """The lines of a panel; `body` are indices into the call's lines."""

    above: list[Fragments]
    body: range
    below: list[Fragments]


@dataclass(slots=True)
class Scroll:
    """Which line of a call is shown first."""

    first: int = 0
    shown: int = 1
    total: int = 0

    def move(self, lines: int) -> None:
        self.first = max(0, min(self.first + lines, self.total - self.shown))

    def page(self, direction: int) -> None:
        self.move(direction * max(1, self.shown - 1))


def lay_out(
    approval: Approval, *, armed: bool, scroll: Scroll, total: int, width: int, rows: int
) -> PanelPart:
    """Fits a call of `total` lines into `rows`; the answers are always shown."""
    above = _title(approval, width)
    below = [*_remarks(approval, width), *_answers(approval, armed, width)]
    room = max(1, rows - len(above) - len(below))
    if total > room:
        room = max(1, room - 1)
    scroll.shown, scroll.total = min(room, total), total
    scroll.move(0)
    if total > scroll.shown:
        below.insert(0, _more(scroll, width))
    return PanelPart(above, range(scroll.first, scroll.first + scroll.shown), below)


def _title(approval: Approval, width: int) -> list[Fragments]:
    source = approval.request.source
    number, of = approval.position
    words = [f"{sanitise_line(source.agent)} asks"] if source != MAIN else []
    words += [f"{number} of {of}"] if of > 1 else []
    return [[("class:key", cut_end(" · ".join(words), width))]] if words else []


def _more(scroll: Scroll, width: int) -> Fragments:
    after = scroll.total - scroll.first - scroll.shown
    counts = ((scroll.first, "above"), (after, "below"))
    words = ", ".join(f"{plural(count, 'more line')} {where}" for count, where in counts if count)
    return [("class:key", cut_end(f" … {words} · ↑↓ scroll · v prints all of it", width))]


def _remarks(approval: Approval, width: int) -> list[Fragments]:
    lines: list[Fragments] = []
    if approval.explained:
        lines += _wrapped(f"why: {approval.pending.reason}", "class:quiet", width)
    if approval.problem:
        lines += _wrapped(approval.problem, "class:failure", width)
    return lines


def _answers(approval: Approval, armed: bool, width: int) -> list[Fragments]:
    if approval.asking is not Asking.CHOICE:
        return _wrapped(_TYPING[approval.asking], "class:quiet", width)
    if not armed:
        return [[("class:quiet", _NOT_YET)]]
    lines: list[Fragments] = [[]]
    used = 0
    for key, meaning in CHOICES:
        needed = len(key) + len(meaning) + 3
        if used + needed > width and lines[-1]:
            lines.append([])
            used = 0
        lines[-1] += [("class:key", f" {key}"), ("class:quiet", f" {meaning} ")]
        used += needed
    return lines


def _wrapped(text: str, style: str, width: int) -> list[Fragments]:
    return [[(style, f" {piece}")] for piece in wrap(sanitise_line(text), width - 1)]
