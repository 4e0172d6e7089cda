"""Makes the history of every request valid for the model it goes to; what is stored stays as it is.

Afterwards every call has exactly one answer, directly behind its message and in order; nothing is
blank; ids are unique and well formed; reasoning is its own model's and unaltered, or left out.
"""

import re
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    InvalidToolCall,
    SystemMessage,
    ToolCall,
    ToolMessage,
)

from handrail.engine.origin import Target, is_own, stamp, target_of
from handrail.engine.sendable import UNREADABLE, answer_for, as_call, sendable, sendable_answer

LOST = "No result of this call was recorded. It may have been interrupted; look at what is there."
WENT_BEFORE = "(The beginning of this conversation is not shown.)"
GO_ON = "(Go on.)"

_VALID_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
"""What the strictest of the formats takes."""
_ID_LENGTH = 32
"""Leaves room for a number behind it."""


class History(AgentMiddleware[Any, Any, Any]):
    """Stands close to the model: what others changed is mended, what came is stamped first."""

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        target = target_of(request.model)
        messages = mended(request.messages, target)
        if messages is not request.messages:
            request = request.override(messages=messages)
        if request.system_message is not None:
            system = sendable(request.system_message, target)
            if system is not request.system_message:
                request = request.override(system_message=system)
        response = await handler(request)
        for message in response.result:
            if isinstance(message, AIMessage):
                stamp(message, target)
        return response


def mended(messages: list[AnyMessage], target: Target) -> list[AnyMessage]:
    """A valid history; the very same list when nothing is wrong with it."""
    answers = _match(messages)
    taken: set[str] = set()
    sent: list[AnyMessage] = []
    for place, message in enumerate(messages):
        if isinstance(message, AIMessage):
            sent += _answered(message, answers.get(place, {}), taken, target)
        elif isinstance(message, SystemMessage):
            sent += [sendable(message, target)] if message.text.strip() else []
        elif not isinstance(message, ToolMessage):
            sent.append(sendable(message, target))
    sent = _in_turns(sent, target)
    same = len(sent) == len(messages) and all(a is b for a, b in zip(sent, messages, strict=True))
    return messages if same else sent


def all_calls(message: AIMessage) -> list[ToolCall | InvalidToolCall]:
    return [*message.tool_calls, *message.invalid_tool_calls]


def _match(messages: Sequence[AnyMessage]) -> dict[int, dict[int, ToolMessage]]:
    """The answer of each call, by the places of message and call. An id may come again later."""
    open_calls: dict[str | None, deque[tuple[int, int]]] = {}
    answers: dict[int, dict[int, ToolMessage]] = {}
    for place, message in enumerate(messages):
        if isinstance(message, AIMessage):
            calls = all_calls(message)
            for call in calls:
                open_calls[call["id"]] = deque()
            for number, call in enumerate(calls):
                open_calls[call["id"]].append((place, number))
        elif isinstance(message, ToolMessage) and (waiting := open_calls.get(message.tool_call_id)):
            of, number = waiting.popleft()
            answers.setdefault(of, {})[number] = message
    return answers


def _answered(
    message: AIMessage, answers: dict[int, ToolMessage], taken: set[str], target: Target
) -> list[AnyMessage]:
    """A model's message and the answers to its calls, one for each."""
    before = all_calls(message)
    own = is_own(message, target)
    calls = [as_call(call, _new_id(call["id"], taken, own=own)) for call in before]
    sent: list[AnyMessage] = [
        sendable_answer(message, calls, [call["id"] for call in before], target)
    ]
    for number, (old, call) in enumerate(zip(before, calls, strict=True)):
        answer = answers.get(number)
        if answer is None:
            lost = LOST if old.get("type") == "tool_call" else UNREADABLE
            sent.append(answer_for(call, lost, call["id"] or ""))
            continue
        if answer.tool_call_id != call["id"]:
            answer = answer.model_copy(update={"tool_call_id": call["id"]})
        sent.append(sendable(answer, target))
    return sent


def _new_id(id_: str | None, taken: set[str], *, own: bool) -> str:
    """The id itself where it can stay; otherwise the same new one in every request."""
    known = id_ or ""
    if not (_VALID_ID.fullmatch(known) or (own and known.isascii() and known.strip())):
        known = re.sub(r"[^a-zA-Z0-9_-]", "_", known)[:_ID_LENGTH] or "call"
    new, number = known, 1
    while new in taken:
        number += 1
        new = f"{known[:_ID_LENGTH]}_{number}"
    taken.add(new)
    return new


def _in_turns(messages: list[AnyMessage], target: Target) -> list[AnyMessage]:
    """A person speaks first and nobody's last word is the model's; one at a time if it must be."""
    spoken = [message for message in messages if not isinstance(message, SystemMessage)]
    if not spoken:
        return messages
    if isinstance(spoken[0], AIMessage):
        place = messages.index(spoken[0])
        messages = [*messages[:place], HumanMessage(WENT_BEFORE), *messages[place:]]
    if isinstance(spoken[-1], AIMessage):
        messages = [*messages, HumanMessage(GO_ON)]
    return _joined(messages) if target.alternating else messages


def _joined(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    joined: list[AnyMessage] = []
    for message in messages:
        last = joined[-1] if joined else None
        both_human = isinstance(message, HumanMessage) and isinstance(last, HumanMessage)
        both_model = isinstance(message, AIMessage) and isinstance(last, AIMessage)
        if last is not None and (both_human or both_model):
            joined[-1] = _join(last, message)
        else:
            joined.append(message)
    return joined


def _join(first: AnyMessage, second: AnyMessage) -> AnyMessage:
    if isinstance(first.content, str) and isinstance(second.content, str):
        texts = [text for text in (first.content, second.content) if text]
        return second.model_copy(update={"content": "\n\n".join(texts)})
    return second.model_copy(update={"content": [*_blocks(first), *_blocks(second)]})


def _blocks(message: AnyMessage) -> list[Any]:
    if isinstance(message.content, str):
        return [{"type": "text", "text": message.content}] if message.content else []
    return list(message.content)
