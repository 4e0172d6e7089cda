"""A relative path means relative to the project, in every tool of every agent.

Rewritten in the model's message itself, so that approval, stored history and backend see the same.
"""

import posixpath
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, ToolCall

_PATH_ARGUMENTS = {
    "ls": "path",
    "read_file": "file_path",
    "write_file": "file_path",
    "edit_file": "file_path",
    "delete": "file_path",
    "glob": "path",
    "grep": "path",
}
_SEARCHES = frozenset({"glob", "grep"})


class AbsolutePaths(AgentMiddleware[Any, Any, Any]):
    def __init__(self, project: Path) -> None:
        super().__init__()
        self._project = str(project)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        response = await handler(request)
        for message in response.result:
            if isinstance(message, AIMessage):
                message.tool_calls = [self.rewritten(call) for call in message.tool_calls]
        return response

    def rewritten(self, call: ToolCall) -> ToolCall:
        """The call with its path absolute and normal; a search without one means the project."""
        name = _PATH_ARGUMENTS.get(call["name"])
        if name is None:
            return call
        value = call["args"].get(name)
        if value is None and call["name"] in _SEARCHES:
            value = self._root_of_search(call)
        if not isinstance(value, str):
            return call
        args = {**call["args"], name: self._absolute(value)}
        return ToolCall(name=call["name"], args=args, id=call["id"], type="tool_call")

    def _root_of_search(self, call: ToolCall) -> str | None:
        pattern = call["args"].get("pattern")
        absolute_glob = (
            call["name"] == "glob" and isinstance(pattern, str) and pattern.startswith("/")
        )
        return None if absolute_glob else self._project

    def _absolute(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self._project, path)).replace("//", "/", 1)
