"""An open session: the agent's events, kept in the transcript on their way to the person."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from handrail.errors import StorageError
from handrail.events import Event, TurnFailed
from handrail.sessions.conversation import Decide
from handrail.sessions.index import SessionIndex, SessionRecord
from handrail.sessions.transcript import Transcript

if TYPE_CHECKING:
    from handrail.engine.assemble import Assembled


class Session:
    """Implements `Conversation`."""

    def __init__(
        self,
        record: SessionRecord,
        assembled: "Assembled",
        index: SessionIndex,
        transcript: Transcript,
        *,
        unfinished: bool,
        close: Callable[[], Awaitable[None]],
    ) -> None:
        self.id = record.id
        self.model = record.model
        self.window = assembled.window
        self.unfinished = unfinished
        self._agent = assembled.agent
        self._read = assembled.read
        self._index = index
        self._transcript = transcript
        self._past = tuple(transcript.tail())
        self._close = close

    @property
    def past(self) -> Sequence[Event]:
        return self._past

    async def run(self, text: str, decide: Decide) -> AsyncIterator[Event]:
        try:
            self._index.touch(self.id, message=text, model=self.model)
        except StorageError as error:
            yield TurnFailed(error.paragraph)
            return
        async for event in self._kept(self._agent.run(text, decide)):
            yield event

    async def go_on(self, decide: Decide) -> AsyncIterator[Event]:
        self.unfinished = False
        async for event in self._kept(self._agent.go_on(decide)):
            yield event

    def stop(self) -> None:
        self._agent.stop()

    def read(self, path: str) -> str | None:
        return self._read(path)

    async def close(self) -> None:
        await self._close()

    async def _kept(self, events: AsyncIterator[Event]) -> AsyncIterator[Event]:
        """Each event is in the transcript before it is shown."""
        async for event in events:
            try:
                self._transcript.append(event)
            except StorageError as error:
                self._agent.stop()
                yield TurnFailed(error.paragraph)
                return
            yield event
