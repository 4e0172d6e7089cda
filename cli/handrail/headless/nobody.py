"""Decides in place of a person who is not there, and remembers what was refused."""

from handrail.events import ApprovalRequested, CallFinished, Decision, Event
from handrail.headless.lines import Refusal
from handrail.prompt_files import read_prompt


class Nobody:
    def __init__(self) -> None:
        self._answer = Decision("reject", read_prompt("nobody_there"))
        self.refused: list[Refusal] = []

    async def decide(self, request: ApprovalRequested) -> tuple[Decision, ...]:
        self.refused += [
            Refusal(pending.call, f"{pending.reason}, and nobody is there to approve it")
            for pending in request.calls
        ]
        return tuple(self._answer for _ in request.calls)

    def see(self, event: Event) -> None:
        """What the policy never lets run was refused before anybody was asked."""
        if isinstance(event, CallFinished) and event.refused:
            self.refused.append(
                Refusal(event.call, event.text.removeprefix("Refused: ").rstrip("."))
            )
