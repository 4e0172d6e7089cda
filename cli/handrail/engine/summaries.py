"""Summarisation and offloading as the library does them, told to the person while they happen."""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from deepagents.backends.protocol import BackendProtocol
from deepagents.middleware import SummarizationMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.callbacks import get_usage_metadata_callback
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage
from typing_extensions import override

from handrail.engine.retries import retried
from handrail.engine.signals import emit
from handrail.events import (
    MAIN,
    ArgumentsTruncated,
    ContextMeasured,
    HistoryOffloaded,
    SummaryFinished,
    SummaryStarted,
    UsageCounted,
)
from handrail.settings import ContextSettings


class ToldSummaries(SummarizationMiddleware):
    """Takes the place of the library's own by its name."""

    def __init__(
        self,
        model: BaseChatModel,
        *,
        backend: BackendProtocol,
        settings: ContextSettings,
        window: int,
        prompt: str,
        summarizer: BaseChatModel,
        retries: int,
    ) -> None:
        self._window = window
        self._retries = retries
        trigger = ("tokens", max(1, int(window * settings.summarize_at)))
        keep = ("tokens", max(1, int(window * settings.keep)))
        super().__init__(
            model,
            backend=backend,
            trigger=trigger,
            keep=keep,
            summary_prompt=prompt,
            trim_tokens_to_summarize=None,
            truncate_args_settings={"trigger": trigger, "keep": keep},
            summarizer=summarizer,
        )
        # The library's retries, which nobody would see, give way to ours.
        self._lc_helper._summary_model = summarizer  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # it has no option

    @property
    def name(self) -> str:
        return "SummarizationMiddleware"

    @override
    def _get_session_id(self, state: Mapping[str, Any]) -> str:
        """The name of this agent's history file: short, as the folder is one session's."""
        known = state.get("_summarization_session_id")
        return known if isinstance(known, str) and known else secrets.token_hex(4)

    def _truncate_args(
        self, messages: list[AnyMessage], total_tokens: int
    ) -> tuple[list[AnyMessage], bool]:
        shorter, changed = super()._truncate_args(messages, total_tokens)
        emit(ContextMeasured(MAIN, total_tokens, self._window))
        if changed:
            emit(ArgumentsTruncated(MAIN, _changed_calls(messages, shorter)))
        return shorter, changed

    async def _acall_with_budget(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
        **options: Any,  # noqa: ANN401  # passed on as it is
    ) -> tuple[ModelResponse[Any], list[AnyMessage]]:
        """Where the library sends a request that was made shorter: its new size is told."""
        tokens = self._count_tokens(request.messages, request.system_message, request.tools)
        emit(ContextMeasured(MAIN, tokens, self._window))
        return await super()._acall_with_budget(request, handler, **options)

    async def _acreate_summary(self, messages_to_summarize: list[AnyMessage]) -> str:
        emit(SummaryStarted(MAIN, len(messages_to_summarize)))
        summarise = super()._acreate_summary
        with get_usage_metadata_callback() as usage:
            text = await retried(lambda: summarise(messages_to_summarize), self._retries)
        for counted in usage.usage_metadata.values():
            cached = counted.get("input_token_details", {}).get("cache_read", 0)
            emit(UsageCounted(MAIN, counted["input_tokens"], counted["output_tokens"], cached))
        emit(SummaryFinished(MAIN, len(messages_to_summarize), text))
        return text

    async def _aoffload_to_backend(
        self, backend: BackendProtocol, messages: list[AnyMessage], session_id: str
    ) -> str | None:
        path = await super()._aoffload_to_backend(backend, messages, session_id)
        emit(HistoryOffloaded(MAIN, len(messages), path))
        return path


def _changed_calls(before: Sequence[AnyMessage], after: Sequence[AnyMessage]) -> tuple[str, ...]:
    ids: list[str] = []
    for old, new in zip(before, after, strict=True):
        if isinstance(old, AIMessage) and isinstance(new, AIMessage):
            ids += [
                a["id"] or ""
                for a, b in zip(old.tool_calls, new.tool_calls, strict=True)
                if a["args"] != b["args"]
            ]
    return tuple(ids)


def window_of(model: BaseChatModel) -> int | None:
    """The size of the model's context in tokens as its profile states it."""
    profile: dict[str, Any] = dict(model.profile or {})
    value = profile.get("max_input_tokens")
    return value if isinstance(value, int) else None
