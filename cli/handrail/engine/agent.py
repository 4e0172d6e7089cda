"""Drives the built graph: one turn at a time, to an end that leaves the thread whole."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol, cast

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Interrupt, StateSnapshot

from handrail.engine import approvals
from handrail.engine.failures import explain
from handrail.engine.gate import Gate
from handrail.engine.journal import Journal
from handrail.engine.settling import is_waiting, settlement
from handrail.engine.stream import MODES, Adapter
from handrail.events import (
    ApprovalAnswered,
    ApprovalRequested,
    Decision,
    Event,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    TurnStopped,
)
from handrail.policy import Policy
from handrail.whole_text import without_surrogates

Decide = Callable[[ApprovalRequested], Awaitable[tuple[Decision, ...]]]

STOPPED = "[The developer stopped this message here.]"

Start = dict[str, Any] | Command[Any] | None
"""A new message, the answers to what waited, or nothing to go on."""


class Graph(Protocol):
    """What is used of the framework's compiled graph."""

    def astream(
        self, value: Start, config: RunnableConfig, /, **options: object
    ) -> AsyncIterator[Mapping[str, Any]]: ...

    async def aget_state(self, config: RunnableConfig) -> StateSnapshot: ...

    async def aupdate_state(
        self, config: RunnableConfig, values: dict[str, Any] | None, as_node: str | None = None
    ) -> RunnableConfig: ...


class Agent:
    """A built agent on one thread."""

    def __init__(self, graph: Graph, *, thread: str, journal: Journal, gate: Gate) -> None:
        self._graph = graph
        self.thread = thread
        self._config: RunnableConfig = {
            "configurable": {"thread_id": thread},
            "recursion_limit": 9_999,
        }
        self._journal = journal
        self._gate = gate
        self._running: asyncio.Task[None] | None = None
        self._stopping = False

    async def pending(self) -> bool:
        """Whether calls of a cut-off turn wait for the person, or were decided and not run."""
        return is_waiting(await self._state(), self.thread, self._journal)

    async def run(self, text: str, decide: Decide) -> AsyncIterator[Event]:
        self._stopping = False
        text = without_surrogates(text)
        yield TurnStarted(text)
        message = HumanMessage(text, id=f"person-{uuid.uuid4()}")
        async for event in self._turn({"messages": [message]}, decide, settle_first=True):
            yield event

    async def go_on(self, decide: Decide) -> AsyncIterator[Event]:
        self._stopping = False
        yield TurnStarted("")
        async for event in self._turn(None, decide, settle_first=False):
            yield event

    def stop(self) -> None:
        self._stopping = True
        if self._running is not None:
            self._running.cancel()

    async def settle(self, *, drop_pending: bool = False) -> tuple[str, ...]:
        """Answer what a killed or stopped turn left open; tells the calls that were interrupted.

        Calls that wait for the person stay so unless `drop_pending`: an update would lose them.
        """
        state = await self._state()
        if not drop_pending and is_waiting(state, self.thread, self._journal):
            return ()
        settled = settlement(state, self.thread, self._journal)
        if settled is None:
            return ()
        await self._graph.aupdate_state(self._config, settled.values, settled.as_node)
        return settled.interrupted

    async def _turn(
        self, start: Start, decide: Decide, *, settle_first: bool
    ) -> AsyncIterator[Event]:
        adapter = Adapter()
        try:
            if settle_first:
                await self.settle(drop_pending=True)
            async for event in self._rounds(start, decide, adapter):
                yield event
            if self._stopping:
                async for event in self._stopped(adapter):
                    yield event
            else:
                self._journal.forget(self.thread)
        except Exception as error:  # noqa: BLE001  # the boundary of the engine: every failure becomes an event
            for cut in adapter.cut_texts():
                yield cut
            yield TurnFailed(explain(error))
            return
        if self._stopping:
            yield TurnStopped()
        else:
            yield adapter.failure or TurnFinished(adapter.last_text)

    async def _stopped(self, adapter: Adapter) -> AsyncIterator[Event]:
        for cut in adapter.cut_texts():
            await self._keep_cut(cut.text)
            yield cut
        await self.settle(drop_pending=True)

    async def _rounds(self, start: Start, decide: Decide, adapter: Adapter) -> AsyncIterator[Event]:
        """Stream, ask what waits, resume, until nothing waits or the person stops."""
        waiting = [] if start is not None else await self._waiting(adapter)
        value = start
        while True:
            if waiting:
                answers: dict[str, Any] = {}
                async for event in self._approve(waiting, decide, answers):
                    yield event
                value = Command(resume=answers)
            if self._stopping:
                return
            async for event in self._stream(value, adapter):
                yield event
            waiting = [] if self._stopping else await self._waiting(adapter)
            if not waiting:
                return

    async def _approve(
        self, waiting: list[approvals.Waiting], decide: Decide, answers: dict[str, Any]
    ) -> AsyncIterator[Event]:
        """Ask one after the other; what is allowed for the session counts from the next call on."""
        granted: set[tuple[str, str]] = set()
        for one in waiting:
            yield one.request
            decisions = approvals.recorded(self._journal, one)
            if decisions is None:
                decisions = approvals.checked(one, await self._ask(decide, one.request))
                if self._stopping:
                    return
                approvals.record(self._journal, one, decisions)
            granted |= approvals.grants(one, decisions)
            answers[one.request.id] = approvals.to_resume(one, decisions)
            calls = tuple(pending.call for pending in one.request.calls)
            yield ApprovalAnswered(one.request.id, calls, decisions)
        if granted:
            self._gate.policy = Policy(self._gate.policy.allowed | granted)

    async def _ask(self, decide: Decide, request: ApprovalRequested) -> tuple[Decision, ...]:
        """A stop while the person is asked ends the question."""
        asking = asyncio.ensure_future(decide(request))
        self._running = cast("asyncio.Task[None]", asking)
        try:
            return await asking
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            return ()
        finally:
            self._running = None

    async def _stream(self, value: Start, adapter: Adapter) -> AsyncIterator[Event]:
        """One run of the graph, in a task of its own: a stop cancels it and nothing else."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._running = asyncio.create_task(self._pump(value, adapter, queue))
        try:
            while (event := await queue.get()) is not None:
                yield event
            with suppress(asyncio.CancelledError):
                await self._running
        finally:
            if not self._running.done():
                self._running.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await self._running
            self._running = None

    async def _pump(
        self, value: Start, adapter: Adapter, queue: asyncio.Queue[Event | None]
    ) -> None:
        try:
            # A step is stored before the next one starts: a kill finds each call's message there.
            parts = self._graph.astream(
                value,
                self._config,
                stream_mode=list(MODES),
                subgraphs=True,
                version="v2",
                durability="sync",
            )
            async for part in parts:
                for event in adapter.events(part):
                    queue.put_nowait(event)
        finally:
            queue.put_nowait(None)

    async def _waiting(self, adapter: Adapter) -> list[approvals.Waiting]:
        interrupts: tuple[Interrupt, ...] = (await self._state()).interrupts
        unique = {interrupt.id: interrupt for interrupt in interrupts}
        task_calls = {**self._journal.places(self.thread), **adapter.task_calls}
        return [approvals.read_interrupt(one, task_calls) for one in unique.values()]

    async def _state(self) -> StateSnapshot:
        return await self._graph.aget_state(self._config)

    async def _keep_cut(self, text: str) -> None:
        """The model shall know what the person saw of its unfinished message."""
        state = await self._state()
        if "model" in state.next:
            message = AIMessage(f"{text}\n\n{STOPPED}", id=f"stopped-{uuid.uuid4()}")
            await self._graph.aupdate_state(self._config, {"messages": [message]}, as_node="model")
