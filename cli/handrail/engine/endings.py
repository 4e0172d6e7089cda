"""How a model's answer ended: each provider says it in its own field and words."""

from collections.abc import Mapping
from typing import Literal, cast

from langchain_core.messages import AIMessage

from handrail.engine.origin import blocks_of

Ending = Literal["complete", "cut", "declined"]
"""Whole, ended by the output limit, or refused by the model or its provider's filter."""

_REASONS = ("finish_reason", "stop_reason", "done_reason")
_CUT = ("length", "max_tokens", "max_output_tokens", "model_context_window_exceeded")
_DECLINED = (
    "refusal",
    "content_filter",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
)


def ending_of(message: AIMessage) -> Ending:
    metadata = cast("dict[str, object]", message.response_metadata)
    reasons = [str(metadata.get(name) or "").lower() for name in _REASONS]
    details = metadata.get("incomplete_details")
    if isinstance(details, Mapping):
        reasons.append(str(cast("Mapping[str, object]", details).get("reason") or "").lower())
    # Some servers send the reason twice, and the framework joins the two.
    if any(reason.startswith(_CUT) for reason in reasons):
        return "cut"
    if any(reason.startswith(_DECLINED) for reason in reasons) or _refusal(message):
        return "declined"
    return "complete"


def _refusal(message: AIMessage) -> bool:
    kwargs = cast("dict[str, object]", message.additional_kwargs)
    return bool(kwargs.get("refusal")) or any(
        block.get("type") == "refusal" for block in blocks_of(message)
    )
