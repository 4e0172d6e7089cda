"""File access that cannot leave a folder, whatever links lie in it.

A path is resolved first; then every step of it is opened without following a link, so that one put
there in between leads nowhere.
"""

import contextlib
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from handrail_backends.handles import (
    FILE,
    FOLDER,
    NEW_FILE,
    RefusedError,
    closing,
    iso,
    names_in,
    regular,
    replaceable,
    step,
    sync,
    take_over,
    write_all,
)

MAX_READ_BYTES = 64 * 1024 * 1024
"""Larger files are for commands: reading takes several times a file's size in memory."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a listing says about a name. A link that leads outside, or nowhere, counts as a file."""

    name: str
    is_dir: bool
    size: int
    modified_at: str
    """ISO 8601, or empty for a time no calendar has."""


class ConfinedFolder:
    """One folder and what lies in it. Paths given as keys start at the folder: `/src/a.py`.

    Everything raises `OSError`, whatever the path is. A file is changed completely or not at all;
    only the removal of a folder can stop half-way.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def resolve(self, key: str, *, follow_last: bool = True) -> Path:
        """The real path behind `key`, there or not. Raises `RefusedError` for one outside."""
        given = self._path_in_root(key)
        if given == self.root:
            return given
        if follow_last:
            real = Path(os.path.realpath(given))
        else:
            real = Path(os.path.realpath(given.parent)) / given.name
        if not real.is_relative_to(self.root):
            raise RefusedError(f"leads to {real}, outside {self.root}")
        return real

    def entries(self, path: Path) -> list[Entry]:
        with closing(self._open_folder(path.relative_to(self.root).parts)) as folder:
            return [self._entry(path / name) for name in names_in(folder)]

    def read(self, path: Path) -> bytes:
        with self._parent(path) as (folder, name):
            regular(os.stat(name, dir_fd=folder, follow_symlinks=False))
            handle = os.open(name, os.O_RDONLY | FILE, dir_fd=folder)
            with closing(handle):
                size = regular(os.fstat(handle)).st_size
                if size > MAX_READ_BYTES:
                    raise RefusedError(f"is too large to read at once ({size:,} bytes)")
                with os.fdopen(handle, "rb", closefd=False) as file:
                    return file.read()

    def replace(
        self, path: Path, data: bytes, *, file_mode: int = 0o666, folder_mode: int = 0o777
    ) -> None:
        """Puts `data` there, through a file beside it. An old file keeps its mode."""
        with self._parent(path, folder_mode) as (folder, name):
            before = replaceable(folder, name)
            new_name = f".handrail-{secrets.token_hex(8)}"
            mode = file_mode if before is None else before.st_mode & 0o777
            handle = os.open(new_name, NEW_FILE, mode, dir_fd=folder)
            try:
                with closing(handle):
                    write_all(handle, data)
                    if before is not None:
                        take_over(handle, before)
                    os.fsync(handle)
                os.rename(new_name, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(new_name, dir_fd=folder)
                raise
            sync(folder)

    def append(self, path: Path, data: bytes) -> None:
        with self._parent(path) as (folder, name):
            handle = os.open(name, os.O_WRONLY | os.O_APPEND | FILE, dir_fd=folder)
            with closing(handle):
                size = regular(os.fstat(handle)).st_size
                try:
                    write_all(handle, data)
                    os.fsync(handle)
                except OSError:
                    os.ftruncate(handle, size)
                    raise

    def remove(self, path: Path) -> None:
        """Removes a file, a link (never what it points to) or a folder with all that is in it."""
        with self._parent(path) as (folder, name):
            if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                shutil.rmtree(name, dir_fd=folder)
            else:
                os.unlink(name, dir_fd=folder)

    def _entry(self, path: Path) -> Entry:
        real = Path(os.path.realpath(path))
        try:
            found = real.stat() if real.is_relative_to(self.root) else path.lstat()
        except OSError:
            return Entry(path.name, is_dir=False, size=0, modified_at="")
        is_dir = stat.S_ISDIR(found.st_mode)
        return Entry(path.name, is_dir, 0 if is_dir else found.st_size, iso(found.st_mtime))

    def _path_in_root(self, key: str) -> Path:
        if "\0" in key:
            raise RefusedError("holds a NUL character")
        try:
            key.encode("utf-8")
        except UnicodeEncodeError:
            raise RefusedError("is not valid text") from None
        if ".." in PurePosixPath(key).parts:
            raise RefusedError("holds '..'; give the path without it")
        path = self.root / key.lstrip("/")
        self._refuse_copy(path)
        return path

    def _refuse_copy(self, path: Path) -> None:
        """A path that names the root twice is a mistake, unless such a copy is really there."""
        copy = self.root / str(self.root).lstrip("/")
        if copy != self.root and path.is_relative_to(copy) and not os.path.lexists(copy):
            meant = self.root / path.relative_to(copy)
            raise RefusedError(f"names {self.root} twice; the path is {meant}")

    @contextlib.contextmanager
    def _parent(self, path: Path, folder_mode: int | None = None) -> Generator[tuple[int, str]]:
        """An open folder and the name in it. With a mode, folders that are missing are made."""
        parts = path.relative_to(self.root).parts
        if not parts:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with closing(self._open_folder(parts[:-1], folder_mode)) as folder:
            yield folder, parts[-1]

    def _open_folder(self, parts: Sequence[str], mode: int | None = None) -> int:
        folder = os.open(self.root, FOLDER | os.O_NOFOLLOW)
        for part in parts:
            with closing(folder):
                folder = step(folder, part, mode)
        return folder
