"""Every call of a conversation gets an id of its own, because servers repeat them.

Edits, results and files are kept under the id alone in many places of the framework.
"""

import secrets
from collections.abc import Awaitable, Callable, Iterable
from itertools import count
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, AnyMessage


class UniqueIds(AgentMiddleware[Any, Any, Any]):
    """Rewrites the model's message as it comes in; an id that is new stays as it is."""

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        response = await handler(request)
        before: list[AnyMessage] = request.state["messages"]
        make_unique((m for m in response.result if isinstance(m, AIMessage)), before)
        return response


def make_unique(answers: Iterable[AIMessage], before: Iterable[AnyMessage]) -> None:
    """Messages too: one with the id of an earlier message would take that one's place."""
    earlier = list(before)
    messages = {message.id for message in earlier}
    calls = {call["id"] for m in earlier if isinstance(m, AIMessage) for call in m.tool_calls}
    for answer in answers:
        if not answer.id or answer.id in messages:
            answer.id = f"answer-{secrets.token_hex(8)}"
        messages.add(answer.id)
        for call in answer.tool_calls:
            call["id"] = _new(call["id"], calls)
            calls.add(call["id"])


def _new(wanted: str | None, taken: set[str | None]) -> str:
    name = wanted or f"call_{secrets.token_hex(6)}"
    if name not in taken:
        return name
    return next(new for number in count(2) if (new := f"{name}_{number}") not in taken)
