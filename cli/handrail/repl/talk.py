"""Opens sessions one after another and runs their turns, showing everything on the stage."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from handrail.errors import HandrailError
from handrail.events import Event, TurnFailed, TurnStopped, Usage
from handrail.repl.stage import Stage
from handrail.sessions.conversation import Conversation, OpenSession, SessionChoice

_TICK_S = 1.0
_STOP_S = 5.0
"""How long a turn may take to end when the person leaves."""


class Talk:
    """`changed` is called when something on the stage changed."""

    def __init__(
        self,
        stage: Stage,
        open_session: OpenSession,
        choice: SessionChoice,
        changed: Callable[[], None],
    ) -> None:
        self._stage = stage
        self._open_session = open_session
        self._last_choice = choice
        self._changed = changed
        self._idle = asyncio.Event()
        self._idle.set()
        self.conversation: Conversation | None = None
        self.stopping = False
        self.used = False
        """Whether the session holds anything to come back to."""

    @property
    def working(self) -> bool:
        return not self._idle.is_set()

    @property
    def choice(self) -> SessionChoice:
        """What opens this session again, or again tries to open the one that failed."""
        current = self.conversation
        if current is None:
            return self._last_choice
        return SessionChoice(resume=True, id=current.id, model=current.model)

    async def open(self, choice: SessionChoice) -> None:
        """A failure is shown; the session that was open before is open again then."""
        before, again = self.conversation, self.choice
        if before is not None and choice.id == before.id:
            await self._close()
        opened = await self._try(choice)
        if opened is None and before is not None and self.conversation is None:
            opened = await self._try(again)
        if opened is not None:
            await self._close()
            self.conversation = opened
            await self._begin(opened, before)

    async def send(self, text: str) -> Event | None:
        """One turn; its last event, None when there was no turn."""
        if self.conversation is None:
            self._give_back(text)
            self._say("No session is open, so nothing was sent. /model opens one with a model.")
            return None
        self.used = True
        return await self._show_all(self.conversation.run(text, self._stage.desk.decide))

    def stop(self) -> None:
        """End the turn that runs; once is enough."""
        if self.conversation is not None and self.working and not self.stopping:
            self.stopping = True
            self._stage.note = "stopping …"
            self.conversation.stop()
            self._changed()

    async def end(self) -> None:
        """Stop the turn, if one runs, and close the session."""
        self.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_STOP_S):
                await self._idle.wait()
        await self._close()

    async def _close(self) -> None:
        closing, self.conversation = self.conversation, None
        if closing is not None:
            await closing.close()

    async def _try(self, choice: SessionChoice) -> Conversation | None:
        if self.conversation is None:
            self._last_choice = choice
        try:
            return await self._open_session(choice)
        except HandrailError as error:
            self._stage.printer.say(error.paragraph, "failure")
            self._give_back()
            return None

    async def _begin(self, opened: Conversation, before: Conversation | None) -> None:
        stage = self._stage
        stage.status.model, stage.status.window = opened.model, opened.window
        stage.printer.start_session(opened.read)
        self._changed()
        if before is not None and before.id == opened.id:
            if before.model != opened.model:
                self._say(f"This session goes on with {opened.model}.")
            return
        stage.status.used, stage.status.usage, stage.status.event = None, Usage(), None
        self.used = bool(opened.past) or opened.unfinished
        if opened.past:
            self._say(f"Session {opened.id}, as it ended:")
            stage.printer.earlier(opened.past)
            self._say(f"Session {opened.id} goes on here.")
        elif before is not None:
            self._say(
                f"New session {opened.id}. Back to the one before: agent --resume {before.id}"
            )
        if opened.unfinished:
            self._say("Its last turn was cut off. It is taken up again.")
            await self._show_all(opened.go_on(stage.desk.decide))

    async def _show_all(self, events: AsyncIterator[Event]) -> Event | None:
        self._idle.clear()
        ticking = asyncio.create_task(self._tick())
        last: Event | None = None
        try:
            async for event in events:
                self._show(event)
                last = event
        finally:
            ticking.cancel()
            self._stage.live.idle()
            self._stage.note, self.stopping = "", False
            self._idle.set()
            self._changed()
        if isinstance(last, TurnStopped | TurnFailed):
            self._give_back()
        return last

    def _show(self, event: Event) -> None:
        printable = self._stage.live.take(event)
        self._stage.status.update(event)
        if printable is not None:
            self._stage.printer.event(printable)
        self._changed()

    def _say(self, text: str) -> None:
        self._stage.printer.say(text, "quiet")

    def _give_back(self, *texts: str) -> None:
        """What waits was meant for a turn that went well: the person looks at it again."""
        self._stage.inputs.give_back([*texts, *self._stage.outbox.take_back()])

    async def _tick(self) -> None:
        """Elapsed times go on while nothing else happens."""
        while True:
            await asyncio.sleep(_TICK_S)
            self._changed()
