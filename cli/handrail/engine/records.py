"""The form in which the journal keeps an answer: bounded, and enough to give it again."""

import json
from typing import Any, cast

from langchain_core.messages import AnyMessage, ToolCall, ToolMessage
from langgraph.types import Command

from handrail_backends.limits import shorten

Answer = ToolMessage | Command[Any]

_FIELDS = ("content", "tool_call_id", "name", "status", "artifact")
_CUT = 4_000
"""Characters kept of a result that is too long, until it lies in a file."""


def message_in(answer: Answer, call_id: str) -> ToolMessage | None:
    """The message for the model, which a sub-agent's answer carries in a graph command."""
    if isinstance(answer, ToolMessage):
        return answer
    update: object = answer.update
    messages = (
        cast("dict[str, list[AnyMessage]]", update).get("messages", ())
        if isinstance(update, dict)
        else ()
    )
    return next(
        (m for m in messages if isinstance(m, ToolMessage) and m.tool_call_id == call_id), None
    )


def record(answer: ToolMessage, tool: str, longest: int) -> tuple[dict[str, Any], bool]:
    """The record of an answer, and whether it was cut to `longest` characters of JSON."""
    kept: dict[str, Any] = {name: getattr(answer, name) for name in _FIELDS}
    kept["name"] = kept["name"] or tool
    if len(str(answer.content)) + len(str(answer.artifact)) <= longest:
        return kept, False
    artifact: object = answer.artifact
    small = len(str(artifact)) <= _CUT
    return kept | {
        "content": shorten(str(answer.text), _CUT),
        "artifact": artifact if small else None,
    }, True


def as_json(kept: dict[str, Any]) -> str:
    """An artifact may hold anything."""
    return json.dumps(kept, default=str)


def restored(kept: dict[str, Any], call: ToolCall) -> ToolMessage:
    """The answer as it was; a result that was not kept is said to be gone."""
    if kept:
        return ToolMessage(**kept)
    return ToolMessage(
        "This call finished before the turn was interrupted; its result was not kept.",
        tool_call_id=call["id"],
        name=call["name"],
    )
