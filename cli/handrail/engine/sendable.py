"""One message made fit for a request: its blocks and texts as the target model can take them."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall, ToolMessage

from handrail.engine.origin import Target, blocks_of, is_own, is_reasoning, is_unaltered
from handrail.events import Call
from handrail.whole_text import whole

M = TypeVar("M", bound=BaseMessage)

EMPTY = "(empty)"
"""Stands where a message has nothing in it: no provider takes a blank one."""
NO_OUTPUT = "(no output)"
UNREADABLE = "The arguments of this call were cut off or no valid JSON. It was not run."

_NAME_LENGTH = 64
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
_CALL_BLOCKS = {"tool_use": "id", "function_call": "call_id"}
"""The blocks that repeat a call, and where they hold its id."""
_PROVIDER_MARKS = ("cache_control",)


def sendable(message: M, target: Target) -> M:
    """What a person, a tool or the system said: nothing blank, nothing that cannot be encoded."""
    content = cast("str | list[object]", message.content)
    fit = _fit_content(content, target) or _plain_word(message)
    return message if fit is content else message.model_copy(update={"content": fit})


def _plain_word(message: BaseMessage) -> str:
    return NO_OUTPUT if isinstance(message, ToolMessage) else EMPTY


def _fit_content(content: str | list[object], target: Target) -> str | list[object]:
    """Empty when nothing is left of it; the very same object when nothing is wrong."""
    if isinstance(content, str):
        return cast("str", whole(content)) if content.strip() else ""
    fit = [_fit_block(block, target) for block in content if not _is_blank(block)]
    same = len(fit) == len(content) and all(a is b for a, b in zip(fit, content, strict=True))
    return content if same else fit


def _fit_block(block: object, target: Target) -> object:
    fields = cast("dict[str, object]", block) if isinstance(block, dict) else {}
    if target.format != "anthropic" and any(mark in fields for mark in _PROVIDER_MARKS):
        return whole({key: it for key, it in fields.items() if key not in _PROVIDER_MARKS})
    return whole(cast("object", block))


def _is_blank(block: object) -> bool:
    """A text block without text, or no block at all."""
    if isinstance(block, str):
        return not block.strip()
    if not isinstance(block, dict):
        return True
    fields = cast("dict[str, object]", block)
    return fields.get("type") in ("text", None) and not str(fields.get("text") or "").strip()


def sendable_answer(
    message: AIMessage, calls: Sequence[ToolCall], old_ids: Sequence[str | None], target: Target
) -> AIMessage:
    """What a model said, with `calls` as its calls; `old_ids` are their ids in its blocks."""
    own = is_own(message, target)
    content = cast("str | list[object]", message.content)
    if isinstance(content, str):
        fit: str | list[object] = _fit_content(content, target)
    elif own:
        fit = _own_blocks(message, calls, old_ids, target)
    else:
        fit = text_of(content)
    if not calls and not _says_something(fit):
        fit = EMPTY
    update: dict[str, object] = {}
    if fit is not content and fit != content:
        update["content"] = fit
    if message.invalid_tool_calls or list(calls) != message.tool_calls:
        update |= {"tool_calls": list(calls), "invalid_tool_calls": []}
    kwargs = _kwargs(message, keep=own and is_unaltered(message))
    if kwargs != message.additional_kwargs:
        update["additional_kwargs"] = kwargs
    return message.model_copy(update=update) if update else message


def _kwargs(message: AIMessage, *, keep: bool) -> dict[str, object]:
    """A provider's own additions; raw calls would be sent again beside the mended ones."""
    if not keep:
        return {}
    kwargs = cast("dict[str, object]", message.additional_kwargs)
    raw = ("tool_calls", "function_call")
    kept = {key: it for key, it in kwargs.items() if key not in raw}
    return kept if len(kept) < len(kwargs) else kwargs


def text_of(content: Sequence[object]) -> str:
    """The words of a foreign message: all that another model can take from it."""
    texts: list[str] = []
    for block in content:
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict):
            fields = cast("dict[str, object]", block)
            if fields.get("type") in ("text", "output_text", "refusal"):
                texts.append(str(fields.get("text") or fields.get("refusal") or ""))
    text = "".join(texts)
    return cast("str", whole(text)) if text.strip() else ""


def _says_something(content: str | list[object]) -> bool:
    """Whether a message without calls is more than blank and more than reasoning."""
    if isinstance(content, str):
        return bool(content.strip())
    return any(not _reasons(block) for block in content)


def _own_blocks(
    message: AIMessage, calls: Sequence[ToolCall], old_ids: Sequence[str | None], target: Target
) -> list[object]:
    """The blocks of the target's own message: reasoning unaltered or left out."""
    waiting = _Waiting(list(zip(old_ids, calls, strict=True)), blocks_of(message))
    content = cast("list[object]", message.content)
    kept: list[object] = []
    for block in content:
        if _is_blank(block):
            continue
        fields = _fields(block)
        if id_key := _CALL_BLOCKS.get(str(fields.get("type"))):
            call = waiting.take(fields, id_key)
            kept += [_call_block(fields, id_key, call)] if call is not None else []
        else:
            kept.append(block if _reasons(block) else _fit_block(block, target))
    if not _is_trusted(message, kept):
        kept = [block for block in kept if not _reasons(block)]
        if target.format == "responses":
            kept = [_without_item_id(block) for block in kept]
    same = len(kept) == len(content) and all(a is b for a, b in zip(kept, content, strict=True))
    return content if same else kept


def _is_trusted(message: AIMessage, kept: Sequence[object]) -> bool:
    """Reasoning goes back as it came, in front of what it led to."""
    reasoning = [block for block in kept if _reasons(block)]
    return (
        is_unaltered(message)
        and not (kept and _reasons(kept[-1]))
        and all(whole(block) is block for block in reasoning)
    )


def _reasons(block: object) -> bool:
    return is_reasoning(_fields(block))


def _fields(block: object) -> dict[str, Any]:
    return cast("dict[str, Any]", block) if isinstance(block, dict) else {}


class _Waiting:
    """The calls of a message whose block was not met yet."""

    def __init__(
        self, calls: list[tuple[str | None, ToolCall]], blocks: Sequence[Mapping[str, Any]]
    ) -> None:
        self._calls = calls
        self._named = {block.get(key) for block in blocks for key in _CALL_BLOCKS.values()}

    def take(self, block: Mapping[str, Any], id_key: str) -> ToolCall | None:
        """The call with the block's id, else one of its name whose id was changed on its way in."""
        for place, (old, call) in enumerate(self._calls):
            moved = old not in self._named and call["name"] == block.get("name")
            if old == block.get(id_key) or moved:
                del self._calls[place]
                return call
        return None


def _call_block(block: dict[str, Any], id_key: str, call: ToolCall) -> dict[str, Any]:
    """The block of a call as the call is now: paths made absolute, a new id, shortened texts."""
    changes: dict[str, object] = {}
    if block.get(id_key) != call["id"]:
        changes[id_key] = call["id"]
    if block.get("name") != call["name"]:
        changes["name"] = call["name"]
    if id_key == "call_id" and read_arguments(block.get("arguments")) != call["args"]:
        changes["arguments"] = json.dumps(call["args"])
    return {**block, **changes} if changes else block


def _without_item_id(block: object) -> object:
    """An item whose reasoning is gone may not refer to itself by the id it had beside it."""
    if not isinstance(block, dict):
        return block
    fields = cast("dict[str, object]", block)
    return {key: it for key, it in fields.items() if key != "id"} if "id" in fields else fields


def as_call(call: ToolCall | InvalidToolCall, id_: str) -> ToolCall:
    """The call under a valid name and id; broken arguments are left out, its answer tells why."""
    args = call["args"]
    name = _NOT_IN_NAMES.sub("_", str(call["name"] or ""))[:_NAME_LENGTH] or "unknown"
    known = cast("dict[str, Any]", whole(args)) if isinstance(args, dict) else read_arguments(args)
    same = call.get("type") == "tool_call" and known is args
    if same and name == call["name"] and id_ == call["id"]:
        return cast("ToolCall", call)
    return ToolCall(name=name, args=known or {}, id=id_, type="tool_call")


def read_arguments(text: object) -> dict[str, Any] | None:
    """None when the text is no JSON object."""
    try:
        value: object = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    return cast("dict[str, Any]", whole(cast("object", value)))


def answer_for(call: Mapping[str, Any], text: str, id_: str) -> ToolMessage:
    return ToolMessage(text, tool_call_id=id_, name=str(call["name"] or ""), status="error")


def proposed_calls(message: AIMessage) -> list[Call]:
    """All that the model wanted to call, also what cannot be run."""
    calls: list[ToolCall | InvalidToolCall] = [*message.tool_calls, *message.invalid_tool_calls]
    return [_proposed(call) for call in calls]


def _proposed(call: ToolCall | InvalidToolCall) -> Call:
    args = call["args"] if isinstance(call["args"], dict) else read_arguments(call["args"])
    return Call(call["id"] or "", call["name"] or "unknown", args or {})
