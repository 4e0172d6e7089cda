"""The demo at a terminal: the person decides, and the recorded messages send themselves."""

from collections.abc import Sequence
from dataclasses import replace

from handrail.demo.person import Message
from handrail.events import Event, TurnFinished
from handrail.exit_codes import ExitCode
from handrail.repl.loop import Repl
from handrail.repl.surroundings import Surroundings
from handrail.sessions.conversation import OpenSession

CUT_SHORT = "The story stops here. Look around as long as you like; /exit ends the demo."


class Story:
    """Sends each message when the turn of the one before is over, and leaves after the last."""

    def __init__(
        self, messages: Sequence[Message], open_session: OpenSession, around: Surroundings
    ) -> None:
        self._waiting = [message.says for message in messages]
        self._sent = ""
        self._repl = Repl(open_session, replace(around, turn_over=self._turn_over))
        self.finished = False

    async def tell(self) -> ExitCode:
        self._send_next()
        return await self._repl.run()

    def _turn_over(self, text: str, last: Event | None) -> None:
        if text != self._sent:
            return
        if not isinstance(last, TurnFinished):
            self._repl.say(CUT_SHORT)
        elif self._waiting:
            self._send_next()
        else:
            self.finished = True
            self._repl.leave()

    def _send_next(self) -> None:
        self._sent = self._waiting.pop(0)
        self._repl.send(self._sent)
