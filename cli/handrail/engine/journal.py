"""The execution journal: which calls were judged, decided, started and finished.

A row is written before the fact it tells of takes effect, so that after a crash nothing runs twice
and nothing runs without its decision.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, cast

from handrail.database import Schema, open_database, transaction
from handrail.engine.calls import CallKey, hash_of
from handrail.engine.records import as_json
from handrail.events import Decision
from handrail.policy import Judgement, Verdict

State = Literal["judged", "started", "finished"]

Decided = tuple[CallKey, str, Mapping[str, object], Decision]
"""A call with its tool, its proposed arguments and what the person decided."""

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
        "ALTER TABLE handrail_journal ADD COLUMN place TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE handrail_journal ADD COLUMN about TEXT NOT NULL DEFAULT ''",
    ),
)

_ABOUT = 200
"""Characters kept of what a call does."""


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


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a sub-agent, as much of it as a report needs."""

    tool: str
    about: str
    state: State
    result: dict[str, Any] | None


class Journal:
    """One connection, for the event loop's thread; a change is committed before it returns.

    Only a running turn needs its rows: they are forgotten when it has ended.
    """

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

    def judged(
        self, key: CallKey, tool: str, hash_: str, judgement: Judgement, about: str = ""
    ) -> None:
        """`about` says what the call does, for reports."""
        self._connection.execute(
            "INSERT OR IGNORE INTO handrail_journal"
            " (thread, namespace, message, call, tool, hash, verdict, because, about)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *_columns(key),
                tool,
                hash_,
                int(judgement.verdict),
                judgement.because,
                about[:_ABOUT],
            ),
        )

    def decided(self, decisions: Sequence[Decided]) -> None:
        """Keep the person's decisions on the calls of one message: all of them or none."""
        with transaction(self._connection):
            for key, tool, args, decision in decisions:
                final = args if decision.args is None else decision.args
                text = json.dumps(asdict(decision), default=dict)
                final_hash = hash_of(tool, final)
                change = "decision=?, decided_hash=?"
                self._update(key, hash_of(tool, args), change, text, final_hash)

    def entered(self, key: CallKey, hash_: str, place: str) -> None:
        """A sub-agent works for this call in the namespace `place`."""
        self._update(key, hash_, "place=?", place)

    def started(self, key: CallKey, hash_: str) -> None:
        self._update(key, hash_, "state='started'")

    def finished(self, key: CallKey, hash_: str, result: dict[str, Any]) -> None:
        self._update(key, hash_, "state='finished', result=?", as_json(result))

    def steps_below(self, key: CallKey, hash_: str) -> list[Step]:
        """What the sub-agent of a call proposed, in order."""
        query = (
            "SELECT below.tool, below.about, below.state, below.result FROM handrail_journal below"
            " JOIN handrail_journal of ON below.thread=of.thread AND below.namespace=of.place"
            " WHERE of.thread=? AND of.namespace=? AND of.message=? AND of.call=? AND of.hash=?"
            " AND of.place<>'' ORDER BY below.judged_at, below.message, below.call"
        )
        with closing(self._connection.execute(query, (*_columns(key), hash_))) as cursor:
            rows = cast("list[tuple[str, str, State, str | None]]", cursor.fetchall())
        return [Step(*row[:3], json.loads(row[3]) if row[3] else None) for row in rows]

    def places(self, thread: str) -> dict[str, str]:
        """The ids of the calls that sub-agents work for, by the namespaces they work in."""
        query = "SELECT place, call FROM handrail_journal WHERE thread=? AND place<>''"
        with closing(self._connection.execute(query, (thread,))) as cursor:
            return dict(cast("list[tuple[str, str]]", cursor.fetchall()))

    def forget(self, thread: str) -> None:
        """Remove all of a thread."""
        self._connection.execute("DELETE FROM handrail_journal WHERE thread=?", (thread,))

    def _update(self, key: CallKey, hash_: str, change: str, *values: str) -> None:
        where = "thread=? AND namespace=? AND message=? AND call=? AND hash=?"
        statement = f"UPDATE handrail_journal SET {change} WHERE {where}"  # noqa: S608  # `change` is one of the texts above
        self._connection.execute(statement, (*values, *_columns(key), hash_))


def _columns(key: CallKey) -> tuple[str, str, str, str]:
    return key.thread, key.namespace, key.message, key.call
