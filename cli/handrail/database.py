"""Opens SQLite files: private, in WAL mode; unreadable ones are moved aside, never deleted."""

import fcntl
import os
import sqlite3
import stat
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from handrail.errors import StorageError

_BUSY_S = 20.0
_FILE_MODE = 0o600
_WHOLE_CHECK_BYTES = 16 * 1024 * 1024
"""Files up to this size are read whole when they are opened; of larger ones only the schema."""

_UNREADABLE = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of one part. Step n brings version n to n + 1; steps are only ever added."""

    part: str
    steps: tuple[str, ...]


def open_database(path: Path, schema: Schema) -> tuple[sqlite3.Connection, tuple[str, ...]]:
    """A connection in autocommit mode, usable from any one thread at a time, and notices.

    The folder must exist. Other parts and libraries may have tables in the same file.
    """
    notices = prepare_database(path)
    with storage_errors(path):
        connection = _connect(path)
        try:
            connection.execute("PRAGMA synchronous=NORMAL")
            _migrate(connection, path, schema)
        except BaseException:
            connection.close()
            raise
    return connection, notices


def prepare_database(path: Path) -> tuple[str, ...]:
    """Make sure that there is a readable, private file in WAL mode; returns notices.

    Processes that start together do this one after the other.
    """
    with storage_errors(path), alone(path):
        _create_private(path)
        if _is_readable(path):
            return ()
        kept = _move_aside(path)
        _create_private(path)
        _is_readable(path)
        return (
            f"The database {path} cannot be read. It was kept as {kept.name} beside a new one.",
        )


@contextmanager
def storage_errors(path: Path) -> Generator[None]:
    """Turn what SQLite and the file system say about `path` into a paragraph."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StorageError(
            f"The database {path} cannot be used: {_reason(error)}. Nothing in it was changed.",
            hint="Check permissions and free space, or set HANDRAIL_HOME to another folder.",
        ) from error


def _reason(error: sqlite3.Error | OSError) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)


@contextmanager
def alone(path: Path) -> Generator[None]:
    """One process at a time: the others wait here."""
    lock = path.with_name(f"{path.name}.lock")
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _FILE_MODE)
    try:
        os.fchmod(descriptor, _FILE_MODE)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _create_private(path: Path) -> None:
    """SQLite gives its -wal and -shm files the mode of the database.

    A file that exists is never opened here: closing it would drop the locks that this process
    holds on it through SQLite.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE_MODE))
    except FileExistsError:
        if stat.S_IMODE(path.stat().st_mode) == _FILE_MODE or not path.is_file():
            return
    path.chmod(_FILE_MODE)


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)


def _is_readable(path: Path) -> bool:
    connection = _connect(path)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if path.stat().st_size > _WHOLE_CHECK_BYTES:
            return True
        return connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except sqlite3.DatabaseError as error:
        # The low byte is the primary code; the rest says in which way.
        if error.sqlite_errorcode & 0xFF in _UNREADABLE:
            return False
        raise
    finally:
        connection.close()


def _move_aside(path: Path) -> Path:
    """Rename the file and its log, without overwriting an earlier one."""
    stamp = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    kept = path.with_name(f"{path.stem}.unreadable-{stamp}{path.suffix}")
    number = 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.stem}.unreadable-{stamp}-{number}{path.suffix}")
    # The log goes first: left behind, it would be replayed into the new file.
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(kept.with_name(kept.name + suffix))
    return kept


def _migrate(connection: sqlite3.Connection, path: Path, schema: Schema) -> None:
    with transaction(connection):
        connection.execute(
            "CREATE TABLE IF NOT EXISTS handrail_schema"
            " (part TEXT PRIMARY KEY, version INTEGER NOT NULL)"
        )
        version = _version(connection, schema.part)
        if version > len(schema.steps):
            raise StorageError(
                f"The database {path} was written by a newer Handrail. Nothing in it was changed.",
                hint="Upgrade Handrail, or set HANDRAIL_HOME to another folder.",
            )
        for step in schema.steps[version:]:
            # Not executescript: it would commit in the middle.
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute(
            "INSERT OR REPLACE INTO handrail_schema VALUES (?, ?)",
            (schema.part, len(schema.steps)),
        )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All or nothing, alone among writers from the start."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection, part: str) -> int:
    row = connection.execute(
        "SELECT version FROM handrail_schema WHERE part = ?", (part,)
    ).fetchone()
    return 0 if row is None else int(row[0])
