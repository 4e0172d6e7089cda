"""The messages that wait for the agent to be idle."""

import asyncio
from collections import deque
from collections.abc import Sequence


class Outbox:
    def __init__(self) -> None:
        self._texts: deque[str] = deque()
        self._filled = asyncio.Event()

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def texts(self) -> Sequence[str]:
        return tuple(self._texts)

    def put(self, text: str) -> None:
        self._texts.append(text)
        self._filled.set()

    async def next(self) -> str:
        """The oldest message, once there is one."""
        while not self._texts:
            self._filled.clear()
            await self._filled.wait()
        return self._texts.popleft()

    def take_back(self) -> list[str]:
        """Everything that waits, which then waits no longer."""
        texts = list(self._texts)
        self._texts.clear()
        return texts
