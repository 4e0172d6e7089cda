"""What is not finished yet: the text that streams in, the calls that run, the agents at work."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from handrail.events import (
    MAIN,
    Call,
    CallFinished,
    CallOutput,
    CallStarted,
    Event,
    ReasoningDelta,
    RetryScheduled,
    Source,
    SubagentFinished,
    SubagentStarted,
    SummaryFinished,
    SummaryStarted,
    TextDelta,
    TextFinished,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    TurnStopped,
)
from handrail.repl.stream import TextStream

_OUTPUT_CHARS = 4000
_REASONING_CHARS = 400


@dataclass(slots=True)
class Running:
    """A call that runs."""

    call: Call
    source: Source
    since: float
    output: str = ""
    """The end of what it printed so far."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A failed request that is sent again."""

    retry: RetryScheduled
    until: float


@dataclass(slots=True)
class Live:
    now: Callable[[], float] = time.monotonic
    working_since: float | None = None
    """When the turn started; None when no turn runs."""
    stream: TextStream = field(default_factory=TextStream)
    reasoning: str = ""
    summarising: bool = False
    calls: dict[str, Running] = field(default_factory=dict[str, Running])
    agents: dict[str, Source] = field(default_factory=dict[str, Source])
    retries: dict[Source, Waiting] = field(default_factory=dict[Source, Waiting])

    def take(self, event: Event) -> Event | None:
        """Notes the event and returns what of it can be printed for good."""
        if isinstance(event, RetryScheduled):
            return self._wait(event)
        self.retries.pop(getattr(event, "source", MAIN), None)
        match event:
            case TextDelta():
                return self._text(event)
            case TextFinished() if event.source == MAIN:
                self.reasoning, stream, self.stream = "", self.stream, TextStream()
                return replace(event, text=stream.finish(event.text))
            case ReasoningDelta() if event.source == MAIN:
                self.reasoning = (self.reasoning + event.text)[-_REASONING_CHARS:]
            case _:
                self._note(event)
        return event

    def _wait(self, event: RetryScheduled) -> None:
        """Seen while it lasts."""
        self.retries[event.source] = Waiting(event, self.now() + event.wait_s)
        if event.source == MAIN:
            self.reasoning = ""

    def _text(self, event: TextDelta) -> Event | None:
        """A sub-agent's text is printed when it is whole."""
        if event.source != MAIN:
            return None
        self.reasoning = ""
        finished = self.stream.feed(event.text)
        return TextFinished(MAIN, event.message_id, finished) if finished else None

    def _note(self, event: Event) -> None:
        match event:
            case TurnStarted():
                self._reset(self.now())
            case TurnFinished() | TurnStopped() | TurnFailed():
                self.idle()
            case CallStarted():
                self.calls[event.call.id] = Running(event.call, event.source, self.now())
            case CallOutput() if running := self.calls.get(event.call_id):
                running.output = (running.output + event.text)[-_OUTPUT_CHARS:]
            case CallFinished():
                self.calls.pop(event.call.id, None)
            case SubagentStarted():
                self.agents[event.source.call_id or ""] = event.source
            case SubagentFinished():
                self.agents.pop(event.source.call_id or "", None)
            case SummaryStarted() | SummaryFinished():
                self.summarising = isinstance(event, SummaryStarted)
            case _:
                pass

    def idle(self) -> None:
        """No turn runs."""
        self._reset(None)

    def _reset(self, working_since: float | None) -> None:
        self.working_since = working_since
        self.stream, self.reasoning, self.summarising = TextStream(), "", False
        self.calls.clear()
        self.agents.clear()
        self.retries.clear()
