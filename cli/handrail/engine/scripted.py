"""The scripted model: answers from a file, through the same interface as every other model."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput, ModelProfile
from langchain_core.language_models.base import LangSmithParams
from langchain_core.language_models.chat_models import agenerate_from_stream, generate_from_stream
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from typing_extensions import override

from handrail.engine.script_errors import scripted_error
from handrail.engine.script_format import MAIN_ROLE, SUMMARY_ROLE, Reply, Script
from handrail.engine.script_position import MARK, Position, ScriptMemory, Step, mark, next_step
from handrail.engine.script_reader import load_script
from handrail.engine.script_reply import Request, stream_reply

PROVIDER = "script"


def load_scripted_model(path: Path, variables: Mapping[str, str]) -> "ScriptedChatModel":
    """The main agent's model from a script file. Raises `UsageError`."""
    return ScriptedChatModel(load_script(path, variables))


class ScriptedChatModel(BaseChatModel):
    """Plays one role of a script. The models of all roles share one memory."""

    _role: str
    _script: Script
    _memory: ScriptMemory

    def __init__(
        self, script: Script, role: str = MAIN_ROLE, memory: ScriptMemory | None = None
    ) -> None:
        profile = ModelProfile(max_input_tokens=script.window, tool_calling=True)
        super().__init__(profile=profile)
        self._role = role
        self._script = script
        self._memory = memory or ScriptMemory()

    def for_role(self, role: str) -> "ScriptedChatModel":
        """The model for `main`, `summary` or the sub-agent of that name."""
        return ScriptedChatModel(self._script, role, self._memory)

    @override
    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Tools count in the estimate of usage; which ones are called is the script's choice."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    @property
    @override
    def _llm_type(self) -> str:
        return "scripted"

    @override
    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        params = super()._get_ls_params(stop=stop, **kwargs)
        params["ls_provider"] = PROVIDER
        params["ls_model_name"] = self._script.name
        return params

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages, stop, **kwargs))

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return await agenerate_from_stream(self._astream(messages, stop, **kwargs))

    @override
    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in self._chunks(messages, kwargs):
            time.sleep(self._pause_s)
            yield chunk

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._chunks(messages, kwargs):
            await asyncio.sleep(self._pause_s)
            yield chunk

    @property
    def _pause_s(self) -> float:
        return self._script.pace_ms / 1000

    def _chunks(
        self, messages: list[BaseMessage], kwargs: dict[str, Any]
    ) -> Iterator[ChatGenerationChunk]:
        step = self._next(messages)
        metadata: dict[str, object] = {
            "model_provider": PROVIDER,
            "model_name": self._script.name,
            MARK: mark(self._script, self._role, step.at),
        }
        yield from stream_reply(step.reply, Request(messages, kwargs.get("tools", ())), metadata)
        if step.reply.error is not None:
            raise scripted_error(step.reply.error)

    def _next(self, messages: list[BaseMessage]) -> Step:
        if self._role != SUMMARY_ROLE:
            return next_step(self._script, self._role, messages, self._memory)
        with self._memory.lock:
            number = self._memory.summaries
            self._memory.summaries += 1
        texts = self._script.summary or (f"The script {self._script.name} has no summary text.",)
        text = texts[min(number, len(texts) - 1)]
        return Step(Position(number), Reply(say=(text,)))
