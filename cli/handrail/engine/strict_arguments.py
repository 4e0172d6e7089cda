"""Arguments of a call count only if the model wrote them to their end.

The framework reads streamed arguments with a lenient parser: it closes what was cut off, so that
half a file looks like a whole one. Here the raw text is collected beside it and read strictly.
"""

import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, AIMessageChunk, InvalidToolCall, ToolCall
from langchain_core.messages.tool import ToolCallChunk
from langchain_core.outputs import ChatGenerationChunk, GenerationChunk
from typing_extensions import override


@dataclass(slots=True)
class RawCall:
    index: int | None
    id: str | None
    name: str = ""
    args: str = ""

    @property
    def is_whole(self) -> bool:
        if not self.args.strip():
            return True
        try:
            return isinstance(json.loads(self.args, strict=False), dict)
        except (ValueError, RecursionError):
            return False


class StrictArguments(AgentMiddleware[Any, Any, Any]):
    """The innermost, as it looks at the pieces of one request."""

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        pieces = _Pieces()
        known = request.model.callbacks
        callbacks = [*(known if isinstance(known, list) else ()), pieces]
        model = request.model.model_copy(update={"callbacks": callbacks})
        response = await handler(request.override(model=model))
        for place, message in enumerate(response.result):
            if isinstance(message, AIMessage):
                response.result[place] = strictly(message, pieces.calls)
        return response


def strictly(message: AIMessage, raw: Iterable[RawCall]) -> AIMessage:
    """The message with the calls whose raw arguments are no whole object among the invalid ones."""
    left = list(raw)
    whole: list[ToolCall] = []
    broken: list[InvalidToolCall] = []
    for call in message.tool_calls:
        found = next((it for it in left if (it.id, it.name) == (call["id"], call["name"])), None)
        if found is not None:
            left.remove(found)
        if found is None or found.is_whole:
            whole.append(call)
        else:
            broken.append(_broken(found))
    if not broken:
        return message
    invalid = [*message.invalid_tool_calls, *broken]
    return message.model_copy(update={"tool_calls": whole, "invalid_tool_calls": invalid})


def _broken(call: RawCall) -> InvalidToolCall:
    return InvalidToolCall(
        type="invalid_tool_call", name=call.name, args=call.args, id=call.id, error=None
    )


class _Pieces(AsyncCallbackHandler):
    """Joins the pieces of calls as they stream."""

    def __init__(self) -> None:
        self.calls: list[RawCall] = []

    @override
    async def on_llm_new_token(
        self,
        token: str | list[str | dict[str, Any]],
        *,
        chunk: GenerationChunk | ChatGenerationChunk | None = None,
        **kwargs: Any,
    ) -> None:
        if isinstance(chunk, ChatGenerationChunk) and isinstance(chunk.message, AIMessageChunk):
            for piece in chunk.message.tool_call_chunks:
                self._add(piece)

    def _add(self, piece: ToolCallChunk) -> None:
        call = next((it for it in reversed(self.calls) if _continues(it, piece)), None)
        if call is None:
            call = RawCall(piece["index"], piece["id"])
            self.calls.append(call)
        call.id = call.id or piece["id"]
        call.name += piece["name"] or ""
        call.args += piece["args"] or ""


def _continues(call: RawCall, piece: ToolCallChunk) -> bool:
    same_id = not piece["id"] or not call.id or piece["id"] == call.id
    return piece["index"] is not None and piece["index"] == call.index and same_id
