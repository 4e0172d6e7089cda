"""What tools answer enters the conversation as text that can be encoded."""

from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage

from handrail.engine.order import Answer, Handler
from handrail.whole_text import whole


class WholeResults(AgentMiddleware[Any, Any, Any]):
    """Names of files and output of commands may hold halves of surrogate pairs."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Answer:
        answer = await handler(request)
        if isinstance(answer, ToolMessage):
            return _whole(answer)
        update: object = answer.update
        if isinstance(update, dict):
            fields = cast("dict[str, object]", update)
            messages = fields.get("messages")
            if isinstance(messages, list):
                entered = [
                    _whole(it) if isinstance(it, ToolMessage) else it
                    for it in cast("list[object]", messages)
                ]
                fields["messages"] = entered
        return answer


def _whole(message: ToolMessage) -> ToolMessage:
    content = cast("str | list[Any]", message.content)
    mended = whole(content)
    return message if mended is content else message.model_copy(update={"content": mended})
