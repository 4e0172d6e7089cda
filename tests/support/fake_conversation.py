"""A `Conversation` that follows a script instead of a model, and records what it was told."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from handrail.errors import HandrailError
from handrail.events import (
    MAIN,
    ApprovalAnswered,
    ApprovalRequested,
    Decision,
    Event,
    TextFinished,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    TurnStopped,
)
from handrail.sessions.conversation import Conversation, Decide, SessionChoice

T = TypeVar("T")

Then = Callable[[Sequence[Decision]], Sequence[Event]]


@dataclass(frozen=True, slots=True)
class Ask:
    """Asks for approval; `then` says what comes of the decisions."""

    request: ApprovalRequested
    then: Then = lambda decisions: ()


@dataclass(frozen=True, slots=True)
class Hold:
    """Waits until the test opens the gate, or for a time when the script is played to a person."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    seconds: float | None = None


Step = Event | Ask | Hold
Turn = Sequence[Step]


class _StoppedError(Exception):
    pass


@dataclass
class FakeConversation:
    """Plays one scripted turn for each message; after the last it repeats what it hears."""

    turns: Sequence[Turn] = ()
    id: str = "7f3a"
    model: str = "fake:model"
    window: int | None = 200_000
    past: Sequence[Event] = ()
    unfinished: bool = False
    files: Callable[[str], str | None] = lambda _: None

    heard: list[str] = field(default_factory=list[str])
    decided: list[tuple[Decision, ...]] = field(default_factory=list[tuple[Decision, ...]])
    stops: int = 0
    went_on: int = 0
    closed: bool = False
    _stop: asyncio.Event = field(default_factory=asyncio.Event)

    def run(self, text: str, decide: Decide) -> AsyncIterator[Event]:
        number = len(self.heard)
        self.heard.append(text)
        turn = self.turns[number] if number < len(self.turns) else _repeat(text)
        return self._play(text, turn, decide)

    def go_on(self, decide: Decide) -> AsyncIterator[Event]:
        self.went_on += 1
        return self._play("", self.turns[0] if self.turns else [], decide)

    def stop(self) -> None:
        self.stops += 1
        self._stop.set()

    def read(self, path: str) -> str | None:
        return self.files(path)

    async def close(self) -> None:
        self.closed = True

    async def _play(self, text: str, turn: Turn, decide: Decide) -> AsyncIterator[Event]:
        self._stop.clear()
        yield TurnStarted(text)
        try:
            for step in turn:
                async for event in self._take(step, decide):
                    yield event
                    if isinstance(event, TurnFinished | TurnFailed):
                        return
        except _StoppedError:
            yield TurnStopped()
        else:
            yield TurnFinished("")

    async def _take(self, step: Step, decide: Decide) -> AsyncIterator[Event]:
        if isinstance(step, Event):
            if self._stop.is_set():
                raise _StoppedError
            yield step
            await asyncio.sleep(0)
        elif isinstance(step, Hold):
            await self._unless_stopped(_held(step))
        else:
            yield step.request
            decisions = await self._unless_stopped(_awaited(decide(step.request)))
            self.decided.append(decisions)
            calls = tuple(pending.call for pending in step.request.calls)
            yield ApprovalAnswered(step.request.id, calls, decisions)
            for event in step.then(decisions):
                yield event

    async def _unless_stopped(self, work: Coroutine[None, None, T]) -> T:
        task = asyncio.create_task(work)
        stop = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise _StoppedError
            return task.result()
        finally:
            stop.cancel()
            task.cancel()
            await asyncio.gather(task, stop, return_exceptions=True)


def _repeat(text: str) -> Turn:
    answer = f"heard {text}"
    return [TextFinished(MAIN, "m", answer), TurnFinished(answer)]


async def _held(hold: Hold) -> None:
    if hold.seconds is not None:
        await asyncio.sleep(hold.seconds)
    else:
        await hold.gate.wait()


async def _awaited(work: Awaitable[T]) -> T:
    return await work


@dataclass
class FakeSessions:
    """An `OpenSession` that hands out what was prepared, errors included, in order."""

    prepared: list[Conversation | HandrailError]
    gate: asyncio.Event | None = None
    """When set, opening waits for it."""
    choices: list[SessionChoice] = field(default_factory=list[SessionChoice])

    async def __call__(self, choice: SessionChoice) -> Conversation:
        self.choices.append(choice)
        if self.gate:
            await self.gate.wait()
        opened = self.prepared.pop(0)
        if isinstance(opened, HandrailError):
            raise opened
        return opened
