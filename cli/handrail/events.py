"""What the engine says while a turn runs: the one language of screen, transcript and plain output.

Promises that hold for every consumer:

* `TurnStarted` comes first, and one of `TurnFinished`, `TurnStopped`, `TurnFailed` comes last.
* All deltas of a message come before its `TextFinished`, whose text is the whole and final one.
  The answer to a request that is sent again goes on with the message it repeats, or is a new one.
* `CallProposed` comes before anything else about that call, `CallFinished` after it.
* `CallStarted` comes only after every approval of the call's message was decided.
* Texts are untrusted: they come from models, tools, files, servers; consumers make them safe.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

TodoState = Literal["pending", "in_progress", "completed"]
"""The states of a todo."""

DecisionKind = Literal["approve", "edit", "reject", "respond"]
"""What a person can answer to an approval."""

Grant = Literal["once", "session"]
"""How long an approval holds: for this call, or for the same call again in this session."""


@dataclass(frozen=True, slots=True)
class Source:
    """The agent that speaks."""

    agent: str = "main"
    call_id: str | None = None
    """The `task` call that started it; None for the main agent."""


MAIN = Source()


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as the model proposed it, paths already absolute."""

    id: str
    name: str
    args: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Todo:
    text: str
    state: TodoState


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call that waits for the person."""

    call: Call
    reason: str
    """Why it asks, in a few words."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to one pending call."""

    kind: DecisionKind
    message: str = ""
    """The reason of a reject, or the text of a respond."""
    args: Mapping[str, object] | None = None
    """The arguments of an edit."""
    grant: Grant = "once"


@dataclass(frozen=True, slots=True)
class Event:
    """The base of all events."""


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    text: str
    """The person's message; empty when a stopped turn is taken up again."""


@dataclass(frozen=True, slots=True)
class TextDelta(Event):
    source: Source
    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta(Event):
    source: Source
    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class TextFinished(Event):
    """The whole text of a message. `cut` marks a text whose end never came."""

    source: Source
    message_id: str
    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class CallProposed(Event):
    source: Source
    call: Call


@dataclass(frozen=True, slots=True)
class ApprovalRequested(Event):
    """Calls of one message that wait; nothing of the message runs before all are decided."""

    source: Source
    id: str
    calls: tuple[PendingCall, ...]


@dataclass(frozen=True, slots=True)
class ApprovalAnswered(Event):
    """The decisions, one for each pending call in order."""

    id: str
    calls: tuple[Call, ...]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class CallStarted(Event):
    source: Source
    call: Call
    """With the arguments that run, which an edit may have changed."""


@dataclass(frozen=True, slots=True)
class CallOutput(Event):
    """A piece of a running command's output."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class CallFinished(Event):
    source: Source
    call: Call
    ok: bool
    text: str
    """The answer the model gets."""
    exit_code: int | None = None
    """Of a command; None for other tools."""
    refused: bool = False
    """Whether the policy kept it from running; a person's no is in `ApprovalAnswered`."""


@dataclass(frozen=True, slots=True)
class TodosChanged(Event):
    source: Source
    todos: tuple[Todo, ...]


@dataclass(frozen=True, slots=True)
class ContextMeasured(Event):
    """The size of the next request, before it is sent."""

    source: Source
    tokens: int
    window: int | None
    """Both in tokens; the window is None when the model does not state one."""


@dataclass(frozen=True, slots=True)
class SummaryStarted(Event):
    source: Source
    messages: int


@dataclass(frozen=True, slots=True)
class SummaryFinished(Event):
    source: Source
    messages: int
    text: str


@dataclass(frozen=True, slots=True)
class HistoryOffloaded(Event):
    """Messages that left the context; `path` is None when they could not be written."""

    source: Source
    messages: int
    path: str | None


@dataclass(frozen=True, slots=True)
class ResultOffloaded(Event):
    source: Source
    call_id: str | None
    path: str
    size: int
    """In bytes."""


@dataclass(frozen=True, slots=True)
class ArgumentsTruncated(Event):
    """Long arguments of old calls that the next request leaves out."""

    source: Source
    call_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UsageCounted(Event):
    """What one request took, in tokens; `cached` is the part of `input` served from a cache."""

    source: Source
    input: int
    output: int
    cached: int = 0


@dataclass(frozen=True, slots=True)
class SubagentStarted(Event):
    source: Source
    task: str


@dataclass(frozen=True, slots=True)
class SubagentFinished(Event):
    source: Source


@dataclass(frozen=True, slots=True)
class RetryScheduled(Event):
    """A model request failed in passing and is sent again; what was shown of its answer stays."""

    source: Source
    attempt: int
    of: int
    """The retry that comes, and how many there are at most."""
    wait_s: float
    reason: str
    """A clause: what failed."""


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """Something the person should know that is nobody's answer."""

    text: str


@dataclass(frozen=True, slots=True)
class TurnFinished(Event):
    """The agent is idle again; `text` is its last answer."""

    text: str


@dataclass(frozen=True, slots=True)
class TurnStopped(Event):
    """The person stopped the turn; what was finished is kept."""


@dataclass(frozen=True, slots=True)
class TurnFailed(Event):
    """What happened, what was kept, what to do: one paragraph."""

    message: str


@dataclass(slots=True)
class Usage:
    """Tokens of a session so far."""

    input: int = 0
    output: int = 0
    cached: int = 0
    requests: int = field(default=0)

    def add(self, event: UsageCounted) -> None:
        self.input += event.input
        self.output += event.output
        self.cached += event.cached
        self.requests += 1
