"""One request for approval from its first call to its last decision; knows no terminal."""

from enum import Enum

from handrail.events import ApprovalRequested, Decision, PendingCall
from handrail.repl.amend import AmendError, amendment


class Asking(Enum):
    """What the panel waits for."""

    CHOICE = "choice"
    EDIT = "edit"
    REASON = "reason"
    ANSWER = "answer"


class Approval:
    """Collects one decision for each pending call, in order."""

    def __init__(self, request: ApprovalRequested) -> None:
        self.request = request
        self.asking = Asking.CHOICE
        self.explained = False
        """Whether the reason why it asks is shown."""
        self.problem = ""
        """Why the last text was not taken."""
        self._decisions: list[Decision] = []

    @property
    def done(self) -> bool:
        return len(self._decisions) == len(self.request.calls)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(self._decisions)

    @property
    def pending(self) -> PendingCall:
        """The call that is asked now."""
        return self.request.calls[len(self._decisions)]

    @property
    def position(self) -> tuple[int, int]:
        """Which call this is, counted from one, and how many there are."""
        return len(self._decisions) + 1, len(self.request.calls)

    def approve_once(self) -> None:
        self._decide(Decision("approve"))

    def approve_for_session(self) -> None:
        self._decide(Decision("approve", grant="session"))

    def explain(self) -> None:
        self.explained = not self.explained

    def begin(self, asking: Asking) -> str:
        """Turn to a text the person types, and return what it starts with."""
        self.asking, self.problem = asking, ""
        return amendment(self.pending.call).text if asking is Asking.EDIT else ""

    def back(self) -> None:
        """From a text back to the choice."""
        self.asking, self.problem = Asking.CHOICE, ""

    def confirm(self, text: str) -> None:
        """Take the typed text, or say in `problem` why it cannot be taken."""
        if self.asking is Asking.EDIT:
            self._confirm_edit(text)
        elif self.asking is Asking.REASON:
            self._decide(Decision("reject", message=text.strip()))
        elif self.asking is Asking.ANSWER and text.strip():
            self._decide(Decision("respond", message=text))
        else:
            self.problem = "Type the answer the model gets, or press Esc to go back."

    def reject_rest(self) -> None:
        """No to this call and to all that follow."""
        while not self.done:
            self._decide(Decision("reject"))

    def _confirm_edit(self, text: str) -> None:
        edit = amendment(self.pending.call)
        if text == edit.text:
            self._decide(Decision("approve"))
            return
        try:
            self._decide(Decision("edit", args=edit.arguments(text)))
        except AmendError as error:
            self.problem = str(error)

    def _decide(self, decision: Decision) -> None:
        self._decisions.append(decision)
        self.asking, self.explained, self.problem = Asking.CHOICE, False, ""
