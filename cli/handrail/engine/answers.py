"""Looks at every answer of a model right after it came: what cannot be trusted is not run.

Of a message that was cut by the output limit or a filter no call runs, not even one that looks
whole: nobody knows what was to come behind it, and some servers mend cut arguments. Of a whole
message the calls that can be read run, the others are answered. A broken answer is told to the
model, so that it tries again, and after a few times in a row to the person: no turn ends silently.
"""

import json
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse, hook_config
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    InvalidToolCall,
    ToolCall,
    ToolMessage,
)
from langchain_core.tools import BaseTool
from langgraph.config import get_config
from langgraph.runtime import Runtime

from handrail.engine.calls import parent_namespace
from handrail.engine.endings import ending_of
from handrail.engine.faults import (
    ANSWERS,
    MARK,
    MOST,
    NOTICES,
    NUDGE,
    NUDGES,
    REPORTS,
    Fault,
    FaultKind,
    counted,
    fault_of,
    is_nudge,
)
from handrail.engine.signals import emit
from handrail.events import Notice, TurnFailed
from handrail.whole_text import whole


class Answers(AgentMiddleware[Any, Any, Any]):
    """Of a sub-agent the last words say what went wrong, for the agent that started it."""

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        response = await handler(request)
        messages: list[AnyMessage] = cast("dict[str, Any]", request.state)["messages"]
        for place, message in enumerate(response.result):
            if isinstance(message, AIMessage):
                tools = {_tool_name(tool) for tool in request.tools}
                response.result[place] = self.examined(message, messages, tools)
        return response

    def examined(
        self, message: AIMessage, before: Sequence[AnyMessage], tools: set[str]
    ) -> AIMessage:
        """The answer as it is stored: without calls that may not run, marked with what is wrong."""
        message = _entered(message)
        kind = _kind(message, before, tools)
        if kind is None:
            return message
        fault = counted(kind, before)
        mark = {"kind": fault.kind, "last": fault.last}
        update: dict[str, object] = {"response_metadata": {**message.response_metadata, MARK: mark}}
        if fault.last or kind == "cut":
            update |= {"tool_calls": [], "invalid_tool_calls": _not_to_run(message)}
        if fault.last and _in_subagent():
            update["content"] = _with_report(message, REPORTS[kind])
        return message.model_copy(update=update)

    @hook_config(can_jump_to=["model", "end"])
    async def aafter_model(
        self, state: dict[str, Any], runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        del runtime
        messages: list[AnyMessage] = state["messages"]
        message = next(it for it in reversed(messages) if isinstance(it, AIMessage))
        fault = fault_of(message)
        if fault is None:
            return None
        if fault.last:
            _tell(fault)
        return _what_follows(message, fault)


def _tell(fault: Fault) -> None:
    """An answer that is there counts, though it was cut; without one the turn has failed."""
    text = NOTICES[fault.kind]
    if fault.kind == "shortened":
        emit(Notice(text))
    elif _in_subagent():
        emit(Notice(f"A sub-agent ended without an answer. {text}"))
    else:
        emit(TurnFailed(f"{text} What was finished before is kept."))


def _in_subagent() -> bool:
    configurable: Mapping[str, Any] = get_config().get("configurable") or {}
    return parent_namespace(str(configurable.get("checkpoint_ns", ""))) != ""


def _what_follows(message: AIMessage, fault: Fault) -> dict[str, Any] | None:
    text = ANSWERS.get(fault.kind, "")
    follow: list[AnyMessage] = [_answer(call, text) for call in message.invalid_tool_calls]
    if fault.last:
        return {"messages": follow, "jump_to": "end"}
    if nudge := NUDGES.get(fault.kind):
        source = {"lc_source": NUDGE}
        follow.append(HumanMessage(nudge, id=f"nudge-{uuid.uuid4()}", additional_kwargs=source))
    update: dict[str, Any] = {"messages": follow}
    return update if message.tool_calls else {**update, "jump_to": "model"}


def _answer(call: InvalidToolCall, text: str) -> ToolMessage:
    return ToolMessage(
        text,
        tool_call_id=call["id"] or "",
        name=call["name"] or "unknown",
        status="error",
        id=f"refused-{uuid.uuid4()}",
    )


def _kind(message: AIMessage, before: Sequence[AnyMessage], tools: set[str]) -> FaultKind | None:
    ending = ending_of(message)
    if ending == "declined":
        return "declined"
    if message.tool_calls or message.invalid_tool_calls:
        if ending == "cut":
            return "cut"
        if message.invalid_tool_calls:
            return "malformed"
        return "stuck" if _is_stuck(message, before, tools) else None
    if not message.text.strip():
        return "spent" if ending == "cut" else "empty"
    return "shortened" if ending == "cut" else None


def _is_stuck(message: AIMessage, before: Sequence[AnyMessage], tools: set[str]) -> bool:
    """Whether the rounds before made the same calls, and all of them failed every time."""
    mine = _signature(message, tools)
    failed: list[bool] = []
    times = 0
    for earlier in reversed(before):
        if isinstance(earlier, ToolMessage):
            failed.append(earlier.status == "error")
        elif isinstance(earlier, AIMessage):
            if not failed or not all(failed) or _signature(earlier, tools) != mine:
                return False
            times += 1
            failed = []
        elif isinstance(earlier, HumanMessage) and not is_nudge(earlier):
            return False
        if times == MOST:
            return True
    return False


def _signature(message: AIMessage, tools: set[str]) -> str:
    """A tool that does not exist fails with any arguments."""
    calls = [(it["name"], it["args"] if it["name"] in tools else None) for it in message.tool_calls]
    return json.dumps(calls, sort_keys=True, default=repr)


def _entered(message: AIMessage) -> AIMessage:
    """With text that can be encoded and one id for each call: the journal tells calls by it."""
    update: dict[str, object] = {}
    for field in ("content", "additional_kwargs", "response_metadata"):
        value: object = getattr(message, field)
        if (mended := whole(value)) is not value:
            update[field] = mended
    taken: set[str] = set()
    for field in ("tool_calls", "invalid_tool_calls"):
        calls: list[dict[str, Any]] = getattr(message, field)
        entered = [_entered_call(call, taken) for call in calls]
        if any(new is not old for new, old in zip(entered, calls, strict=True)):
            update[field] = entered
    return message.model_copy(update=update) if update else message


def _entered_call(call: dict[str, Any], taken: set[str]) -> dict[str, Any]:
    mended = cast("dict[str, Any]", whole(call))
    id_ = str(mended.get("id") or "").strip()
    if not id_ or id_ in taken:
        id_ = f"call_{uuid.uuid4().hex[:24]}"
    taken.add(id_)
    return mended if mended.get("id") == id_ else {**mended, "id": id_}


def _not_to_run(message: AIMessage) -> list[InvalidToolCall]:
    """All calls of a message in a form that nothing runs and nobody is asked about."""
    return [_unrunnable(call) for call in message.tool_calls] + message.invalid_tool_calls


def _unrunnable(call: ToolCall) -> InvalidToolCall:
    return InvalidToolCall(
        type="invalid_tool_call",
        name=call["name"],
        args=json.dumps(call["args"]),
        id=call["id"],
        error="not run",
    )


def _with_report(message: AIMessage, report: str) -> str | list[Any]:
    content = cast("str | list[Any]", message.content)
    if isinstance(content, str):
        return f"{content}\n\n{report}" if content.strip() else report
    return [*content, {"type": "text", "text": report}]


def _tool_name(tool: BaseTool | Mapping[str, Any]) -> str:
    return tool.name if isinstance(tool, BaseTool) else str(tool.get("name", ""))
