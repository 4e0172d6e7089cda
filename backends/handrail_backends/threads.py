"""Changes of files in threads: one at a time for each file, and never left running unawaited."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

Arguments = ParamSpec("Arguments")
Outcome = TypeVar("Outcome")


class PathLocks:
    """One lock for each path, kept while someone holds or awaits it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: WeakValueDictionary[Path, threading.Lock] = WeakValueDictionary()

    @contextlib.contextmanager
    def holding(self, path: Path) -> Generator[None]:
        with self._guard:
            lock = self._locks.get(path)
            if lock is None:
                lock = self._locks[path] = threading.Lock()
        with lock:
            yield


async def to_end(
    change: Callable[Arguments, Outcome], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Outcome:
    """Runs `change` in a thread. A cancelled caller goes on only when the change is over."""
    running = asyncio.ensure_future(asyncio.to_thread(change, *args, **kwargs))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise
