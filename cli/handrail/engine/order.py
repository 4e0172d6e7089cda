"""Calls of one message take effect in the order shown.

Whatever may change something waits for all calls before it, and everything after it waits for it;
reads and sub-agents run at the same time. The library alone starts all of them at once.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AnyMessage, ToolCall, ToolMessage
from langgraph.errors import GraphBubbleUp, GraphInterrupt

from handrail.engine.calls import CallKey, hash_of, key_of, message_of
from handrail.engine.records import Answer
from handrail.policy.table import may_change

Handler = Callable[[ToolCallRequest], Awaitable[Answer]]


@dataclass(slots=True)
class _Place:
    """One call's place in its message."""

    exclusive: bool
    done: asyncio.Event = field(default_factory=asyncio.Event)
    suspended: bool = False
    """It waits for the person, so what comes after it has to wait as well."""


class CallOrder(AgentMiddleware[Any, Any, Any]):
    """`finished` tells of calls that were answered by an earlier run of the same step."""

    def __init__(self, finished: Callable[[CallKey, str], bool]) -> None:
        super().__init__()
        self._finished = finished
        self._messages: dict[CallKey, list[_Place]] = {}

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Answer:
        key = key_of(request)
        calls = message_of(request.state).tool_calls
        places = self._places(key, request)
        index = next(i for i, call in enumerate(calls) if call["id"] == request.tool_call["id"])
        place = places[index]
        place.done.clear()
        place.suspended = False
        try:
            await self._wait_for_earlier(places, index)
            return await handler(request)
        except GraphBubbleUp:
            place.suspended = True
            raise
        finally:
            place.done.set()
            self._forget_if_over(key)

    async def _wait_for_earlier(self, places: list[_Place], index: int) -> None:
        """Suspend with an earlier call by an empty interrupt: the step comes back to this one."""
        mine = places[index]
        for earlier in places[:index]:
            if mine.exclusive or earlier.exclusive:
                await earlier.done.wait()
                if earlier.suspended:
                    raise GraphInterrupt(())

    def _forget_if_over(self, key: CallKey) -> None:
        group = CallKey(key.thread, key.namespace, key.message, "")
        if all(
            place.done.is_set() and not place.suspended for place in self._messages.get(group, ())
        ):
            self._messages.pop(group, None)

    def _places(self, key: CallKey, request: ToolCallRequest) -> list[_Place]:
        group = CallKey(key.thread, key.namespace, key.message, "")
        places = self._messages.get(group)
        if places is None:
            places = [
                _Place(may_change(call["name"])) for call in message_of(request.state).tool_calls
            ]
            for place, call in zip(places, message_of(request.state).tool_calls, strict=True):
                if self._answered(group, call, request):
                    place.done.set()
            self._messages[group] = places
        return places

    def _answered(self, group: CallKey, call: ToolCall, request: ToolCallRequest) -> bool:
        messages: list[AnyMessage] = request.state["messages"]
        after = messages[messages.index(message_of(request.state)) + 1 :]
        if any(isinstance(m, ToolMessage) and m.tool_call_id == call["id"] for m in after):
            return True
        key = CallKey(group.thread, group.namespace, group.message, call["id"] or "")
        return self._finished(key, hash_of(call["name"], call["args"]))
