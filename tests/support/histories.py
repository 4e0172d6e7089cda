"""Short ways to write a history, and to read one."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, InvalidToolCall, ToolCall
from langchain_core.messages import ToolMessage as Tool

from handrail.engine.origin import Target, stamp

CHAT = Target("openai/chat:model-1", "chat")
STRICT = Target("local/chat:model-1", "chat", alternating=True)
RESPONSES = Target("openai/responses:model-1", "responses")
ANTHROPIC = Target("anthropic/anthropic:model-1", "anthropic")
TARGETS = (CHAT, STRICT, RESPONSES, ANTHROPIC)

Content = str | Sequence[Any]


def person(content: Content = "go") -> AnyMessage:
    return HumanMessage(_content(content))


def model(
    content: Content = "",
    *calls: ToolCall | InvalidToolCall,
    by: Target | None = None,
    **kwargs: object,
) -> AIMessage:
    """A model's message, stamped when it says by which."""
    message = AIMessage(
        _content(content),
        tool_calls=[it for it in calls if it.get("type") == "tool_call"],
        invalid_tool_calls=[it for it in calls if it.get("type") == "invalid_tool_call"],
        additional_kwargs=kwargs,
    )
    if by is not None:
        stamp(message, by)
    return message


def call(id_: str | None, name: str = "ls", **args: object) -> ToolCall:
    return ToolCall(name=name, args=args, id=id_, type="tool_call")


def broken(id_: str | None, args: str = '{"path": "a', name: str | None = "ls") -> InvalidToolCall:
    return InvalidToolCall(type="invalid_tool_call", name=name, args=args, id=id_, error=None)


def answer(id_: str, content: Content = "ok") -> AnyMessage:
    return Tool(_content(content), tool_call_id=id_)


def shapes(messages: Sequence[AnyMessage]) -> list[object]:
    """What is compared: words, calls and answers."""
    return [_shape(message) for message in messages]


def _shape(message: AnyMessage) -> object:
    if isinstance(message, Tool):
        return ("answer", message.tool_call_id, message.content)
    if isinstance(message, AIMessage):
        calls = [(it["id"], it["name"], it["args"]) for it in message.tool_calls]
        return ("model", message.content, calls)
    return (message.type, message.content)


def _content(content: Content) -> str | list[str | dict[str, Any]]:
    return content if isinstance(content, str) else list(content)


def text(words: str, **more: object) -> Mapping[str, object]:
    return {"type": "text", "text": words, **more}
