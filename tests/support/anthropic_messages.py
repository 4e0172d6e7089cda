"""The Anthropic Messages format: replies as one message or as a stream of content blocks."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count

from tests.support.anthropic_refusals import first_refusal
from tests.support.anthropic_thinking import Signed
from tests.support.fragments import arguments, counted, fragments, named_event, words
from tests.support.json_shape import Json
from tests.support.openai_chat import content_text
from tests.support.replies import Gate, Reasoning, Refusal, Reply, Text, ToolCall
from tests.support.wire_format import Piece

Block = dict[str, object]

VERSIONS = ("2023-06-01", "2026-10-21")
KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
ENDINGS = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}


class AnthropicMessages:
    path = "/v1/messages"

    def __init__(self, *models: str) -> None:
        """Serves `models`, or any model when none is named."""
        self._models = models
        self._numbers = count(1)
        self._signed: dict[object, Signed] = defaultdict(Signed)
        """By model: none takes what another signed."""
        self.pages: Mapping[str, Json] = {}

    def unauthorised(self, headers: Mapping[str, str], key: str) -> Refusal | None:
        sent = {name.lower(): value for name, value in headers.items()}
        given = sent.get("x-api-key") or sent.get("authorization", "").removeprefix("Bearer ")
        if not given:
            return Refusal(401, "x-api-key header is required")
        if given != key:
            return Refusal(401, "invalid x-api-key")
        version = sent.get("anthropic-version")
        if version is None:
            return Refusal(400, "anthropic-version: header is required")
        if version not in VERSIONS:
            return Refusal(400, f'anthropic-version: "{version}" is not a valid version')
        return None

    def invalid(self, body: Json) -> Refusal | None:
        return first_refusal(body, self._models, self._signed[body.get("model")])

    def system(self, body: Json) -> str:
        return content_text(body.get("system"))

    def is_streamed(self, body: Json) -> bool:
        return body.get("stream") is True

    def error(self, refusal: Refusal) -> Json:
        kind = KINDS.get(refusal.status, "api_error")
        return {
            "type": "error",
            "error": {"type": kind, "message": refusal.message},
            "request_id": f"req_{next(self._numbers):024}",
        }

    def whole(self, body: Json, reply: Reply) -> Json:
        content = self._content(body, reply)
        ending = {"stop_reason": ENDINGS[reply.ending], "stop_sequence": None}
        return (
            self._head(body, reply) | {"content": content} | ending | {"usage": usage(body, reply)}
        )

    def pieces(self, body: Json, reply: Reply) -> Iterator[Piece]:
        content = self._content(body, reply)
        head = self._head(body, reply)
        yield _event("message_start", message=head)
        yield _event("ping")
        numbered = enumerate(content)
        for part in reply.parts:
            if isinstance(part, Gate):
                yield part
            else:
                yield from _block_events(part, *next(numbered))
        ending = {"stop_reason": ENDINGS[reply.ending], "stop_sequence": None}
        yield _event("message_delta", delta=ending, usage=usage(body, reply))
        yield _event("message_stop")

    def _content(self, body: Json, reply: Reply) -> list[Block]:
        content = [self._block(part) for part in reply.parts if not isinstance(part, Gate)]
        self._signed[body.get("model")].remember(content)
        return content

    def _block(self, part: Text | Reasoning | ToolCall) -> Block:
        match part:
            case Text():
                return {"type": "text", "text": part.text}
            case Reasoning():
                signature = f"EqoBCkgI{next(self._numbers):032}=="
                return {"type": "thinking", "thinking": part.text, "signature": signature}
            case ToolCall():
                given = part.args if isinstance(part.args, Mapping) else dict[str, object]()
                return {"type": "tool_use", "id": part.id, "name": part.name, "input": given}

    def _head(self, body: Json, reply: Reply) -> dict[str, object]:
        return {
            "id": f"msg_{next(self._numbers):024}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": (),
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {**usage(body, reply), "output_tokens": 1},
        }


def usage(body: Json, reply: Reply) -> Json:
    """As this service counts: what came from the cache is not among the input tokens."""
    used = counted(body, reply)
    return {
        "input_tokens": used.prompt - used.cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": used.cached,
        "output_tokens": used.completion,
    }


def _block_events(part: Text | Reasoning | ToolCall, index: int, block: Block) -> Iterator[bytes]:
    empty: Block = {"text": "", "thinking": "", "signature": "", "input": dict[str, object]()}
    begun = {name: empty.get(name, value) for name, value in block.items()}
    yield _event("content_block_start", index=index, content_block=begun)
    for delta in _deltas(part, block):
        yield _event("content_block_delta", index=index, delta=delta)
    yield _event("content_block_stop", index=index)


def _deltas(part: Text | Reasoning | ToolCall, block: Block) -> Iterator[Json]:
    match part:
        case Text():
            yield from ({"type": "text_delta", "text": word} for word in words(part.text))
        case Reasoning():
            for word in words(part.text):
                yield {"type": "thinking_delta", "thinking": word}
            yield {"type": "signature_delta", "signature": block["signature"]}
        case ToolCall():
            yield {"type": "input_json_delta", "partial_json": ""}
            if arguments(part) != json.dumps({}):
                for text in fragments(part):
                    yield {"type": "input_json_delta", "partial_json": text}


def _event(name: str, **data: object) -> bytes:
    return named_event(name, {"type": name, **data})
