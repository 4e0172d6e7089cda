"""Puts one request for approval after another before the person and hands back the decisions."""

import asyncio
import time
from collections.abc import Callable

from handrail.events import ApprovalRequested, Decision
from handrail.repl.approval import Approval, Asking
from handrail.repl.arming import Arming


class ApprovalDesk:
    """`changed` is called whenever another part of the screen should have the keys."""

    def __init__(
        self, changed: Callable[[], None], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._changed = changed
        self._arming = Arming(now)
        self._turn = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._answer: asyncio.Future[tuple[Decision, ...]] | None = None
        self.approval: Approval | None = None
        self.has_keys = False
        """Whether keys go to the panel; before that they still go to the message being typed."""

    async def decide(self, request: ApprovalRequested) -> tuple[Decision, ...]:
        """One decision for each call. Several requests at once are asked one after another."""
        async with self._turn:
            if not request.calls:
                return ()
            self.approval = Approval(request)
            self._answer = asyncio.get_running_loop().create_future()
            self._await_drawing(answering=False)
            try:
                return await self._answer
            finally:
                self._forget_timer()
                self.approval, self.has_keys = None, False
                self._changed()

    @property
    def choosing(self) -> bool:
        """Whether the letters of the panel count now."""
        return self.has_keys and self._arming.armed and self.asking is Asking.CHOICE

    @property
    def typing(self) -> bool:
        """Whether the person types an edit, a reason or an answer."""
        return self.has_keys and self.asking not in {None, Asking.CHOICE}

    @property
    def asking(self) -> Asking | None:
        return self.approval.asking if self.approval else None

    def key_pressed(self) -> None:
        self._arming.key_pressed()

    def drawn(self) -> None:
        """The panel is on the screen as it stands."""
        if self.approval is not None and self._arming.panel_drawn():
            self._arm_when_quiet()

    def act(self, action: Callable[[Approval], object]) -> None:
        """Does something to the approval and sees what comes of it."""
        approval = self.approval
        if approval is None:
            return
        before = approval.position
        action(approval)
        if approval.done:
            self._finish(approval)
        elif approval.position != before:
            self._await_drawing(answering=True)
        else:
            self._changed()

    def _finish(self, approval: Approval) -> None:
        self.approval = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(approval.decisions)

    def _await_drawing(self, *, answering: bool) -> None:
        self._forget_timer()
        self._arming.panel_changed(answering=answering)
        self._changed()

    def _arm_when_quiet(self) -> None:
        wait_s = self._arming.wait_s()
        if self._arming.armed:
            self.has_keys = True
            self._changed()
        else:
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._arm_when_quiet)

    def _forget_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
