"""Which call is meant: call ids repeat, so a call is known by thread, namespace, message and id together."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, AnyMessage


@dataclass(frozen=True, slots=True)
class CallKey:
    thread: str
    namespace: str
    """Of the agent that makes the call: empty for the main one, its `tools:ID` path for a sub-agent."""
    message: str
    call: str


def key_of(request: ToolCallRequest) -> CallKey:
    """The key of a call, the same at the approval and at the execution."""
    configurable: dict[str, Any] = request.runtime.config.get("configurable") or {}
    return CallKey(
        thread=str(configurable.get("thread_id", "")),
        namespace=parent_namespace(str(configurable.get("checkpoint_ns", ""))),
        message=message_of(request).id or "",
        call=request.tool_call["id"] or "",
    )


def message_of(request: ToolCallRequest) -> AIMessage:
    """The model's message that holds the call."""
    messages: list[AnyMessage] = request.state["messages"]
    return next(message for message in reversed(messages) if isinstance(message, AIMessage))


def parent_namespace(namespace: str) -> str:
    """The namespace of the agent whose node runs in `namespace`."""
    return namespace.rpartition("|")[0]


def node_namespace(request: ToolCallRequest) -> str:
    """The namespace of the call's own step, which is its sub-agent's namespace for a `task` call."""
    configurable: dict[str, Any] = request.runtime.config.get("configurable") or {}
    return str(configurable.get("checkpoint_ns", ""))


def hash_of(tool: str, args: Mapping[str, object]) -> str:
    """Binds a decision to the exact call: SHA-256 over the tool and its arguments."""
    text = json.dumps([tool, args], sort_keys=True, ensure_ascii=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()
