"""What leaves the context stays on disk, whole and for good."""

import asyncio
import stat
from pathlib import Path

import pytest

from handrail_backends.artifacts import ArtifactStore
from handrail_backends.table import Table
from handrail_backends.workspace import Workspace

MOUNT = "/scratch/large_tool_results"


class Kept:
    """A store, and what it told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told: list[tuple[str, int]] = []
        self.store = ArtifactStore(folder, mount=MOUNT, on_write=self._take)

    def _take(self, path: str, size: int) -> None:
        self.told.append((path, size))

    def files(self) -> dict[str, str]:
        found = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes().decode() for path in found}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve()


@pytest.fixture
def kept(root: Path) -> Kept:
    return Kept(root / "session" / "artifacts" / "large_tool_results")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def everything_below(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*")]


async def test_nothing_is_made_before_the_first_write(kept: Kept, root: Path) -> None:
    assert (await kept.store.als("/")).entries == []
    assert (await kept.store.agrep("x")).matches == []
    assert (await kept.store.aglob("*")).matches == []
    assert (await kept.store.aread("/c7")).error == f"{MOUNT}/c7 is not there."
    assert [each.error for each in await kept.store.adownload_files(["/c7"])] == ["file_not_found"]
    assert everything_below(root) == []


async def test_a_result_is_kept_privately_and_told(kept: Kept, root: Path) -> None:
    assert (await kept.store.awrite("/c7", "line\r\né\n")).path == "/c7"
    assert kept.files() == {"c7": "line\r\né\n"}
    assert kept.told == [(f"{MOUNT}/c7", 9)]
    folders = [
        kept.folder,
        *[each for each in kept.folder.parents if each.is_relative_to(root / "session")],
    ]
    assert [mode(folder) for folder in folders] == [0o700] * 3
    assert mode(kept.folder / "c7") == 0o600
    read = await kept.store.aread("/c7")
    assert read.file_data is not None
    assert read.file_data["content"] == "line\né\n"


async def test_a_repeated_call_id_loses_neither_result(kept: Kept) -> None:
    paths = [(await kept.store.awrite("/c7", text)).path for text in ("first", "second", "third")]
    assert paths == ["/c7", "/c7-2", "/c7-3"]
    assert kept.files() == {"c7": "first", "c7-2": "second", "c7-3": "third"}
    assert [path for path, _ in kept.told] == [f"{MOUNT}{path}" for path in paths]


async def test_the_same_result_again_is_the_same_file(kept: Kept) -> None:
    for text in ("first", "second", "first", "second"):
        await kept.store.awrite("/c7.md", text)
    assert kept.files() == {"c7.md": "first", "c7-2.md": "second"}


async def test_results_at_the_same_time_all_get_a_place(kept: Kept) -> None:
    texts = [f"result {number}" for number in range(10)]
    await asyncio.gather(*(kept.store.awrite("/c7", text) for text in texts))
    assert sorted(kept.files().values()) == texts


async def test_the_mount_table_tells_the_path_where_a_result_really_lies(
    kept: Kept, root: Path
) -> None:
    scratch = Table(Workspace(root), {"/large_tool_results/": kept.store})
    table = Table(Workspace(root), {"/scratch/": scratch})
    paths = [(await table.awrite(f"{MOUNT}/c7", text)).path for text in ("first", "second")]
    assert paths == [f"{MOUNT}/c7", f"{MOUNT}/c7-2"]
    assert [table.write(f"{MOUNT}/c7", "third").path] == [f"{MOUNT}/c7-3"]


async def test_a_history_grows_as_the_library_writes_it(kept: Kept) -> None:
    sections = ["## One\r\n\r\ncaf\u00e9\n\n", "## Two\rlone\n\n", "## Three\n\n"]
    for number, section in enumerate(sections):
        present = (await kept.store.adownload_files(["/session_1.md"]))[0].content or b""
        text = present.decode()
        if number == 0:
            assert (await kept.store.awrite("/session_1.md", section)).error is None
        else:
            edit = await kept.store.aedit("/session_1.md", text, text + section)
            assert (edit.error, edit.occurrences) == (None, 1)
    assert kept.files() == {"session_1.md": "".join(sections)}
    assert kept.told[-1] == (f"{MOUNT}/session_1.md", len("".join(sections).encode()))


async def test_what_was_written_never_changes_or_goes(kept: Kept) -> None:
    await kept.store.awrite("/c7", "one two one")
    told = list(kept.told)
    only_grows = f"{MOUNT}/c7. What lies there stays as it is; only text at its end can be added."
    refusals = [
        (await kept.store.aedit("/c7", "two", "2")).error,
        (await kept.store.aedit("/c7", "one", "")).error,
        (await kept.store.aedit("/c7", "two one", "two")).error,
        (await kept.store.aedit("/c7", "", "x")).error,
        (await kept.store.adelete("/c7")).error,
        (await kept.store.adelete("/")).error,
    ]
    assert refusals == [
        *[f"Not edited: {only_grows}"] * 4,
        f"Not deleted: {only_grows}",
        f"Not deleted: {only_grows.replace('/c7', '')}",
    ]
    assert [each.error for each in await kept.store.aupload_files([("/c7", b"x")])] == [
        "invalid_path"
    ]
    assert kept.files() == {"c7": "one two one"}
    assert kept.told == told


async def test_pictures_are_kept_once_by_their_name(kept: Kept) -> None:
    for _ in range(2):
        answers = await kept.store.aupload_files([("/media/ab.png", b"\x89PNG\xff")])
        assert [answer.error for answer in answers] == [None]
    assert (kept.folder / "media" / "ab.png").read_bytes() == b"\x89PNG\xff"
    assert mode(kept.folder / "media") == 0o700
    assert kept.told == [(f"{MOUNT}/media/ab.png", 5)] * 2


async def test_half_a_surrogate_pair_is_kept_readably(kept: Kept) -> None:
    await kept.store.awrite("/c7", "a\ud83db")
    assert kept.files() == {"c7": "a\\ud83db"}


@pytest.mark.parametrize("path", ["/", "/../out", "/a\0b"])
async def test_impossible_paths_are_errors(kept: Kept, path: str, root: Path) -> None:
    assert (await kept.store.awrite(path, "x")).error is not None
    assert (await kept.store.aedit(path, "x", "xy")).error is not None
    assert kept.told == []
    assert everything_below(root) == []


async def test_a_write_that_fails_is_an_error_and_not_told(root: Path) -> None:
    (root / "file").write_text("in the way")
    kept = Kept(root / "file" / "large_tool_results")
    assert (await kept.store.awrite("/c7", "x")).error is not None
    assert kept.told == []
