"""The client for chat completions that keeps the reasoning which other servers send beside."""

from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI
from typing_extensions import override

_NAMES = ("reasoning_content", "reasoning")
"""Where servers put it: not in OpenAI's own format, which does not tell its reasoning."""


class ReasoningChatOpenAI(ChatOpenAI):
    @override
    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(  # pyright: ignore[reportUnknownMemberType]  # its dicts are untyped
            chunk, default_chunk_class, base_generation_info
        )
        text = _reasoning(chunk)
        if text and made is not None and isinstance(made.message, AIMessageChunk):
            made.message.additional_kwargs["reasoning_content"] = text
        return made


def _reasoning(chunk: Mapping[str, Any]) -> str:
    choices = cast("list[dict[str, Any]]", chunk.get("choices") or [])
    delta = cast("dict[str, object]", choices[0].get("delta") or {}) if choices else {}
    found = (delta.get(name) for name in _NAMES)
    return next((text for text in found if isinstance(text, str) and text), "")
