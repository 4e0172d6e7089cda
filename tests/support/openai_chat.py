"""The OpenAI chat completions format: replies as one body or as a stream of fragments."""

import json
from collections.abc import Iterator, Mapping
from itertools import count

from tests.support.fragments import arguments, counted, fragments, words
from tests.support.json_shape import Json, items, mapping, string
from tests.support.openai_refusals import first_refusal
from tests.support.replies import Gate, Reasoning, Refusal, Reply, Text, ToolCall
from tests.support.wire_format import Piece

CREATED = 1_750_000_000
FINGERPRINT = "fp_loopback"


class OpenAIChat:
    path = "/v1/chat/completions"

    def __init__(self, *models: str) -> None:
        """Serves `models`, or any model when none is named."""
        self._models = models
        self._numbers = count(1)
        entries = [
            {"id": name, "object": "model", "created": CREATED, "owned_by": "loopback"}
            for name in models
        ]
        self.pages: Mapping[str, Json] = {"/v1/models": {"object": "list", "data": entries}}

    def unauthorised(self, headers: Mapping[str, str], key: str) -> Refusal | None:
        scheme, _, given = headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not given:
            return Refusal(401, "You didn't provide an API key.")
        if given != key:
            message = f"Incorrect API key provided: {given[:4]}****."
            return Refusal(401, message, code="invalid_api_key")
        return None

    def invalid(self, body: Json) -> Refusal | None:
        return first_refusal(body, self._models)

    def system(self, body: Json) -> str:
        return "\n".join(
            content_text(message.get("content"))
            for message in map(mapping, items(body.get("messages")))
            if message.get("role") in {"system", "developer"}
        )

    def is_streamed(self, body: Json) -> bool:
        return body.get("stream") is True

    def error(self, refusal: Refusal) -> Json:
        return {
            "error": {
                "message": refusal.message,
                "type": refusal.kind,
                "param": refusal.param,
                "code": refusal.code,
            }
        }

    def whole(self, body: Json, reply: Reply) -> Json:
        message: dict[str, object] = {
            "role": "assistant",
            "content": reply.text or None,
            "refusal": None,
        }
        if reply.calls:
            message["tool_calls"] = [_call(each, arguments(each)) for each in reply.calls]
        if reasoning := "".join(p.text for p in reply.parts if isinstance(p, Reasoning)):
            message["reasoning_content"] = reasoning
        choice = {
            "index": 0,
            "message": message,
            "logprobs": None,
            "finish_reason": reply.ending,
        }
        head = self._head(body, "chat.completion")
        return head | {"choices": [choice], "usage": usage(body, reply)}

    def pieces(self, body: Json, reply: Reply) -> Iterator[Piece]:
        head = self._head(body, "chat.completion.chunk")
        with_usage = mapping(body.get("stream_options")).get("include_usage") is True
        tail: Json = {"usage": None} if with_usage else {}

        def chunk(delta: Json, finish_reason: str | None = None) -> bytes:
            choice = {
                "index": 0,
                "delta": delta,
                "logprobs": None,
                "finish_reason": finish_reason,
            }
            return _event(head | {"choices": [choice]} | tail)

        yield chunk({"role": "assistant", "content": "", "refusal": None})
        for delta in _deltas(reply):
            yield delta if isinstance(delta, Gate) else chunk(delta)
        yield chunk({}, reply.ending)
        if with_usage:
            no_choices: Json = {"choices": (), "usage": usage(body, reply)}
            yield _event(head | no_choices)
        yield b"data: [DONE]\n\n"

    def _head(self, body: Json, kind: str) -> dict[str, object]:
        return {
            "id": f"chatcmpl-{next(self._numbers)}",
            "object": kind,
            "created": CREATED,
            "model": body["model"],
            "system_fingerprint": FINGERPRINT,
        }


def content_text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "".join(string(mapping(block).get("text")) for block in items(content))


def usage(body: Json, reply: Reply) -> Json:
    used = counted(body, reply)
    return {
        "prompt_tokens": used.prompt,
        "completion_tokens": used.completion,
        "total_tokens": used.prompt + used.completion,
        "prompt_tokens_details": {"cached_tokens": used.cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


def _deltas(reply: Reply) -> Iterator[Json | Gate]:
    numbers = count()
    for part in reply.parts:
        match part:
            case Gate():
                yield part
            case Text():
                yield from ({"content": word} for word in words(part.text))
            case Reasoning():
                yield from ({"reasoning_content": word} for word in words(part.text))
            case ToolCall():
                yield from _call_deltas(next(numbers), part)


def _call_deltas(index: int, call: ToolCall) -> Iterator[Json]:
    yield {"tool_calls": [{"index": index} | _call(call, "")]}
    for text in fragments(call):
        yield {"tool_calls": [{"index": index, "function": {"arguments": text}}]}


def _call(call: ToolCall, arguments: str) -> dict[str, object]:
    function = {"name": call.name, "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function}


def _event(body: Json) -> bytes:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n".encode()
