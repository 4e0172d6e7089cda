"""Opening databases: private, checked, never lost."""

import fcntl
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from handrail.database import Schema, open_database, prepare_database
from handrail.errors import StorageError

NOTES = Schema("notes", ("CREATE TABLE notes (text TEXT)",))


def write_note(path: Path, text: str) -> tuple[str, ...]:
    connection, notices = open_database(path, NOTES)
    with closing(connection):
        connection.execute("INSERT INTO notes VALUES (?)", (text,))
    return notices


def notes(path: Path) -> list[str]:
    connection, _ = open_database(path, NOTES)
    with closing(connection):
        return [str(row[0]) for row in connection.execute("SELECT text FROM notes")]


def test_what_is_written_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    assert write_note(tmp_path / "a.db", "one") == ()
    assert write_note(tmp_path / "a.db", "two") == ()
    assert notes(tmp_path / "a.db") == ["one", "two"]


def test_the_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        connection, _ = open_database(tmp_path / "a.db", NOTES)
        with closing(connection):
            modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("a.db", "a.db-shm", "a.db-wal", "a.db.lock"), 0o600)


OTHER_PROCESS = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], timeout=0)
print(other.execute("PRAGMA journal_mode=DELETE").fetchone()[0])
"""


def test_opening_again_keeps_the_locks_that_this_process_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    connection, _ = open_database(path, NOTES)
    with closing(connection):
        write_note(path, "one")
        other = subprocess.run(
            [sys.executable, "-c", OTHER_PROCESS, str(path)],
            check=False,
            capture_output=True,
            text=True,
        )
        assert "database is locked" in other.stdout + other.stderr


@pytest.mark.parametrize(
    "junk", [b"no database at all " * 100, b"SQLite format 3\0" + b"\xff" * 9000]
)
def test_an_unreadable_file_is_kept_beside_a_new_one(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "a.db"
    for _ in range(2):
        path.write_bytes(junk)
        notices = write_note(path, "new")
        assert len(notices) == 1
        assert "cannot be read" in notices[0]
    kept = sorted(tmp_path.glob("a.unreadable-2*.db"))
    assert [file.read_bytes() for file in kept] == [junk, junk]
    assert notes(path) == ["new"]


def test_a_file_damaged_in_the_middle_is_kept_beside_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    write_note(path, "x" * 100_000)
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xaa" * 4096
    path.write_bytes(content)
    assert len(prepare_database(path)) == 1
    (kept,) = tmp_path.glob("a.unreadable-*.db")
    assert kept.read_bytes() == bytes(content)
    assert notes(path) == []


HOLDER = """
import sqlite3, sys
holder = sqlite3.connect(sys.argv[1], isolation_level=None)
holder.execute("INSERT INTO notes VALUES ('only in the log')")
print("ready", flush=True)
sys.stdin.read()
"""


def test_the_log_that_another_process_still_uses_goes_with_the_unreadable_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.db"
    write_note(path, "one")
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"ready\n"
        log = (tmp_path / "a.db-wal").read_bytes()
        path.write_bytes(b"no database " * 1000)
        assert len(prepare_database(path)) == 1
        assert [file.read_bytes() for file in tmp_path.glob("a.unreadable-*.db-wal")] == [log]
        assert notes(path) == []
        holder.kill()


def test_processes_that_start_together_check_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    write_note(path, "one")
    checked = threading.Event()

    def check() -> None:
        prepare_database(path)
        checked.set()

    with (tmp_path / "a.db.lock").open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        checking = threading.Thread(target=check)
        checking.start()
        assert not checked.wait(0.3)
    checking.join()
    assert checked.is_set()


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    assert write_note(tmp_path / "a.db", "one") == ()


def test_a_folder_in_the_way_is_told_in_a_paragraph(tmp_path: Path) -> None:
    (tmp_path / "a.db").mkdir()
    with pytest.raises(StorageError, match=r"a\.db cannot be used: unable to open database file"):
        prepare_database(tmp_path / "a.db")


def test_a_missing_folder_is_told_in_a_paragraph(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file or directory"):
        prepare_database(tmp_path / "gone" / "a.db")


def test_later_steps_bring_an_older_database_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    write_note(path, "old")
    newer = Schema("notes", (*NOTES.steps, "ALTER TABLE notes ADD at REAL DEFAULT 1.5"))
    for _ in range(2):
        connection, _ = open_database(path, newer)
        with closing(connection):
            assert connection.execute("SELECT * FROM notes").fetchall() == [("old", 1.5)]


def test_a_database_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    write_note(path, "old")
    open_database(path, Schema("notes", (*NOTES.steps, "SELECT 1")))[0].close()
    with pytest.raises(StorageError, match="newer Handrail"):
        open_database(path, NOTES)


def test_a_step_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    broken = Schema("notes", ("CREATE TABLE notes (text TEXT); INSERT INTO gone VALUES (1)",))
    with pytest.raises(StorageError, match="no such table: gone"):
        open_database(path, broken)
    assert write_note(path, "one") == ()


def test_a_database_that_stays_locked_is_not_taken_for_a_broken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    write_note(path, "one")
    monkeypatch.setattr("handrail.database._BUSY_S", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StorageError, match="database is locked"):
            write_note(path, "two")
    assert notes(path) == ["one"]
