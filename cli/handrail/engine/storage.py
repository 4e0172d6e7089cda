"""The framework's saver and stores, strict in reading: a stored row never becomes code."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, cast

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.sqlite.aio import AsyncSqliteStore  # pyright: ignore[reportMissingTypeStubs]  # it has none

from handrail.credentials.secret import without_secrets
from handrail.database import alone

_BUSY_S = 30


class _Serializer(JsonPlusSerializer):
    """Failures are stored as their words, in which a server may have repeated a key."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:  # noqa: ANN401  # as the library has it
        failed = isinstance(obj, BaseException)
        return super().dumps_typed(without_secrets(repr(obj)) if failed else obj)


def strict_serializer() -> JsonPlusSerializer:
    """Builds only the framework's own list of safe types, and unpickles nothing."""
    return _Serializer(pickle_fallback=False, allowed_msgpack_modules=[])


async def open_saver(database: Path) -> AsyncSqliteSaver:
    async with _ready(database, isolation="DEFERRED") as connection:
        saver = AsyncSqliteSaver(connection, serde=strict_serializer())
        await saver.setup()
    return saver


async def open_store(database: Path) -> AsyncSqliteStore:
    async with _ready(database, isolation=None) as connection:
        store = AsyncSqliteStore(connection)
        await store.setup()
    return store


async def close_store(store: AsyncSqliteStore) -> None:
    """The library leaves its task for batches running: it is ended before its connection."""
    task: asyncio.Task[None] | None = cast("Any", store)._task  # noqa: SLF001  # it has no way to end it
    if task is not None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await store.conn.close()


@asynccontextmanager
async def _ready(
    database: Path, *, isolation: Literal["DEFERRED"] | None
) -> AsyncGenerator[aiosqlite.Connection]:
    """A connection to set up. The library's own tables are made by one process at a time."""
    connection = await aiosqlite.connect(database, timeout=_BUSY_S, isolation_level=isolation)
    try:
        with alone(database):
            await connection.execute("PRAGMA journal_mode=WAL")
            await connection.execute("PRAGMA synchronous=NORMAL")
            yield connection
    except BaseException:
        await connection.close()
        raise
