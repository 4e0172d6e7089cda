"""The OpenAI Responses format: replies as one object or as a stream of named events."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count

from tests.support.fragments import arguments, counted, fragments, named_event, words
from tests.support.json_shape import Json, items, mapping
from tests.support.openai_chat import CREATED, OpenAIChat, content_text
from tests.support.openai_items import Given, first_refusal
from tests.support.replies import Gate, Reasoning, Refusal, Reply, Text, ToolCall
from tests.support.wire_format import Piece

Item = dict[str, object]


class OpenAIResponses:
    path = "/v1/responses"

    def __init__(self, *models: str) -> None:
        """Serves `models`, or any model when none is named."""
        self._models = models
        self._numbers = count(1)
        self._given: dict[object, Given] = defaultdict(Given)
        """By model: none takes what another sealed."""
        self._chat = OpenAIChat(*models)
        self.pages: Mapping[str, Json] = self._chat.pages

    def unauthorised(self, headers: Mapping[str, str], key: str) -> Refusal | None:
        return self._chat.unauthorised(headers, key)

    def invalid(self, body: Json) -> Refusal | None:
        return first_refusal(body, self._models, self._given[body.get("model")])

    def system(self, body: Json) -> str:
        return "\n".join(
            [content_text(body.get("instructions"))]
            + [
                content_text(item.get("content"))
                for item in map(mapping, items(body.get("input")))
                if item.get("role") in {"system", "developer"}
            ]
        ).strip()

    def is_streamed(self, body: Json) -> bool:
        return body.get("stream") is True

    def error(self, refusal: Refusal) -> Json:
        return self._chat.error(refusal)

    def whole(self, body: Json, reply: Reply) -> Json:
        output = self._output(body, reply)
        return self._response(body, reply, output, f"resp_{next(self._numbers):024}")

    def pieces(self, body: Json, reply: Reply) -> Iterator[Piece]:
        name = f"resp_{next(self._numbers):024}"
        output = self._output(body, reply)
        numbers = count()

        def event(kind: str, **data: object) -> bytes:
            return named_event(kind, {"type": kind, "sequence_number": next(numbers), **data})

        begun = self._response(body, reply, [], name) | {"status": "in_progress", "usage": None}
        yield event("response.created", response=begun)
        yield event("response.in_progress", response=begun)
        for data in _events(reply, output):
            yield data if isinstance(data, Gate) else event(str(data.pop("type")), **data)
        done = self._response(body, reply, output, name)
        yield event(f"response.{done['status']}", response=done)

    def _output(self, body: Json, reply: Reply) -> list[Item]:
        """The items of a reply; those that later requests bring back are remembered."""
        parts = [part for part in reply.parts if not isinstance(part, Gate)]
        output = [self._item(body, part) for part in parts]
        given = self._given[body.get("model")]
        given.remember(output, stored=body.get("store") is not False)
        return output

    def _item(self, body: Json, part: Text | Reasoning | ToolCall) -> Item:
        number = f"{next(self._numbers):024}"
        match part:
            case Text():
                content: Item = {"type": "output_text", "text": part.text, "annotations": ()}
                item: Item = {"id": f"msg_{number}", "type": "message", "role": "assistant"}
                return item | {"status": "completed", "content": [content | {"logprobs": ()}]}
            case ToolCall():
                call: Item = {"id": f"fc_{number}", "type": "function_call", "name": part.name}
                said = {"call_id": part.id, "arguments": arguments(part)}
                return call | said | {"status": "completed"}
            case Reasoning():
                summary = [{"type": "summary_text", "text": part.text}]
                thought: Item = {"id": f"rs_{number}", "type": "reasoning", "summary": summary}
                if "reasoning.encrypted_content" in items(body.get("include")):
                    thought["encrypted_content"] = f"gAAAAAB{number}=="
                return thought

    def _response(self, body: Json, reply: Reply, output: list[Item], name: str) -> Item:
        cut = {"length": "max_output_tokens", "content_filter": "content_filter"}
        reason = cut.get(reply.ending)
        return {
            "id": name,
            "object": "response",
            "created_at": CREATED,
            "status": "incomplete" if reason else "completed",
            "error": None,
            "incomplete_details": {"reason": reason} if reason else None,
            "instructions": body.get("instructions"),
            "metadata": {},
            "model": body["model"],
            "output": output,
            "parallel_tool_calls": True,
            "previous_response_id": None,
            "store": body.get("store") is not False,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": body.get("tools", []),
            "top_p": 1.0,
            "usage": usage(body, reply),
        }


def usage(body: Json, reply: Reply) -> Json:
    used = counted(body, reply)
    return {
        "input_tokens": used.prompt,
        "input_tokens_details": {"cached_tokens": used.cached},
        "output_tokens": used.completion,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": used.prompt + used.completion,
    }


def _events(reply: Reply, output: list[Item]) -> Iterator[Item | Gate]:
    numbered = enumerate(output)
    for part in reply.parts:
        if isinstance(part, Gate):
            yield part
            continue
        index, item = next(numbered)
        place: Item = {"output_index": index}
        begun = {"status": "in_progress"} if "status" in item else {}
        yield place | {"type": "response.output_item.added", "item": item | begun | _empty(part)}
        for data in _part_events(part, item):
            yield {"item_id": item["id"]} | place | data
        yield place | {"type": "response.output_item.done", "item": item}


def _empty(part: Text | Reasoning | ToolCall) -> Item:
    match part:
        case Text():
            return {"content": []}
        case ToolCall():
            return {"arguments": ""}
        case Reasoning():
            return {"summary": []}


def _part_events(part: Text | Reasoning | ToolCall, item: Item) -> Iterator[Item]:
    match part:
        case Text():
            yield from _text_events(part.text, item)
        case ToolCall():
            kind = "response.function_call_arguments"
            for text in fragments(part):
                yield {"type": f"{kind}.delta", "delta": text}
            yield {"type": f"{kind}.done", "name": part.name, "arguments": arguments(part)}
        case Reasoning():
            yield from _summary_events(part.text)


def _text_events(text: str, item: Item) -> Iterator[Item]:
    place: Item = {"content_index": 0}
    whole = mapping(json.loads(json.dumps(item))["content"][0])
    kind = "response.content_part"
    yield place | {"type": f"{kind}.added", "part": {**whole, "text": ""}}
    for word in words(text):
        yield place | {"type": "response.output_text.delta", "delta": word, "logprobs": []}
    yield place | {"type": "response.output_text.done", "text": text, "logprobs": []}
    yield place | {"type": f"{kind}.done", "part": whole}


def _summary_events(text: str) -> Iterator[Item]:
    place: Item = {"summary_index": 0}
    kind = "response.reasoning_summary"
    yield place | {"type": f"{kind}_part.added", "part": {"type": "summary_text", "text": ""}}
    for word in words(text):
        yield place | {"type": f"{kind}_text.delta", "delta": word}
    yield place | {"type": f"{kind}_text.done", "text": text}
    yield place | {"type": f"{kind}_part.done", "part": {"type": "summary_text", "text": text}}
