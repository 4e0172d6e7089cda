"""The transcript: what the person saw of a session, kept in the project's database at once."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self, cast

from handrail.database import Schema, open_database, storage_errors
from handrail.events import (
    CallFinished,
    CallOutput,
    ContextMeasured,
    Event,
    ReasoningDelta,
    RetryScheduled,
    TextDelta,
    TurnStarted,
)
from handrail.places import Places
from handrail.sessions.event_codec import decode, encode
from handrail_backends.limits import shorten

_SCHEMA = Schema(
    "transcript",
    (
        """
        CREATE TABLE handrail_transcript (
            number INTEGER PRIMARY KEY,
            session TEXT NOT NULL,
            turn INTEGER NOT NULL,
            at REAL NOT NULL,
            event TEXT NOT NULL
        );
        CREATE INDEX handrail_transcript_by_turn ON handrail_transcript (session, turn, number)
        """,
    ),
)

PASSING = (TextDelta, ReasoningDelta, CallOutput, ContextMeasured, RetryScheduled)
"""Events that a later one sums up or ends; they are not kept."""

_MOST_CHARS = 4096
"""Of a tool's answer and of each of its arguments."""


class Transcript:
    """One session's events. Each is committed before `append` returns."""

    def __init__(self, path: Path, session_id: str) -> None:
        """`path` is the project's database, in a folder that exists."""
        self._path = path
        self._session = session_id
        self._connection, self.notices = open_database(path, _SCHEMA)
        self._turn = self._last_turn()

    @classmethod
    def open(cls, places: Places, project: Path, session_id: str) -> Self:
        places.make_project(project)
        return cls(places.project_db(project), session_id)

    def append(self, event: Event) -> None:
        if isinstance(event, PASSING):
            return
        if isinstance(event, TurnStarted) and event.text:
            self._turn += 1
        row = (self._session, self._turn, time.time(), _as_json(event))
        with storage_errors(self._path):
            self._connection.execute(
                "INSERT INTO handrail_transcript (session, turn, at, event) VALUES (?, ?, ?, ?)",
                row,
            )

    def tail(self, turns: int = 3, *, limit: int = 500) -> list[Event]:
        """The last `turns` turns, oldest first, and of these at most the last `limit` events.

        A turn that was taken up again is one turn. Events of a newer version are left out.
        """
        with storage_errors(self._path):
            rows = self._connection.execute(
                "SELECT event FROM handrail_transcript WHERE session = ? AND turn > ?"
                " ORDER BY turn DESC, number DESC LIMIT ?",
                (self._session, self._turn - turns, limit),
            ).fetchall()
        found = (decode(json.loads(row[0])) for row in reversed(rows))
        return [event for event in found if event is not None]

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _last_turn(self) -> int:
        with storage_errors(self._path):
            row = self._connection.execute(
                "SELECT max(turn) FROM handrail_transcript WHERE session = ?", (self._session,)
            ).fetchone()
        return int(row[0] or 0)


def _as_json(event: Event) -> str:
    if isinstance(event, CallFinished):
        event = replace(event, text=shorten(event.text, _MOST_CHARS))
    data = {key: _bounded(value, key) for key, value in encode(event).items()}
    return json.dumps(data, ensure_ascii=False)


def _bounded(value: object, key: str) -> object:
    """The same data with the texts inside `args` shortened: a written file is kept elsewhere."""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value).items()
        return {k: _bounded(v, "args" if key == "args" else k) for k, v in pairs}
    if isinstance(value, list):
        return [_bounded(item, key) for item in cast("Sequence[object]", value)]
    return shorten(value, _MOST_CHARS) if key == "args" and isinstance(value, str) else value
