"""What the demo's person says, and what they decide when nobody sits at a keyboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from handrail.events import ApprovalRequested, Decision, DecisionKind, PendingCall
from handrail.strict_yaml import Entry, read_strict_yaml

NOT_RECORDED = "No decision is recorded for this call."

_CHANGES_AND_COMMANDS = ("command", "file_path")
"""The arguments a recorded decision is recognised by."""


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    tool: str
    about: str
    """The whole command, or the path, of the call."""
    kind: DecisionKind
    because: str

    def fits(self, pending: PendingCall) -> bool:
        args = pending.call.args
        subject = next((str(args[it]) for it in _CHANGES_AND_COMMANDS if it in args), "")
        return (pending.call.name, subject) == (self.tool, self.about)


@dataclass(frozen=True, slots=True)
class Message:
    says: str
    decisions: tuple[RecordedDecision, ...]


class RecordedPerson:
    """Follows the decisions of one message in their order and refuses everything else."""

    def __init__(self, message: Message, tell: Callable[[str], None]) -> None:
        self._left = list(message.decisions)
        self._tell = tell

    async def decide(self, request: ApprovalRequested) -> tuple[Decision, ...]:
        return tuple(self._decide(pending) for pending in request.calls)

    def _decide(self, pending: PendingCall) -> Decision:
        if not self._left or not self._left[0].fits(pending):
            self._tell(f"  recorded decision: none for {pending.call.name}, so it is refused")
            return Decision("reject", message=NOT_RECORDED)
        recorded = self._left.pop(0)
        self._tell(f"  recorded decision: {recorded.kind} ({recorded.because})")
        return Decision(
            recorded.kind, message="" if recorded.kind == "approve" else recorded.because
        )


def read_messages(file: Path, project: Path) -> Sequence[Message]:
    """The person's messages in order; `${project}` in the file stands for the project's path."""
    fields = read_strict_yaml(file).mapping(("messages",), required=("messages",))
    return tuple(_message(entry, project) for entry in fields["messages"].items())


def _message(entry: Entry, project: Path) -> Message:
    fields = entry.mapping(("says", "decides"), required=("says",))
    decides = fields["decides"].items() if "decides" in fields else ()
    decisions = tuple(_decision(item, project) for item in decides)
    return Message(fields["says"].text().strip(), decisions)


def _decision(entry: Entry, project: Path) -> RecordedDecision:
    keys = ("tool", "about", "decision", "because")
    fields = entry.mapping(keys, required=keys)
    return RecordedDecision(
        tool=fields["tool"].text(),
        about=fields["about"].text().replace("${project}", str(project)),
        kind="approve" if fields["decision"].one_of("approve", "reject") == "approve" else "reject",
        because=fields["because"].text(),
    )
