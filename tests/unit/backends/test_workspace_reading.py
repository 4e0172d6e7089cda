"""Listing, reading and searching the project."""

import base64
import os
import stat
from pathlib import Path

import pytest
from deepagents.backends import FilesystemBackend

from handrail_backends import confined
from handrail_backends.folder import MEDIA_SUFFIXES
from handrail_backends.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


@pytest.fixture
def root(workspace: Workspace) -> Path:
    return workspace.cwd


def content(workspace: Workspace, path: str, offset: int = 0, limit: int = 2000) -> str:
    read = workspace.read(path, offset, limit)
    assert read.file_data is not None, read.error
    return read.file_data["content"]


def lines_found(workspace: Workspace, pattern: str, path: str | None = None) -> list[str]:
    found = workspace.grep(pattern, path)
    assert found.error is None
    return [f"{match['path']}:{match['line']}:{match['text']}" for match in found.matches or []]


def test_reading_shows_lf_and_no_byte_order_mark(workspace: Workspace, root: Path) -> None:
    (root / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert content(workspace, "/a.txt") == "one\ntwo\nthree\n"
    assert content(workspace, "/a.txt", 1, 1) == "two\n"


def test_a_file_that_is_no_text_says_what_to_do(workspace: Workspace, root: Path) -> None:
    (root / "a.bin").write_bytes(b"\xff\xfe\x00")
    assert workspace.read("/a.bin").error == (
        f"{root}/a.bin is not UTF-8 text; look at it with a command, for example `file` or `xxd`."
    )


def test_pictures_come_as_they_are(workspace: Workspace, root: Path) -> None:
    (root / "a.PNG").write_bytes(b"\x89PNG\xff")
    read = workspace.read("/a.PNG")
    assert read.file_data == {
        "content": base64.b64encode(b"\x89PNG\xff").decode(),
        "encoding": "base64",
    }


def test_the_library_takes_the_same_files_for_media(root: Path) -> None:
    library = FilesystemBackend(root, virtual_mode=True)
    suffixes = sorted({*MEDIA_SUFFIXES, ".svg", ".ts", ".txt", ".bmp", ".docx", ".zip", ".m4a"})
    for suffix in suffixes:
        (root / f"a{suffix}").write_text("x")
    taken = [library.read(f"/a{suffix}").file_data for suffix in suffixes]
    media = {
        s for s, data in zip(suffixes, taken, strict=True) if data and data["encoding"] != "utf-8"
    }
    assert media == MEDIA_SUFFIXES


def test_a_file_larger_than_memory_should_hold_is_refused(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confined, "MAX_READ_BYTES", 10)
    (root / "a.log").write_text("x" * 11)
    assert workspace.read("/a.log").error == (
        f"{root}/a.log is too large to read at once (11 bytes)."
    )
    assert workspace.edit("/a.log", "x", "y").error is not None


def test_a_listing_names_files_folders_and_sizes(workspace: Workspace, root: Path) -> None:
    (root / "b").mkdir()
    (root / "a.txt").write_text("four")
    os.utime(root / "a.txt", (0, 0))
    os.utime(root / "b", (1, 1))
    assert workspace.ls("/").entries == [
        {
            "path": "/a.txt",
            "is_dir": False,
            "size": 4,
            "modified_at": "1970-01-01T00:00:00+00:00",
        },
        {"path": "/b/", "is_dir": True, "size": 0, "modified_at": "1970-01-01T00:00:01+00:00"},
    ]
    assert workspace.ls("/b").entries == []
    assert workspace.ls("/a.txt").error == (
        f"{root}/a.txt is not a folder, or lies below something that is not one."
    )
    assert workspace.ls("/nope").error == f"{root}/nope is not there."


def test_names_that_are_no_text_can_be_sent(workspace: Workspace, root: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9.txt")).write_text("needle")
    except OSError:
        pytest.skip("this file system takes only text")
    names = [
        [entry["path"] for entry in workspace.ls("/").entries or []],
        [info["path"] for info in workspace.glob("*.txt").matches or []],
        [match["path"] for match in workspace.grep("needle").matches or []],
    ]
    assert names == [["/caf\\xe9.txt"]] * 3


def test_a_search_is_literal(workspace: Workspace, root: Path) -> None:
    (root / "a.py").write_text("config.load(x)\nconfigXload(x)\n[a-z]\n$5.00\n")
    assert lines_found(workspace, "config.load(") == ["/a.py:1:config.load(x)"]
    assert lines_found(workspace, "[a-z]") == ["/a.py:3:[a-z]"]
    assert lines_found(workspace, "$5.00", "/a.py") == ["/a.py:4:$5.00"]


def test_searching_one_file_leaves_its_neighbours_alone(workspace: Workspace, root: Path) -> None:
    (root / "a.py").write_text("needle\r\nother\rneedle\n")
    (root / "b.py").write_text("needle\n")
    assert lines_found(workspace, "needle", "/a.py") == ["/a.py:1:needle", "/a.py:3:needle"]
    found = workspace.grep("needle", "/a.py", max_count=1)
    assert (len(found.matches or []), found.truncated) == (1, True)


def test_a_search_where_nothing_is_says_so(workspace: Workspace, root: Path) -> None:
    assert workspace.grep("x", "/nope").error == f"{root}/nope is not there."
    assert workspace.glob("*", "/nope").error == f"{root}/nope is not there."
    assert workspace.glob("../*").error is not None
    assert workspace.grep("x", glob="../*").error is not None


def test_one_file_that_cannot_be_read_to_its_end_does_not_hide_the_rest(
    workspace: Workspace, root: Path
) -> None:
    (root / "a.py").write_text("needle\n")
    (root / "latin.txt").write_bytes(b"needle\n" * 5_000 + b"caf\xe9\n")
    found = workspace.grep("needle", max_count=10_000)
    assert found.error is None
    assert found.truncated
    assert {"path": "/a.py", "line": 1, "text": "needle"} in (found.matches or [])


def test_globs_find_files_at_any_depth(workspace: Workspace, root: Path) -> None:
    (root / "src" / "deep").mkdir(parents=True)
    for name in ("top.py", "src/a.py", "src/deep/b.py", "src/c.txt"):
        (root / name).write_text("")
    assert [info["path"] for info in workspace.glob("*.py").matches or []] == [
        "/src/a.py",
        "/src/deep/b.py",
        "/top.py",
    ]
    assert [info["path"] for info in workspace.glob("/*.py").matches or []] == ["/top.py"]
    assert [info["path"] for info in workspace.glob("deep/*", "/src").matches or []] == [
        "/src/deep/b.py"
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_the_right_to_read_is_an_error(workspace: Workspace, root: Path) -> None:
    (root / "a.txt").write_text("x")
    (root / "a.txt").chmod(stat.S_IWUSR)
    assert workspace.read("/a.txt").error == f"{root}/a.txt cannot be used: Permission denied."
