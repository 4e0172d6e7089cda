"""Turns a scripted reply into the pieces a provider would stream."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.ai import InputTokenDetails, UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.outputs import ChatGenerationChunk

from handrail.engine.script_format import Reply, ScriptedCall, ScriptedUsage

_FRAGMENT = 24
"""Characters of a call's arguments in one piece."""

_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Request:
    messages: Sequence[BaseMessage]
    tools: Sequence[dict[str, Any]] = ()


def stream_reply(
    reply: Reply, request: Request, metadata: dict[str, object]
) -> Iterator[ChatGenerationChunk]:
    """Reasoning, text, calls and, unless the reply fails, a last piece with usage and metadata."""
    for piece in reply.think:
        yield _chunk(AIMessageChunk(content="", additional_kwargs={"reasoning_content": piece}))
    for piece in reply.say:
        yield _chunk(AIMessageChunk(content=piece))
    for index, call in enumerate(reply.calls):
        yield from _stream_call(index, call)
    if reply.error is None:
        reason = reply.finish or ("tool_calls" if reply.calls else "stop")
        yield _chunk(
            AIMessageChunk(
                content="",
                usage_metadata=_usage(reply, request),
                response_metadata={**metadata, "finish_reason": reason},
                chunk_position="last",
            )
        )


def _stream_call(index: int, call: ScriptedCall) -> Iterator[ChatGenerationChunk]:
    identity = call.id or f"call_{uuid4().hex[:12]}"
    args = _arguments(call)
    head = tool_call_chunk(name=call.tool, args="", id=identity, index=index)
    yield _chunk(AIMessageChunk(content="", tool_call_chunks=[head]))
    for start in range(0, len(args), _FRAGMENT):
        part = tool_call_chunk(args=args[start : start + _FRAGMENT], index=index)
        yield _chunk(AIMessageChunk(content="", tool_call_chunks=[part]))


def _usage(reply: Reply, request: Request) -> UsageMetadata:
    """What the script states, else an estimate from the characters on both sides."""
    usage = reply.usage or ScriptedUsage(
        input=count_tokens_approximately(
            request.messages, chars_per_token=_CHARS_PER_TOKEN, tools=list(request.tools)
        ),
        output=ceil(_characters(reply) / _CHARS_PER_TOKEN),
    )
    return UsageMetadata(
        input_tokens=usage.input,
        output_tokens=usage.output,
        total_tokens=usage.input + usage.output,
        input_token_details=InputTokenDetails(cache_read=usage.cached),
    )


def _arguments(call: ScriptedCall) -> str:
    return call.args if isinstance(call.args, str) else json.dumps(call.args, ensure_ascii=False)


def _characters(reply: Reply) -> int:
    calls = sum(len(call.tool) + len(_arguments(call)) for call in reply.calls)
    return calls + sum(map(len, (*reply.think, *reply.say)))


def _chunk(message: AIMessageChunk) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=message)
