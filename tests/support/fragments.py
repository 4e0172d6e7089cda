"""How a reply is cut into fragments and counted, whatever format carries it."""

import json
import re
from collections.abc import Iterator

from tests.support.json_shape import Json
from tests.support.replies import Reply, TokenCount, ToolCall

ARGUMENT_FRAGMENT = 7
"""Characters of a call's arguments per fragment: small enough to split words and numbers."""


def words(text: str) -> list[str]:
    return re.findall(r"\s*\S+\s*$|\s*\S+|\s+", text)


def arguments(call: ToolCall) -> str:
    return call.args if isinstance(call.args, str) else json.dumps(call.args, ensure_ascii=False)


def fragments(call: ToolCall) -> Iterator[str]:
    text = arguments(call)
    for start in range(0, len(text), ARGUMENT_FRAGMENT):
        yield text[start : start + ARGUMENT_FRAGMENT]


def counted(body: Json, reply: Reply) -> TokenCount:
    """What the reply states, else an estimate from the sizes of request and reply."""
    size = len(json.dumps(body, ensure_ascii=False))
    said = len(reply.text) + sum(len(arguments(call)) for call in reply.calls)
    return reply.usage or TokenCount(size // 4 + 1, said // 4 + 1)


def named_event(name: str, data: Json) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
