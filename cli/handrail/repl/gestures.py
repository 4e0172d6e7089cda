"""What Enter, Esc, Ctrl-C and Ctrl-D mean in each state."""

import time
from collections.abc import Callable

from handrail.repl.approval import Approval
from handrail.repl.commands import Commands, Line, read_line
from handrail.repl.stage import Stage
from handrail.repl.talk import Talk

LEAVE_WITHIN_S = 2.0
_LEAVE_HINT = "Ctrl+C again leaves"


class Gestures:
    """`run_now` takes a command that does not wait its turn."""

    def __init__(
        self,
        stage: Stage,
        talk: Talk,
        commands: Commands,
        *,
        run_now: Callable[[Line], None],
        leave: Callable[[], None],
    ) -> None:
        self._stage = stage
        self._talk = talk
        self._commands = commands
        self._run_now = run_now
        self._leave = leave
        self._interrupted = float("-inf")

    def enter(self) -> None:
        if not self._stage.inputs.draft.text.strip():
            return
        text = self._stage.inputs.take_draft()
        line = read_line(text)
        if line.command is not None and self._commands.runs_at_once(line.command):
            self._run_now(line)
        else:
            self._stage.outbox.put(text)

    def escape(self) -> None:
        desk, draft = self._stage.desk, self._stage.inputs.draft
        if desk.typing:
            desk.act(Approval.back)
        elif desk.has_keys:
            desk.act(Approval.reject_rest)
        elif draft.complete_state is not None:
            draft.cancel_completion()
        else:
            self._talk.stop()

    def interrupt(self) -> None:
        """No to an approval, else stop the turn, else clear the input, else leave."""
        if self._stage.desk.has_keys:
            self._stage.desk.act(Approval.reject_rest)
        elif self._talk.working and not self._talk.stopping:
            self._talk.stop()
        else:
            self._interrupt_idle()

    def end_input(self) -> None:
        desk = self._stage.desk
        if desk.has_keys:
            desk.act(Approval.reject_rest)
        elif desk.approval is not None:
            self._talk.stop()
        else:
            self._leave()

    def _interrupt_idle(self) -> None:
        now = time.monotonic()
        if now - self._interrupted < LEAVE_WITHIN_S:
            self._leave()
            return
        self._interrupted = now
        self._stage.inputs.draft.reset()
        self._stage.hint = _LEAVE_HINT
