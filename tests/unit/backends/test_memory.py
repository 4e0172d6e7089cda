"""What is remembered, in real databases: across processes, apart for user and project."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from deepagents.backends import CompositeBackend
from langgraph.store.base import BaseStore
from langgraph.store.sqlite.aio import AsyncSqliteStore  # pyright: ignore[reportMissingTypeStubs]  # it has none

from handrail_backends.memory import memory_mount
from handrail_backends.outside import Nowhere
from handrail_backends.table import Table


@asynccontextmanager
async def open_memory(user: Path, project: Path) -> AsyncGenerator[CompositeBackend]:
    async with (
        AsyncSqliteStore.from_conn_string(str(user)) as user_store,
        AsyncSqliteStore.from_conn_string(str(project)) as project_store,
    ):
        yield mounted(user_store, project_store)


def mounted(user_store: BaseStore, project_store: BaseStore) -> CompositeBackend:
    mount = memory_mount("/memories", user_store=user_store, project_store=project_store)
    return Table(Nowhere(), {"/memories/": mount})


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[CompositeBackend]:
    async with open_memory(tmp_path / "user.db", tmp_path / "project.db") as memory:
        yield memory


async def content(memory: CompositeBackend, path: str) -> str:
    read = await memory.aread(path)
    assert read.file_data is not None, read.error
    return read.file_data["content"]


async def paths(memory: CompositeBackend, folder: str) -> list[str]:
    listed = await memory.als(folder)
    assert listed.error is None
    return [entry["path"] for entry in listed.entries or []]


REMEMBERS = """
import asyncio, sys
from pathlib import Path
from tests.unit.backends.test_memory import open_memory

async def main() -> None:
    async with open_memory(Path(sys.argv[1]), Path(sys.argv[2])) as memory:
        print((await memory.awrite("/memories/user/prefs.md", "likes tabs\\n")).path)
        print((await memory.awrite("/memories/project/build.md", "make check\\n")).path)

asyncio.run(main())
"""


async def test_what_one_process_remembers_the_next_one_finds(tmp_path: Path) -> None:
    user, project, other = (tmp_path / f"{name}.db" for name in ("user", "project", "other"))
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", REMEMBERS, str(user), str(project)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "/memories/user/prefs.md\n/memories/project/build.md\n"
    async with open_memory(user, project) as memory:
        assert await content(memory, "/memories/user/prefs.md") == "likes tabs\n"
        assert await content(memory, "/memories/project/build.md") == "make check\n"
    async with open_memory(user, other) as memory:
        assert await content(memory, "/memories/user/prefs.md") == "likes tabs\n"
        assert await paths(memory, "/memories/project") == []


async def test_both_shelves_are_listed_and_searched(memory: CompositeBackend) -> None:
    await memory.awrite("/memories/user/style/tabs.md", "needle one\n")
    await memory.awrite("/memories/project/notes.md", "x\nneedle two\n")
    assert await paths(memory, "/memories") == ["/memories/project/", "/memories/user/"]
    assert await paths(memory, "/memories/user") == ["/memories/user/style/"]
    assert await paths(memory, "/memories/user/style") == ["/memories/user/style/tabs.md"]
    for place in ("/memories", "/memories/", "/", None):
        found = await memory.agrep("needle", place)
        assert [(match["path"], match["line"]) for match in found.matches or []] == [
            ("/memories/user/style/tabs.md", 1),
            ("/memories/project/notes.md", 2),
        ]
        globbed = await memory.aglob("*.md", place)
        assert [info["path"] for info in globbed.matches or []] == [
            "/memories/project/notes.md",
            "/memories/user/style/tabs.md",
        ]
    assert [
        m["path"] for m in (await memory.agrep("needle", "/memories/project")).matches or []
    ] == ["/memories/project/notes.md"]
    assert (await memory.agrep("needle", "/memories", max_count=1)).truncated


async def test_a_file_beside_the_shelves_is_refused_with_their_names(
    memory: CompositeBackend,
) -> None:
    refusal = (
        "/memories/p.md can hold no file. Files lie in /memories/user/ (true of this user"
        " everywhere) and /memories/project/ (true of this project)."
    )
    assert (await memory.awrite("/memories/p.md", "x")).error == f"Not written: {refusal}"
    assert (await memory.aedit("/memories/p.md", "x", "y")).error == f"Not edited: {refusal}"
    assert (await memory.aread("/memories/p.md")).error == refusal
    assert (await memory.adelete("/memories")).error is not None
    assert (await memory.awrite("/memories/user", "x")).error == (
        "Not written: /memories/user/. It is a folder; give the name of a file in it."
    )


async def test_an_edit_keeps_crlf_and_takes_what_a_read_showed(memory: CompositeBackend) -> None:
    path = "/memories/user/a.md"
    await memory.awrite(path, "one\r\ntwo\r\n")
    assert await content(memory, path) == "one\ntwo\n"
    edit = await memory.aedit(path, "one\ntwo\n", "one\n2\n")
    assert (edit.error, edit.path, edit.occurrences) == (None, path, 1)
    assert (await memory.adownload_files([path]))[0].content == b"one\r\n2\r\n"


async def test_edits_that_do_not_apply_say_why(memory: CompositeBackend) -> None:
    path = "/memories/user/a.md"
    assert (await memory.aedit(path, "a", "b")).error == f"Not edited: {path}. It is not there."
    await memory.awrite(path, "a a")
    assert (await memory.aedit(path, "a", "b")).error == (
        f"Not edited: {path}. The old text is there 2 times. Give more of the lines around it,"
        " or set replace_all to change every one."
    )
    assert (await memory.aedit(path, "a", "\ud83d", replace_all=True)).error is not None
    assert (await memory.awrite(path, "\ud83d")).error is not None
    assert await content(memory, path) == "a a"
    assert (await memory.aedit(path, "a", "b", replace_all=True)).occurrences == 2


async def test_edits_at_the_same_time_all_arrive(memory: CompositeBackend) -> None:
    path = "/memories/project/a.md"
    await memory.awrite(path, "".join(f"<{n}>\n" for n in range(12)))
    await asyncio.gather(*(memory.aedit(path, f"<{n}>", f"[{n}]") for n in range(12)))
    assert await content(memory, path) == "".join(f"[{n}]\n" for n in range(12))


async def test_a_file_is_forgotten_and_its_shelf_stays(memory: CompositeBackend) -> None:
    await memory.awrite("/memories/user/a.md", "a")
    await memory.awrite("/memories/user/b.md", "b")
    assert (await memory.adelete("/memories/user/a.md")).path == "/memories/user/a.md"
    assert (await memory.adelete("/memories/user")).error == (
        "Not deleted: /memories/user itself stays."
    )
    assert await paths(memory, "/memories/user") == ["/memories/user/b.md"]
    assert (await memory.aread("/memories/user/a.md")).error == (
        "/memories/user/a.md is not there."
    )


async def test_more_files_than_one_page_of_the_store(memory: CompositeBackend) -> None:
    await asyncio.gather(*(memory.awrite(f"/memories/user/{n:03}.md", "x") for n in range(120)))
    assert len(await paths(memory, "/memories/user")) == 120


async def test_uploads_take_text_only(memory: CompositeBackend) -> None:
    answers = await memory.aupload_files(
        [("/memories/user/a.md", b"text"), ("/memories/user/b.md", b"\xff")]
    )
    assert [answer.error for answer in answers] == [None, "is not UTF-8 text"]
    found = await memory.adownload_files(["/memories/user/a.md", "/memories/user/b.md"])
    assert [(each.content, each.error) for each in found] == [
        (b"text", None),
        (None, "file_not_found"),
    ]


async def test_a_database_that_is_closed_is_an_error_not_an_exception(tmp_path: Path) -> None:
    async with open_memory(tmp_path / "user.db", tmp_path / "project.db") as memory:
        await memory.awrite("/memories/user/a.md", "a")
    path = "/memories/user/a.md"
    errors = [
        (await memory.awrite(path, "b")).error,
        (await memory.aedit(path, "a", "b")).error,
        (await memory.aread(path)).error,
        (await memory.adelete(path)).error,
        (await memory.als("/memories/user")).error,
        (await memory.agrep("a", "/memories/user")).error,
        (await memory.aglob("*", "/memories/user")).error,
        (await memory.adownload_files([path]))[0].error,
    ]
    assert [error for error in errors if error is None] == []
