"""What every history that is sent must be like: the rules that `engine.history` promises."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from handrail.engine.origin import Target, blocks_of, is_own, is_reasoning, is_unaltered


def faults(messages: Sequence[AnyMessage], target: Target) -> list[str]:
    return [
        *_order_faults(messages, target),
        *_pairing_faults(messages),
        *_id_faults(messages, target),
        *(fault for message in messages for fault in _content_faults(message, target)),
    ]


def _order_faults(messages: Sequence[AnyMessage], target: Target) -> Iterator[str]:
    spoken = [message for message in messages if not isinstance(message, SystemMessage)]
    if spoken and not isinstance(spoken[0], HumanMessage):
        yield "nobody speaks first"
    if spoken and isinstance(spoken[-1], AIMessage):
        yield "the model spoke last"
    if target.alternating:
        for first, second in pairwise(messages):
            if first.type == second.type and first.type in ("human", "ai"):
                yield f"two messages of {first.type}"


def _pairing_faults(messages: Sequence[AnyMessage]) -> Iterator[str]:
    waiting: list[str | None] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            if not waiting or waiting.pop(0) != message.tool_call_id:
                yield f"the answer {message.tool_call_id} out of place"
            continue
        if waiting:
            yield f"no answer to {waiting}"
        waiting = []
        if isinstance(message, AIMessage):
            waiting = [call["id"] for call in message.tool_calls]
            if message.invalid_tool_calls:
                yield "an invalid call"
    if waiting:
        yield f"no answer to {waiting}"


def _id_faults(messages: Sequence[AnyMessage], target: Target) -> Iterator[str]:
    seen: set[str] = set()
    for message in messages:
        if not isinstance(message, AIMessage):
            continue
        for call in message.tool_calls:
            id_ = call["id"] or ""
            if not id_.strip() or id_ in seen:
                yield f"the id {id_!r} again"
            if not is_own(message, target) and not re.fullmatch("[a-zA-Z0-9_-]{1,40}", id_):
                yield f"the id {id_!r}"
            if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", call["name"]):
                yield f"the name {call['name']!r}"
            seen.add(id_)


def _content_faults(message: BaseMessage, target: Target) -> Iterator[str]:
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    content = cast("str | list[Any]", message.content)
    try:
        json.dumps([content, calls], ensure_ascii=False).encode()
    except UnicodeEncodeError:
        yield "half of a surrogate pair"
    if not content and not calls:
        yield f"an empty message of {message.type}"
    if isinstance(content, str):
        if content and not content.strip():
            yield f"a blank message of {message.type}"
        return
    for block in content:
        yield from _block_faults(block, target)
    if isinstance(message, AIMessage) and any(is_reasoning(it) for it in blocks_of(message)):
        yield from _reasoning_faults(message, target)


def _block_faults(block: str | dict[str, Any], target: Target) -> Iterator[str]:
    if isinstance(block, str) or block.get("type") == "text":
        text = block if isinstance(block, str) else str(block.get("text", ""))
        if not text.strip():
            yield "a blank block"
    if "cache_control" in block and target.format != "anthropic":
        yield "a mark of another provider"


def _reasoning_faults(message: AIMessage, target: Target) -> Iterator[str]:
    if not (is_own(message, target) and is_unaltered(message)):
        yield "reasoning that is not the model's own"
