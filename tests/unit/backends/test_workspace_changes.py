"""Writes and edits: exact, whole, with the mode kept, one after the other."""

import asyncio
import contextlib
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from handrail_backends.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


@pytest.fixture
def root(workspace: Workspace) -> Path:
    return workspace.cwd


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextlib.contextmanager
def umask(value: int) -> Generator[None]:
    before = os.umask(value)
    try:
        yield
    finally:
        os.umask(before)


def test_a_write_puts_exactly_the_given_characters(workspace: Workspace, root: Path) -> None:
    text = "\ufeffa\r\nb\rc\n\x00é€😀"
    assert workspace.write("/deep/er/file.txt", text).path == "/deep/er/file.txt"
    assert (root / "deep" / "er" / "file.txt").read_bytes() == text.encode()


def test_text_copied_from_a_read_edits_a_file_with_crlf_and_byte_order_mark(
    workspace: Workspace, root: Path
) -> None:
    (root / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\nthree")
    read = workspace.read("/a.txt", limit=2).file_data
    assert read is not None
    assert read["content"] == "one\ntwo\n"
    assert workspace.edit("/a.txt", read["content"], "one\n2\n").occurrences == 1
    assert (root / "a.txt").read_bytes() == b"\xef\xbb\xbfone\r\n2\r\nthree"


def test_a_file_that_is_not_utf_8_is_left_untouched(workspace: Workspace, root: Path) -> None:
    before = b"const x = 1;\n// caf\xe9\n"
    (root / "a.js").write_bytes(before)
    assert workspace.edit("/a.js", "x = 1", "x = 2").error == (
        f"Not edited: {root}/a.js is not UTF-8 text;"
        " look at it with a command, for example `file` or `xxd`."
    )
    assert (root / "a.js").read_bytes() == before


def test_half_a_surrogate_pair_is_refused_and_the_file_untouched(
    workspace: Workspace, root: Path
) -> None:
    (root / "a.txt").write_text("old content")
    for error in (
        workspace.write("/a.txt", "new \ud83d").error,
        workspace.edit("/a.txt", "old", "\ud83d").error,
        workspace.write("/new.txt", "\ud83d").error,
    ):
        assert error is not None
        assert "surrogate" in error
    assert (root / "a.txt").read_text() == "old content"
    assert [path.name for path in root.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("before", [0o755, 0o600, 0o666, 0o640])
def test_the_mode_of_a_file_stays(workspace: Workspace, root: Path, before: int) -> None:
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(before)
    with umask(0o077):
        workspace.edit("/run.sh", "sh", "bash")
        assert mode(root / "run.sh") == before
        workspace.write("/run.sh", "#!/bin/zsh\n")
        assert mode(root / "run.sh") == before


@pytest.mark.parametrize(("mask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0, 0o666)])
def test_a_new_file_has_the_mode_the_user_gives_new_files(
    workspace: Workspace, root: Path, mask: int, expected: int
) -> None:
    with umask(mask):
        workspace.write("/folder/new.txt", "x")
    assert mode(root / "folder" / "new.txt") == expected
    assert mode(root / "folder") == 0o777 & ~mask


def test_an_overwritten_program_loses_the_bits_that_lend_rights(
    workspace: Workspace, root: Path
) -> None:
    (root / "tool").write_text("x")
    (root / "tool").chmod(0o4755)
    workspace.write("/tool", "y")
    assert mode(root / "tool") == 0o755


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_somebody_else_stays_theirs(workspace: Workspace, root: Path) -> None:
    (root / "a.txt").write_text("x")
    os.chown(root / "a.txt", 1234, 4321)
    workspace.edit("/a.txt", "x", "y")
    found = (root / "a.txt").stat()
    assert (found.st_uid, found.st_gid) == (1234, 4321)


def test_a_hard_link_elsewhere_keeps_its_content(workspace: Workspace, root: Path) -> None:
    (root / "store").write_text("shared")
    (root / "copy").hardlink_to(root / "store")
    workspace.write("/copy", "mine")
    assert (root / "store").read_text() == "shared"


READ_ONLY_FILE = """
import os, sys
from pathlib import Path
from handrail_backends.workspace import Workspace
if os.geteuid() == 0:
    os.setuid(65534)
workspace = Workspace(Path(sys.argv[1]))
print(workspace.write("/a.txt", "new").error)
print(workspace.write("/locked/b.txt", "new").error)
"""


def test_what_the_user_may_not_write_is_not_written_around(
    workspace: Workspace, root: Path
) -> None:
    open_root = root / "open"
    (open_root / "locked").mkdir(parents=True)
    (open_root / "a.txt").write_text("old")
    (open_root / "a.txt").chmod(0o444)
    (open_root / "locked").chmod(0o555)
    open_root.chmod(0o777)
    for folder in (root, *root.parents):
        if folder.stat().st_uid == os.geteuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY_FILE, str(open_root)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        f"Not written: {open_root}/a.txt is read-only.",
        f"Not written: {open_root}/locked/b.txt cannot be used: Permission denied.",
    ]
    assert (open_root / "a.txt").read_text() == "old"


FILLS_THE_DISK = """
import resource, signal, sys
from pathlib import Path
from handrail_backends.workspace import Workspace
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
workspace = Workspace(Path(sys.argv[1]))
print(workspace.write("/a.txt", "b" * 2_000_000).error)
"""


def test_a_disk_that_is_full_leaves_the_old_content(workspace: Workspace, root: Path) -> None:
    (root / "a.txt").write_text("a" * 1_500_000)
    done = subprocess.run(
        [sys.executable, "-c", FILLS_THE_DISK, str(root)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"Not written: {root}/a.txt cannot be used: File too large.\n"
    assert (root / "a.txt").read_text() == "a" * 1_500_000
    assert [path.name for path in root.iterdir()] == ["a.txt"]


WRITES_FOR_EVER = """
import itertools, sys
from pathlib import Path
from handrail_backends.confined import ConfinedFolder
folder = ConfinedFolder(Path(sys.argv[1]))
print("ready", flush=True)
for letter in itertools.cycle((b"a", b"b")):
    folder.replace(folder.root / "a.txt", letter * 8_000_000)
    print("written", flush=True)
"""


def test_a_kill_in_the_middle_of_a_write_leaves_one_whole_version(root: Path) -> None:
    for writes in range(6):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITES_FOR_EVER, str(root)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(2 + writes):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        content = (root / "a.txt").read_bytes()
        assert content in (b"a" * 8_000_000, b"b" * 8_000_000)


async def test_edits_of_one_file_at_the_same_time_all_arrive(
    workspace: Workspace, root: Path
) -> None:
    (root / "alias.txt").symlink_to("a.txt")
    (root / "a.txt").write_text("".join(f"<{n}>\n" for n in range(40)))
    results = await asyncio.gather(
        *(
            workspace.aedit("/alias.txt" if n % 2 else "/./a.txt", f"<{n}>", f"[{n}]")
            for n in range(40)
        )
    )
    assert {result.error for result in results} == {None}
    assert (root / "a.txt").read_text() == "".join(f"[{n}]\n" for n in range(40))


async def test_a_cancelled_change_is_over_before_the_cancellation_arrives(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(root / "gate")
    started = asyncio.Event()
    loop = asyncio.get_running_loop()
    replace = workspace.disk.replace

    def slow(path: Path, data: bytes) -> None:
        loop.call_soon_threadsafe(started.set)
        (root / "gate").read_text()
        replace(path, data)

    monkeypatch.setattr(workspace.disk, "replace", slow)
    writing = asyncio.create_task(workspace.awrite("/a.txt", "whole"))
    await started.wait()
    writing.cancel()
    assert (await asyncio.wait([writing], timeout=0.05))[0] == set()
    await asyncio.to_thread((root / "gate").write_text, "go")
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert (root / "a.txt").read_text() == "whole"


def test_uploads_and_downloads_are_byte_for_byte(workspace: Workspace, root: Path) -> None:
    data = bytes(range(256)) * 100
    assert [each.error for each in workspace.upload_files([("/new/b.bin", data)])] == [None]
    (root / "folder").mkdir()
    found = workspace.download_files(["/new/b.bin", "/nope", "/folder"])
    assert [(each.content, each.error) for each in found] == [
        (data, None),
        (None, "file_not_found"),
        (None, "is_directory"),
    ]
