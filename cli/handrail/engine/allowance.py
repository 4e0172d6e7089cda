"""Keeps the caps: a model request that they no longer cover is not sent, and the turn stops."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage

from handrail.caps import Caps

Handler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]


class Allowance(AgentMiddleware[Any, Any, Any]):
    """One for the main agent and all its sub-agents; `stop` ends the turn that runs."""

    def __init__(self, caps: Caps) -> None:
        super().__init__()
        self._caps = caps
        self._rounds = 0
        self._tokens = 0
        self.stop: Callable[[], None] | None = None

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Handler
    ) -> ModelResponse[Any]:
        if self._is_spent():
            await self._stopped()
        self._rounds += 1
        response = await handler(request)
        for message in response.result:
            if isinstance(message, AIMessage) and message.usage_metadata:
                usage = message.usage_metadata
                self._tokens += usage["input_tokens"] + usage["output_tokens"]
        return response

    def _is_spent(self) -> bool:
        rounds, tokens = self._caps.rounds, self._caps.tokens
        return (rounds is not None and self._rounds >= rounds) or (
            tokens is not None and self._tokens >= tokens
        )

    async def _stopped(self) -> None:
        """Waits for the stop to arrive, so that nothing is sent in between."""
        assert self.stop is not None
        self.stop()
        await asyncio.Event().wait()
