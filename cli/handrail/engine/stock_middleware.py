"""The library's own middleware with small changes of ours."""

from collections.abc import Awaitable, Callable
from typing import Any, cast

from deepagents.middleware.filesystem import FilesystemMiddleware
from langchain.agents.middleware import TodoListMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import AIMessage
from typing_extensions import override

from handrail.engine.order import Handler
from handrail.engine.records import Answer
from handrail.engine.signals import CURRENT_CALL
from handrail.prompt_files import read_prompt


class Files(FilesystemMiddleware):
    """The outermost: within it is known which call runs, also while its result is offloaded."""

    offloaded: Callable[[ToolCallRequest, Answer], None] | None = None
    """Hears of each answer as it goes to the model."""

    @property
    def name(self) -> str:
        return "FilesystemMiddleware"

    @override
    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Answer:
        CURRENT_CALL.set(request.tool_call["id"])
        wrapped = cast("Callable[..., Awaitable[Answer]]", super().awrap_tool_call)  # pyright: ignore[reportUnknownMemberType]  # partly untyped

        def as_it_is(_: ToolCallRequest) -> Awaitable[Answer]:
            return handler(request)

        answer = await wrapped(_alone(request), as_it_is)
        if self.offloaded is not None:
            self.offloaded(request, answer)
        return answer


def _alone(request: ToolCallRequest) -> ToolCallRequest:
    """As if the call were its message's only one.

    The library refuses a second change of a file in one message because it would run them at the
    same time; ours run in order.
    """
    message = AIMessage("", tool_calls=[request.tool_call])
    return request.override(state={**request.state, "messages": [message]})


class Todos(TodoListMiddleware[Any, Any]):
    """Without the library's own words in the system prompt: the tool's description says it."""

    def __init__(self) -> None:
        super().__init__(tool_description=read_prompt("todos"))

    @override
    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        return await handler(request)
