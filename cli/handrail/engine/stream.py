"""The one place that knows the framework's stream: its parts in, our events out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, cast

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage

from handrail.engine.sendable import proposed_calls
from handrail.engine.signals import Known, Signal
from handrail.engine.telling import Telling
from handrail.events import (
    MAIN,
    Call,
    CallFinished,
    CallProposed,
    CallStarted,
    Event,
    RetryScheduled,
    Source,
    SubagentFinished,
    SubagentStarted,
    TextFinished,
    Todo,
    TodosChanged,
    TurnFailed,
    UsageCounted,
)
from handrail.whole_text import without_surrogates

MODES = ("updates", "messages", "custom", "tasks")
Namespace = tuple[str, ...]

_EDIT_NOTICE_END = "\n\nTool response:\n"
"""Ends what the framework tells the model of a call that the person edited."""


class Adapter:
    """Follows one turn, also across its approvals."""

    def __init__(self) -> None:
        self.task_calls: dict[str, str] = {}
        """From a sub-agent's namespace to the `task` call that started it."""
        self.last_text = ""
        """Of the main agent's latest message."""
        self.failure: TurnFailed | None = None
        """Why the turn ends without an answer, though nothing raised."""
        self._edited: set[tuple[Namespace, str]] = set()
        self._agents: dict[Namespace, Source] = {(): MAIN}
        self._tellings: dict[Source, Telling] = {}
        self._calls: dict[tuple[Namespace, str], Call] = {}
        self._finished: set[tuple[Namespace, str, str]] = set()
        self._started: set[tuple[Namespace, str]] = set()

    def events(self, part: Mapping[str, Any]) -> Iterator[Event]:
        """The events of one part of the stream, in the order that `handrail.events` promises."""
        namespace: Namespace = tuple(part["ns"])
        data = part["data"]
        match part["type"]:
            case "messages":
                yield from self._message(namespace, data[0])
            case "updates":
                yield from self._updates(namespace, data)
            case "tasks":
                yield from self._task(namespace, data)
            case "custom":
                yield from self._signal(namespace, data)
            case _:
                pass

    def cut_texts(self) -> Iterator[TextFinished]:
        """What was streamed of messages whose end never came."""
        for telling in self._tellings.values():
            yield from telling.cut()
        self._tellings.clear()

    def _source(self, namespace: Namespace) -> Source:
        return self._agents.get(namespace) or Source(
            "sub-agent", self.task_calls.get("|".join(namespace))
        )

    def _message(self, namespace: Namespace, message: BaseMessage) -> Iterator[Event]:
        if isinstance(message, AIMessageChunk):
            telling = self._telling(self._source(namespace))
            text = without_surrogates(str(message.text))
            reasoning = without_surrogates(_reasoning(message))
            yield from telling.pieces(message.id or "", reasoning, text)
        elif isinstance(message, ToolMessage):
            yield from self._tool_message(namespace, message)

    def _telling(self, source: Source) -> Telling:
        return self._tellings.setdefault(source, Telling(source))

    def _updates(self, namespace: Namespace, data: Mapping[str, Any]) -> Iterator[Event]:
        for node, value in data.items():
            if node == "__interrupt__":
                continue
            for update in _dicts(value):
                if todos := update.get("todos"):
                    yield _todos_changed(self._source(namespace), todos)
                for message in _messages(update):
                    if isinstance(message, ToolMessage):
                        yield from self._tool_message(namespace, message)
                    elif isinstance(message, AIMessage) and node == "model":
                        yield from self._model_message(namespace, message)

    def _model_message(self, namespace: Namespace, message: AIMessage) -> Iterator[Event]:
        source = self._source(namespace)
        text = str(message.text)
        yield from self._telling(source).finished(message.id or "", text)
        del self._tellings[source]
        if source == MAIN:
            self.last_text = text
        if usage := message.usage_metadata:
            cached = usage.get("input_token_details", {}).get("cache_read", 0)
            yield UsageCounted(source, usage["input_tokens"], usage["output_tokens"], cached)
        for call in proposed_calls(message):
            self._calls[namespace, call.id] = call
            self._started.discard((namespace, call.id))
            yield CallProposed(source, call)

    def _tool_message(self, namespace: Namespace, message: ToolMessage) -> Iterator[Event]:
        """Seen twice, as a message and as an update: the first tells."""
        key = (namespace, message.tool_call_id, message.id or "")
        if key in self._finished:
            return
        self._finished.add(key)
        call = self._calls.get((namespace, message.tool_call_id))
        if call is None:
            call = Call(message.tool_call_id, message.name or "", {})
        source = self._source(namespace)
        if call.name == "task":
            yield from self._subagent_finished(call.id)
        code = _exit_code(message)
        ok = message.status != "error" and code in (None, 0)
        text = str(message.text)
        if (namespace, call.id) in self._edited:
            text = text.partition(_EDIT_NOTICE_END)[2] or text
        yield CallFinished(source, call, ok, text, code, refused=_is_refused(message))

    def _task(self, namespace: Namespace, data: Mapping[str, Any]) -> Iterator[Event]:
        """A starting `task` call opens the namespace of its sub-agent."""
        if data["name"] != "tools" or "input" not in data:
            return
        tool_call = _tool_call(data["input"])
        if tool_call is None or tool_call.get("name") != "task":
            return
        step = f"tools:{data['id']}"
        inner = (*namespace, step)
        args = cast("dict[str, object]", tool_call.get("args") or {})
        source = Source(str(args.get("subagent_type", "sub-agent")), str(tool_call["id"]))
        known = inner in self._agents
        self._agents[inner] = source
        self.task_calls["|".join(inner)] = str(tool_call["id"])
        if not known:
            yield SubagentStarted(source, str(args.get("description", "")))

    def _subagent_finished(self, call_id: str) -> Iterator[Event]:
        for source in self._agents.values():
            if source.call_id == call_id:
                yield SubagentFinished(source)
                return

    def _signal(self, namespace: Namespace, data: object) -> Iterator[Event]:
        """Signals come from the agent's own steps, one level below its namespace or in it."""
        if isinstance(data, Known):
            self._calls.setdefault((namespace, data.call.id), data.call)
        if not isinstance(data, Signal):
            return
        event = data.event
        if isinstance(event, TurnFailed):
            self.failure = event
            return
        if isinstance(event, CallStarted):
            key = (namespace, event.call.id)
            if key in self._started:
                return  # a sub-agent that goes on after an approval
            self._started.add(key)
            if event.call != self._calls.get(key):
                self._edited.add(key)
            self._calls[key] = event.call
        if any(field.name == "source" for field in fields(event)):
            event = replace(event, source=self._source(namespace))
        if isinstance(event, RetryScheduled):
            self._telling(event.source).again()
        yield event


def _reasoning(message: AIMessageChunk) -> str:
    """The reasoning of a chunk, in whichever form its provider sends it."""
    beside = cast("dict[str, object]", message.additional_kwargs).get("reasoning_content")
    if isinstance(beside, str):
        return beside
    if isinstance(message.content, str):
        return ""
    blocks = cast("list[dict[str, Any]]", message.content_blocks)
    return "".join(
        str(block.get("reasoning", "")) for block in blocks if block.get("type") == "reasoning"
    )


def _exit_code(message: ToolMessage) -> int | None:
    artifact: object = message.artifact
    code = (
        cast("dict[str, object]", artifact).get("exit_code") if isinstance(artifact, dict) else None
    )
    return code if isinstance(code, int) else None


def _is_refused(message: ToolMessage) -> bool:
    artifact: object = message.artifact
    return isinstance(artifact, dict) and cast("dict[str, object]", artifact).get("refused") is True


def _dicts(value: object) -> Iterator[dict[str, Any]]:
    """A node's update: nothing, one dict or a list of them."""
    if isinstance(value, dict):
        yield cast("dict[str, Any]", value)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _dicts(item)


def _messages(update: Mapping[str, Any]) -> Iterable[BaseMessage]:
    value = update.get("messages")
    if isinstance(value, BaseMessage):
        return [value]
    return (
        [m for m in cast("list[object]", value) if isinstance(m, BaseMessage)]
        if isinstance(value, list)
        else []
    )


def _todos_changed(source: Source, todos: Iterable[Mapping[str, Any]]) -> TodosChanged:
    return TodosChanged(source, tuple(Todo(str(todo["content"]), todo["status"]) for todo in todos))


def _tool_call(value: object) -> dict[str, Any] | None:
    """The call a step of the tools node was started with."""
    if isinstance(value, list):
        items = cast("list[object]", value)
        return _tool_call(items[0]) if items else None
    if isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        inner = found.get("tool_call")
        return cast("dict[str, Any]", inner) if isinstance(inner, dict) else found
    return None
