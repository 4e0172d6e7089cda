"""Which call is meant: ids repeat, so thread, namespace, message and id name it together."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, AnyMessage, ToolCall
from langchain_core.runnables import RunnableConfig


@dataclass(frozen=True, slots=True)
class CallKey:
    thread: str
    namespace: str
    """Of the agent that calls: empty for the main one, its `tools:ID` path for a sub-agent."""
    message: str
    call: str


def key_of(request: ToolCallRequest) -> CallKey:
    """The key of a call, the same at the approval and at the execution."""
    runtime: Any = cast("Any", request).runtime  # its own type is partly unknown
    config: RunnableConfig = runtime.config
    return key_from(config, request.state, request.tool_call)


def key_from(config: RunnableConfig, state: Mapping[str, Any], call: ToolCall) -> CallKey:
    configurable: dict[str, Any] = config.get("configurable") or {}
    return CallKey(
        thread=str(configurable.get("thread_id", "")),
        namespace=parent_namespace(str(configurable.get("checkpoint_ns", ""))),
        message=message_of(state).id or "",
        call=call["id"] or "",
    )


def message_of(state: Mapping[str, Any]) -> AIMessage:
    """The model's message whose calls are being judged or run."""
    messages: list[AnyMessage] = state["messages"]
    return next(message for message in reversed(messages) if isinstance(message, AIMessage))


def parent_namespace(namespace: str) -> str:
    """The namespace of the agent whose node runs in `namespace`."""
    return namespace.rpartition("|")[0]


def hash_of(tool: str, args: Mapping[str, object]) -> str:
    """Binds a decision to the exact call: SHA-256 over the tool and its arguments."""
    text = json.dumps([tool, args], sort_keys=True, ensure_ascii=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()


_VERBS = {
    "execute": "run",
    "write_file": "write",
    "edit_file": "edit",
    "read_file": "read",
    "task": "sub-agent:",
}


def about(tool: str, args: Mapping[str, object]) -> str:
    """What a call does, in one line: a verb and the argument that tells most."""
    told = (args.get(name) for name in ("command", "file_path", "path", "pattern", "description"))
    text = next((value for value in told if isinstance(value, str) and value.strip()), "")
    return " ".join(f"{_VERBS.get(tool, tool)} {text}".split())
