"""Open files and folders by number: checks, steps and writes that a link or a crash cannot turn."""

import contextlib
import errno
import os
import stat
from collections.abc import Generator
from datetime import UTC, datetime

from typing_extensions import override

FOLDER = os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
READABLE_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
FILE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

REASONS = {
    errno.ENOENT: "is not there",
    errno.EISDIR: "is a folder",
    errno.ENOTDIR: "is not a folder, or lies below something that is not one",
    errno.ELOOP: "leads round in a circle of links",
    errno.ENAMETOOLONG: "is longer than the file system allows",
}


class RefusedError(OSError):
    """A path that is not touched, and why: a clause that follows the path in a message."""

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EPERM, reason)

    @override
    def __str__(self) -> str:
        return str(self.strerror)


def reason(error: OSError) -> str:
    """Why a path was not used, as a clause that follows it in a message."""
    if isinstance(error, RefusedError):
        return str(error)
    return REASONS.get(error.errno or 0) or f"cannot be used: {error.strerror or error}"


@contextlib.contextmanager
def closing(handle: int) -> Generator[int]:
    try:
        yield handle
    finally:
        os.close(handle)


def iso(timestamp: float) -> str:
    try:
        return datetime.fromtimestamp(timestamp, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return ""


def names_in(folder: int) -> list[str]:
    with (
        closing(os.open(".", READABLE_FOLDER, dir_fd=folder)) as handle,
        os.scandir(handle) as found,
    ):
        return sorted(entry.name for entry in found)


def step(folder: int, name: str, mode: int | None) -> int:
    flags = FOLDER | os.O_NOFOLLOW
    try:
        return os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        if mode is None:
            raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, mode, dir_fd=folder)
    return os.open(name, flags, dir_fd=folder)


def regular(found: os.stat_result) -> os.stat_result:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISLNK(found.st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if not stat.S_ISREG(found.st_mode):
        raise RefusedError("is not a regular file")
    return found


def replaceable(folder: int, name: str) -> os.stat_result | None:
    """What lies under the name now. Renaming over it must not do what its mode forbids."""
    try:
        before = regular(os.stat(name, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        return None
    if not os.access(name, os.W_OK, dir_fd=folder):
        raise RefusedError("is read-only")
    return before


def take_over(handle: int, before: os.stat_result) -> None:
    """Owner and mode of the old file, without the bits that a changed program must not keep."""
    now = os.fstat(handle)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(handle, before.st_uid, before.st_gid)
    os.fchmod(handle, before.st_mode & 0o777)


def write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def sync(folder: int) -> None:
    """Makes a rename last; some file systems cannot, and the file itself is safe already."""
    with (
        contextlib.suppress(OSError),
        closing(os.open(".", READABLE_FOLDER, dir_fd=folder)) as handle,
    ):
        os.fsync(handle)
