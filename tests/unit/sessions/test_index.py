"""The session index."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from handrail.errors import SessionError
from handrail.places import Places
from handrail.sessions.index import SessionIndex, title_from

HERE = Path("/work/here")
THERE = Path("/work/the re")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(home=tmp_path / "home", config=tmp_path / "home")


@pytest.fixture
def index(places: Places) -> Iterator[SessionIndex]:
    with SessionIndex.open(places) as opened:
        yield opened


def test_a_session_is_found_by_its_id_and_by_any_unique_start(index: SessionIndex) -> None:
    made = index.create(HERE, "openai:x", title="rename parse()")
    assert index.find(HERE, made.id) == made
    assert index.find(HERE, f" {made.id[:9].upper()}") == made
    assert (len(made.id), made.title, made.model) == (10, "rename parse()", "openai:x")


def test_ids_sort_by_age(index: SessionIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    ids: list[str] = []
    for second in (1.8e9, 1.8e9 + 1, 1.8e9 + 40, 2.5e9):
        monkeypatch.setattr("time.time", lambda second=second: second)
        ids.append(index.create(HERE, "m").id)
    assert ids == sorted(ids)


def test_the_first_message_gives_the_title_and_later_ones_only_the_time(
    index: SessionIndex,
) -> None:
    made = index.create(HERE, "openai:x")
    index.touch(made.id, message="first\nline")
    index.touch(made.id, message="second", model="openai:y")
    found = index.find(HERE, made.id)
    assert found == replace(made, title="first line", model="openai:y", updated=found.updated)
    assert found.updated > made.updated


def test_the_latest_is_the_one_of_this_project_that_went_on_last(index: SessionIndex) -> None:
    first, second = (index.create(HERE, "m", title=name) for name in ("one", "two"))
    index.create(THERE, "m", title="other project")
    index.create(HERE, "m")
    assert index.latest(HERE) == second
    index.touch(first.id)
    assert index.latest(HERE).id == first.id
    assert [record.title for record in index.recent()] == ["one", "other project", "two"]
    assert [record.title for record in index.recent(HERE, limit=1)] == ["one"]


def test_a_project_without_a_session_has_nothing_to_continue(index: SessionIndex) -> None:
    index.create(HERE, "m")
    with pytest.raises(SessionError, match="no session to continue in /work/here"):
        index.latest(HERE)


@pytest.mark.parametrize("wanted", ["0000000000", "", "zz", "%", "___", "'; --", "\x1b[2J"])
def test_an_id_that_is_not_there_is_said_to_be_missing(index: SessionIndex, wanted: str) -> None:
    index.create(HERE, "m", title="x")
    with pytest.raises(SessionError, match="There is no session") as caught:
        index.find(HERE, wanted)
    assert "\x1b" not in caught.value.paragraph


def test_a_start_of_several_ids_lists_them(index: SessionIndex) -> None:
    one, two = index.create(HERE, "m"), index.create(HERE, "m")
    with pytest.raises(SessionError, match="start of 2 sessions") as caught:
        index.find(HERE, one.id[:3])
    assert one.id in caught.value.message
    assert two.id in caught.value.message


def test_a_session_of_another_project_is_refused_with_the_command_that_resumes_it(
    index: SessionIndex,
) -> None:
    made = index.create(THERE, "m", title="x")
    with pytest.raises(SessionError) as caught:
        index.find(HERE, made.id)
    assert caught.value.paragraph == (
        f"The session {made.id} belongs to the project /work/the re. Nothing was changed."
        f" Resume it there with: cd '/work/the re' && agent --resume {made.id}"
    )


def test_a_start_shared_with_another_project_means_the_session_of_this_one(
    index: SessionIndex,
) -> None:
    index.create(THERE, "m")
    here = index.create(HERE, "m")
    assert index.find(HERE, here.id[:3]) == here


def test_touching_a_session_that_is_gone_says_so(index: SessionIndex) -> None:
    with pytest.raises(SessionError, match="There is no session 'gone'"):
        index.touch("gone")


def test_a_project_path_that_is_not_utf8_comes_back_as_it_was(index: SessionIndex) -> None:
    project = Path("/work/\udcff")
    made = index.create(project, "m")
    assert index.find(project, made.id) == made


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("", ""),
        (" \n\t ", "(no words)"),
        ("a[/]  \x1b[31mred\u202e\nb", "a[/] [31mred b"),
        ("x" * 100, "x" * 77 + "..."),
        ("half \ud83d", "half"),
    ],
)
def test_a_title_is_one_short_line_without_control_characters(message: str, title: str) -> None:
    assert title_from(message) == title


WORKER = """
import sys
from pathlib import Path
from handrail.places import find_places
from handrail.sessions.index import SessionIndex

sys.stdin.readline()
with SessionIndex.open(find_places({"HANDRAIL_HOME": sys.argv[1]})) as index:
    for turn in range(10):
        made = index.create(Path(sys.argv[2]), "m")
        index.touch(made.id, message=f"turn {turn}")
"""


@pytest.mark.parametrize("before", [None, b"no database " * 1000], ids=["fresh", "unreadable"])
def test_eight_processes_start_at_once(places: Places, before: bytes | None) -> None:
    if before is not None:
        places.make_home()
        places.user_db.write_bytes(before)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(places.home), f"/work/{number}"],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(8)
    ]
    for worker in workers:
        assert worker.stdin
        worker.stdin.write("go\n")
        worker.stdin.flush()
    assert [(worker.communicate()[1], worker.returncode) for worker in workers] == [("", 0)] * 8
    with SessionIndex.open(places) as index:
        assert len({record.id for record in index.recent(limit=1000)}) == 80
    with closing(sqlite3.connect(places.user_db)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    kept = [file.read_bytes() for file in places.home.glob("user.unreadable-*.db")]
    assert kept == ([] if before is None else [before])
