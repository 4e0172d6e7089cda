"""The execution journal: which calls were judged, decided, started and finished.

A row is written before the fact it tells of takes effect, so that after a crash nothing runs twice
and nothing runs without its decision.
"""

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, cast

from handrail.database import Schema, open_database
from handrail.engine.calls import CallKey, hash_of
from handrail.events import Decision
from handrail.policy import Judgement, Verdict

State = Literal["judged", "started", "finished"]

_SCHEMA = Schema(
    "journal",
    (
        """
CREATE TABLE handrail_journal (
    thread TEXT NOT NULL,
    namespace TEXT NOT NULL,
    message TEXT NOT NULL,
    call TEXT NOT NULL,
    tool TEXT NOT NULL,
    hash TEXT NOT NULL,
    verdict INTEGER NOT NULL,
    because TEXT NOT NULL,
    decision TEXT,
    decided_hash TEXT,
    state TEXT NOT NULL DEFAULT 'judged',
    result TEXT,
    judged_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (thread, namespace, message, call, hash)
) WITHOUT ROWID
        """,
    ),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one call."""

    judgement: Judgement
    decision: Decision | None
    decided_hash: str | None
    """Of the arguments that were decided on, which an edit may have changed."""
    state: State
    result: dict[str, Any] | None
    """The answer of a finished call, as the caller gave it."""


class Journal:
    """One connection, for the event loop's thread; a change is committed before it returns."""

    def __init__(self, database: Path) -> None:
        self._path = database
        self._connection, self.notices = open_database(database, _SCHEMA)

    def close(self) -> None:
        self._connection.close()

    def find(self, key: CallKey, hash_: str) -> Entry | None:
        """The entry for exactly these proposed arguments."""
        query = (
            "SELECT verdict, because, decision, decided_hash, state, result FROM handrail_journal"
            " WHERE thread=? AND namespace=? AND message=? AND call=? AND hash=?"
        )
        with closing(self._connection.execute(query, (*_columns(key), hash_))) as cursor:
            row = cast(
                "tuple[int, str, str | None, str | None, State, str | None] | None",
                cursor.fetchone(),
            )
        if row is None:
            return None
        verdict, because, decision, decided_hash, state, result = row
        return Entry(
            Judgement(Verdict(verdict), because),
            Decision(**json.loads(decision)) if decision else None,
            decided_hash,
            state,
            json.loads(result) if result else None,
        )

    def judged(self, key: CallKey, tool: str, hash_: str, judgement: Judgement) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO handrail_journal"
            " (thread, namespace, message, call, tool, hash, verdict, because)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*_columns(key), tool, hash_, int(judgement.verdict), judgement.because),
        )

    def decided(
        self, key: CallKey, tool: str, args: Mapping[str, object], decision: Decision
    ) -> None:
        """Keep the person's decision on the call with these proposed arguments."""
        final = args if decision.args is None else decision.args
        text = json.dumps(asdict(decision), default=dict)
        self._update(
            key, hash_of(tool, args), "decision=?, decided_hash=?", text, hash_of(tool, final)
        )

    def started(self, key: CallKey, hash_: str) -> None:
        self._update(key, hash_, "state='started'")

    def finished(self, key: CallKey, hash_: str, result: dict[str, Any]) -> None:
        self._update(key, hash_, "state='finished', result=?", json.dumps(result))

    def forget(self, thread: str) -> None:
        """Remove all of a thread, when its session is deleted."""
        self._connection.execute("DELETE FROM handrail_journal WHERE thread=?", (thread,))

    def _update(self, key: CallKey, hash_: str, change: str, *values: str) -> None:
        where = "thread=? AND namespace=? AND message=? AND call=? AND hash=?"
        statement = f"UPDATE handrail_journal SET {change} WHERE {where}"  # noqa: S608  # `change` is one of the texts above
        self._connection.execute(statement, (*values, *_columns(key), hash_))


def _columns(key: CallKey) -> tuple[str, str, str, str]:
    return key.thread, key.namespace, key.message, key.call
