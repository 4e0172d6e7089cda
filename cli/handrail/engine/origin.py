"""Which model a message came from: told by a stamp that is set when the message arrives.

Reasoning is worth something to its own model alone, and only unaltered. The stamp names the model
and the hash of what it reasoned, so that everything else is known to be foreign.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

Format = Literal["chat", "responses", "anthropic", "other"]

STAMP = "handrail"
"""The key in a message's response metadata."""

REASONING_BLOCKS = frozenset(
    {"reasoning", "thinking", "redacted_thinking", "reasoning_content", "compaction"}
)
_ADDRESSES = ("openai_api_base", "anthropic_api_url", "base_url")
"""Where clients keep the address they ask."""
_UNORDERED = frozenset({"openai", "azure_openai", "anthropic", "google_genai", "script"})
"""Providers whose service takes several messages of one role after the other."""


@dataclass(frozen=True, slots=True)
class Target:
    """The model of a request, as far as a history has to fit it."""

    name: str
    """Of provider, format, model, address; two targets of one name take each other's reasoning."""
    format: Format = "chat"
    alternating: bool = False
    """Whether no two messages of one role may follow each other."""


def target_of(model: BaseChatModel) -> Target:
    params: Mapping[str, Any] = model._get_ls_params()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # the framework's way to ask
    provider = str(params.get("ls_provider", ""))
    form = _format_of(model, provider)
    own_server = form == "chat" and bool(getattr(model, "openai_api_base", None))
    return Target(
        name=f"{provider}/{form}:{params.get('ls_model_name', '')}@{_address_of(model)}",
        format=form,
        alternating=own_server or provider not in _UNORDERED,
    )


def _address_of(model: BaseChatModel) -> str:
    """What one service sealed is worth nothing to another that has a model of the same name."""
    found = (getattr(model, name, None) for name in _ADDRESSES)
    return next((address for address in found if isinstance(address, str)), "")


def _format_of(model: BaseChatModel, provider: str) -> Format:
    if "anthropic" in provider:
        return "anthropic"
    if getattr(model, "use_responses_api", False):
        return "responses"
    return "chat" if provider in ("openai", "azure_openai", "script") else "other"


def stamp(message: AIMessage, target: Target) -> None:
    """Set right after the model's answer came, before anything may change it."""
    message.response_metadata[STAMP] = {"by": target.name, "reasoning": reasoning_hash(message)}


def is_own(message: AIMessage, target: Target) -> bool:
    return _stamp_of(message).get("by") == target.name


def is_unaltered(message: AIMessage) -> bool:
    return _stamp_of(message).get("reasoning", "") == reasoning_hash(message)


def reasoning_hash(message: AIMessage) -> str | None:
    """Over the reasoning of a message byte for byte; None for a message without."""
    kwargs = cast("dict[str, object]", message.additional_kwargs)
    parts: list[object] = [block for block in blocks_of(message) if is_reasoning(block)]
    parts += [kwargs[name] for name in ("reasoning_content", "reasoning") if name in kwargs]
    if not parts:
        return None
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=repr).encode()).hexdigest()


def blocks_of(message: AIMessage) -> list[dict[str, Any]]:
    content = cast("str | list[object]", message.content)
    if isinstance(content, str):
        return []
    return [cast("dict[str, Any]", block) for block in content if isinstance(block, dict)]


def is_reasoning(block: Mapping[str, Any]) -> bool:
    return block.get("type") in REASONING_BLOCKS


def _stamp_of(message: AIMessage) -> Mapping[str, object]:
    found: object = cast("dict[str, object]", message.response_metadata).get(STAMP)
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}
