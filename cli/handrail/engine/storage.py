"""The framework's saver and stores, strict in reading: a stored row never becomes code."""

import asyncio
from pathlib import Path
from typing import Any, cast

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.sqlite.aio import AsyncSqliteStore  # pyright: ignore[reportMissingTypeStubs]  # it has none

_BUSY_S = 30


def strict_serializer() -> JsonPlusSerializer:
    """Builds only the framework's own list of safe types, and unpickles nothing."""
    return JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=[])


async def open_saver(database: Path) -> AsyncSqliteSaver:
    saver = AsyncSqliteSaver(await _connect(database), serde=strict_serializer())
    await saver.setup()
    return saver


async def open_store(database: Path) -> AsyncSqliteStore:
    store = AsyncSqliteStore(await _connect(database, autocommit=True))
    await store.setup()
    return store


async def close_store(store: AsyncSqliteStore) -> None:
    """The library leaves its task for batches running: it is ended before its connection."""
    task: asyncio.Task[None] | None = cast("Any", store)._task  # noqa: SLF001  # it has no way to end it
    if task is not None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await store.conn.close()


async def _connect(database: Path, *, autocommit: bool = False) -> aiosqlite.Connection:
    isolation = None if autocommit else "DEFERRED"
    connection = await aiosqlite.connect(database, timeout=_BUSY_S, isolation_level=isolation)
    await connection.execute("PRAGMA journal_mode=WAL")
    await connection.execute("PRAGMA synchronous=NORMAL")
    return connection
