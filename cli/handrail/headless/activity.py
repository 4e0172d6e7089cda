"""What happens in a run, as plain lines for whoever looks on; the final answer is left out."""

from dataclasses import replace

from handrail.events import (
    MAIN,
    ApprovalAnswered,
    ContextMeasured,
    Decision,
    Event,
    Notice,
    TextFinished,
    TurnFinished,
    TurnStarted,
    TurnStopped,
    UsageCounted,
)
from handrail.render.console import to_ansi
from handrail.render.renderer import Renderer

_WIDTH = 100
_BEFORE_THE_END = (UsageCounted, ContextMeasured)
"""What may come between the last text of a turn and its end."""


class Activity:
    """A text is shown when something follows it: the last one of a turn is its answer."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._held: TextFinished | None = None

    def lines(self, event: Event) -> str:
        if isinstance(event, _BEFORE_THE_END):
            return ""
        if isinstance(event, TurnFinished):
            self._held = None
        if isinstance(event, Notice):
            return self._plain(event)
        before, self._held = self._held, None
        shown = "" if before is None else self._plain(before)
        if isinstance(event, TextFinished) and event.source == MAIN and not event.cut:
            self._held = event
            return shown
        return shown + self._plain(event)

    def _plain(self, event: Event) -> str:
        """The message is known; why calls are refused and a stop came, the run says itself."""
        if isinstance(event, ApprovalAnswered):
            event = replace(event, decisions=tuple(Decision(d.kind) for d in event.decisions))
        text = to_ansi(self._renderer.render(event), _WIDTH, "plain")
        return "" if isinstance(event, TurnStarted | TurnStopped) else text
