"""Results of tools can be encoded, in whichever form they come."""

from types import SimpleNamespace
from typing import Any, cast

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from handrail.engine.order import Answer
from handrail.engine.whole_results import WholeResults

REQUEST = cast("ToolCallRequest", SimpleNamespace())


async def entered(answer: Answer) -> Answer:
    async def handler(request: ToolCallRequest) -> Answer:
        del request
        return answer

    return await WholeResults().awrap_tool_call(REQUEST, handler)


async def test_a_message_is_mended_or_left_alone() -> None:
    whole = ToolMessage("a", tool_call_id="1")
    assert await entered(whole) is whole
    mended = await entered(ToolMessage("a\udcff", tool_call_id="1"))
    assert mended == ToolMessage("a\ufffd", tool_call_id="1")


async def test_the_messages_of_a_command_are_mended() -> None:
    command: Command[Any] = Command(update={"messages": [ToolMessage("\udcff", tool_call_id="1")]})
    assert await entered(command) == Command(
        update={"messages": [ToolMessage("\ufffd", tool_call_id="1")]}
    )
