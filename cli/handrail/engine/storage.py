"""The framework's savers over our databases, with strict deserialisation: a stored row never becomes code."""

from pathlib import Path

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.sqlite.aio import AsyncSqliteStore

_BUSY_MS = 30_000


def strict_serializer() -> JsonPlusSerializer:
    """Only the framework's own list of safe types is built from a checkpoint, and nothing is unpickled."""
    return JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=[])


async def open_saver(database: Path) -> AsyncSqliteSaver:
    saver = AsyncSqliteSaver(await _connect(database), serde=strict_serializer())
    await saver.setup()
    return saver


async def open_store(database: Path) -> AsyncSqliteStore:
    store = AsyncSqliteStore(await _connect(database, autocommit=True))
    await store.setup()
    return store


async def _connect(database: Path, *, autocommit: bool = False) -> aiosqlite.Connection:
    options = {"isolation_level": None} if autocommit else {}
    connection = await aiosqlite.connect(database, timeout=_BUSY_MS / 1000, **options)
    await connection.execute("PRAGMA journal_mode=WAL")
    await connection.execute("PRAGMA synchronous=NORMAL")
    return connection
