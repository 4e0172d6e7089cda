"""Sends a model request again when it failed in passing: seen, bounded, ended by a stop at once."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, TypeVar

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, BaseMessage

from handrail.engine import retry_rules
from handrail.engine.retry_rules import IncompleteAnswerError, asked_wait, own_wait, reason_of
from handrail.engine.signals import emit
from handrail.events import MAIN, RetryScheduled

T = TypeVar("T")

_ENDINGS = {
    "openai": ("finish_reason", "status"),
    "anthropic": ("stop_reason",),
    "google_genai": ("finish_reason",),
}
"""Where a provider says why its answer ended. Of other providers every answer counts as whole."""


class GivenUpError(Exception):
    """A request that failed as often as was allowed, or that would have to wait too long."""

    def __init__(self, reason: str, tries: int, took_s: float, wait_s: float | None) -> None:
        super().__init__(f"{reason} ({tries} tries)")
        self.reason = reason
        self.tries = tries
        self.took_s = took_s
        self.wait_s = wait_s
        """What the server asks for, when that is too long to wait here."""


class Retries(AgentMiddleware[Any, Any, Any]):
    """Stands around the request itself, so that each try sends the same."""

    def __init__(self, retries: int) -> None:
        super().__init__()
        self._retries = retries

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        async def ask() -> ModelResponse[Any]:
            response = await handler(request)
            for message in response.result:
                need_whole(message)
            return response

        return await retried(ask, self._retries)


async def retried(ask: Callable[[], Awaitable[T]], retries: int) -> T:
    """Asks once and up to `retries` times more. Raises `GivenUpError` from the last failure."""
    started = time.monotonic()
    for attempt in count(1):
        try:
            return await ask()
        except Exception as error:
            reason = reason_of(error)
            if reason is None:
                raise
            asked = asked_wait(error, time.time())
            too_long = asked is not None and asked > retry_rules.LONGEST_WAIT_S
            if too_long or attempt > retries:
                took = time.monotonic() - started
                raise GivenUpError(reason, attempt, took, asked if too_long else None) from error
        wait = asked or own_wait(attempt, random.random())  # noqa: S311  # spreads waits, keeps no secret
        emit(RetryScheduled(MAIN, attempt, retries, wait, reason))
        await asyncio.sleep(wait)
    raise AssertionError


def need_whole(message: BaseMessage) -> None:
    """An answer without its end is none: what it calls may be half of what was meant."""
    if not isinstance(message, AIMessage):
        return
    provider = str(message.response_metadata.get("model_provider", ""))
    endings = _ENDINGS.get(provider, ())
    if endings and not any(message.response_metadata.get(name) for name in endings):
        raise IncompleteAnswerError
