"""The session index in the user's database: which sessions there are, where and since when."""

import os
import secrets
import shlex
import time
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from handrail.database import Schema, open_database, storage_errors
from handrail.errors import SessionError
from handrail.places import Places

_SCHEMA = Schema(
    "sessions",
    (
        """
        CREATE TABLE handrail_sessions (
            id TEXT PRIMARY KEY,
            project BLOB NOT NULL,
            title TEXT NOT NULL,
            model TEXT NOT NULL,
            created REAL NOT NULL,
            updated REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX handrail_sessions_by_project ON handrail_sessions (project, updated)
        """,
    ),
)

_COLUMNS = "id, project, title, model, created, updated"
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Without letters that look like digits; their order is the order of their values."""
_LOOKALIKES = str.maketrans("oil", "011")
_EPOCH = 1_735_689_600
"""2025-01-01 UTC. Six digits of seconds from here last until 2059."""
_TITLE_LENGTH = 80
_PREFIX_LENGTH = 3
"""The shortest start of an id that is looked up."""


@dataclass(frozen=True, slots=True)
class SessionRecord:
    id: str
    project: Path
    title: str
    """The start of the first message, one line; empty until there is one. Untrusted text."""
    model: str
    created: float
    updated: float
    """Both in seconds since 1970."""


class SessionIndex:
    """One connection; every change is committed when the method returns."""

    def __init__(self, path: Path) -> None:
        """`path` is the user's database, in a folder that exists."""
        self._path = path
        self._connection, self.notices = open_database(path, _SCHEMA)

    @classmethod
    def open(cls, places: Places) -> Self:
        places.make_home()
        return cls(places.user_db)

    def create(self, project: Path, model: str, *, title: str = "") -> SessionRecord:
        now = time.time()
        while True:
            record = SessionRecord(
                _new_id(now), project, title_from(title), model, created=now, updated=now
            )
            row = (record.id, os.fsencode(project), record.title, model, now, now)
            if self._changes("INSERT OR IGNORE INTO handrail_sessions VALUES (?,?,?,?,?,?)", row):
                return record

    def touch(self, session_id: str, *, message: str = "", model: str | None = None) -> None:
        """Note that the session goes on; the first message gives it its title."""
        changed = self._changes(
            "UPDATE handrail_sessions SET updated = max(updated, ?), model = coalesce(?, model),"
            " title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ?",
            (time.time(), model, title_from(message), session_id),
        )
        if not changed:
            raise _missing(session_id)

    def latest(self, project: Path) -> SessionRecord:
        """The session of `project` that went on last. One without a message does not count."""
        for record in self.recent(project, limit=1):
            return record
        raise SessionError(
            f"There is no session to continue in {project}.", hint="Start one with: agent"
        )

    def find(self, project: Path, session_id: str) -> SessionRecord:
        """The session of `project` with this id or with this unique start of one."""
        wanted = session_id.strip().lower().translate(_LOOKALIKES)
        found = self._matching(wanted) if _is_prefix(wanted) else []
        if not found:
            raise _missing(session_id)
        here = [record for record in found if record.project == project]
        if len(here) == 1:
            return here[0]
        if len(found) > 1:
            raise _ambiguous(session_id, here or found)
        raise _elsewhere(found[0])

    def recent(self, project: Path | None = None, *, limit: int = 50) -> list[SessionRecord]:
        """Sessions with at least one message, the one that went on last first."""
        where = "" if project is None else "AND project = ?"
        values = (limit,) if project is None else (os.fsencode(project), limit)
        return self._records(
            f"SELECT {_COLUMNS} FROM handrail_sessions WHERE title != '' {where}"  # noqa: S608 - constants only
            " ORDER BY updated DESC, id DESC LIMIT ?",
            values,
        )

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _matching(self, prefix: str) -> list[SessionRecord]:
        return self._records(
            f"SELECT {_COLUMNS} FROM handrail_sessions WHERE substr(id, 1, ?) = ?"  # noqa: S608 - constants only
            " ORDER BY updated DESC, id DESC",
            (len(prefix), prefix),
        )

    def _records(self, query: str, values: Iterable[object]) -> list[SessionRecord]:
        with storage_errors(self._path):
            rows = self._connection.execute(query, tuple(values)).fetchall()
        return [_record(row) for row in rows]

    def _changes(self, statement: str, values: tuple[object, ...]) -> bool:
        with storage_errors(self._path):
            return self._connection.execute(statement, values).rowcount == 1


def title_from(message: str) -> str:
    """The start of a message as one line without control characters."""
    printable = (
        " " if unicodedata.category(c)[0] in "CZ" else c for c in message[: _TITLE_LENGTH * 8]
    )
    line = " ".join("".join(printable).split())
    if not line:
        return "(no words)" if message else ""
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 3].rstrip() + "..."


def _record(row: tuple[str, bytes, str, str, float, float]) -> SessionRecord:
    session_id, project, title, model, created, updated = row
    return SessionRecord(
        session_id, Path(os.fsdecode(project)), title, model, created=created, updated=updated
    )


def _new_id(now: float) -> str:
    """Six digits of time, so that ids sort by age, and four of chance."""
    value = (int(now) - _EPOCH) << 20 | secrets.randbits(20)
    digits = ""
    for _ in range(10):
        value, digit = divmod(value, 32)
        digits = _DIGITS[digit] + digits
    return digits


def _is_prefix(text: str) -> bool:
    return len(text) >= _PREFIX_LENGTH and all(c in _DIGITS for c in text)


def _missing(session_id: str) -> SessionError:
    return SessionError(
        f"There is no session {session_id!r}.", hint="List this project's with: agent sessions"
    )


def _ambiguous(session_id: str, found: Sequence[SessionRecord]) -> SessionError:
    ids = ", ".join(record.id for record in found[:5])
    return SessionError(
        f"The id {session_id!r} is the start of {len(found)} sessions: {ids}.",
        hint="Type more of it.",
    )


def _elsewhere(record: SessionRecord) -> SessionError:
    command = f"cd {shlex.quote(str(record.project))} && agent --resume {record.id}"
    return SessionError(
        f"The session {record.id} belongs to the project {record.project}. Nothing was changed.",
        hint=f"Resume it there with: {command}",
    )
