"""Writes to standard output or error from a thread, so that a slow reader holds up nothing."""

import asyncio
import os
import select
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue


class Outlet:
    """Takes text at once. `failed` hears, in the loop, when it can no longer be written."""

    def __init__(self, descriptor: int, failed: Callable[[OSError], None] | None = None) -> None:
        self._descriptor = descriptor
        self._failed = failed
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._written = asyncio.Event()
        threading.Thread(target=self._work, daemon=True).start()

    def put(self, text: str) -> None:
        if text:
            self._queue.put(text.encode("utf-8", "replace"))

    async def close(self) -> None:
        """Waits until all is written, or nothing can be."""
        self._queue.put(None)
        await self._written.wait()

    def _work(self) -> None:
        is_open = True
        while (data := self._queue.get()) is not None:
            if not is_open:
                continue
            try:
                self._write(data)
            except OSError as error:
                is_open = False
                if self._failed is not None:
                    self._tell(self._failed, error)
        self._tell(self._written.set)

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:  # somebody who shares it made it so
                select.select([], [self._descriptor], [])

    def _tell(self, callback: Callable[..., None], *arguments: OSError) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(callback, *arguments)


def fill_closed_descriptors() -> None:
    """Opens what was closed of input, output and error, so that no database gets their numbers."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
