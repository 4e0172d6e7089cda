"""What left the context, kept on disk for the session: files that grow but never change or go."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path, PurePosixPath
from typing import TypeVar

from deepagents.backends.protocol import (
    DeleteResult,
    EditResult,
    FileUploadResponse,
    LsResult,
    WriteResult,
)
from typing_extensions import override

from handrail_backends.folder import Folder, error_code
from handrail_backends.handles import RefusedError
from handrail_backends.threads import PathLocks, to_end

FILE_MODE = 0o600
FOLDER_MODE = 0o700

ONLY_GROWS = "What lies there stays as it is; only text at its end can be added."

OnWrite = Callable[[str, int], None]
"""Gets the path as the model sees it and the file's size in bytes."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Stored:
    key: str
    size: int
    """Of the whole file, in bytes."""


class ArtifactStore(Folder):
    """Serves `folder` at `mount`. The folder is made at the first write, private to the user.

    A different text under a name that is taken goes to a numbered name beside it, because servers
    repeat call ids; the result says where it lies. `on_write` is called after each write, for the
    async methods on the event loop.
    """

    def __init__(self, folder: Path, *, mount: str, on_write: OnWrite) -> None:
        super().__init__(folder, shown_as=mount)
        self._on_write = on_write
        self._locks = PathLocks()

    @override
    def ls(self, path: str) -> LsResult:
        is_new = not path.strip("/") and not self.cwd.exists()
        return LsResult(entries=[]) if is_new else super().ls(path)

    @override
    def write(self, file_path: str, content: str) -> WriteResult:
        return self._tell(self._write(file_path, content))

    @override
    async def awrite(self, file_path: str, content: str) -> WriteResult:
        return self._tell(await to_end(self._write, file_path, content))

    @override
    def edit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> EditResult:
        return self._tell(self._edit(file_path, old_string, new_string))

    @override
    async def aedit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> EditResult:
        return self._tell(await to_end(self._edit, file_path, old_string, new_string))

    @override
    def delete(self, file_path: str) -> DeleteResult:
        return DeleteResult(error=f"Not deleted: {self.shown(file_path)}. {ONLY_GROWS}")

    @override
    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        return [self._tell(self._upload(path, content)) for path, content in files]

    @override
    async def aupload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        return [self._tell(await to_end(self._upload, path, content)) for path, content in files]

    def _tell(self, outcome: tuple[Result, _Stored | None]) -> Result:
        result, stored = outcome
        if stored is not None:
            self._on_write(self.shown(stored.key), stored.size)
        return result

    def _write(self, key: str, content: str) -> tuple[WriteResult, _Stored | None]:
        try:
            stored = self._add(key, _encoded(content))
        except OSError as error:
            return WriteResult(error=f"Not written: {self.problem(key, error)}"), None
        return WriteResult(path=stored.key), stored

    def _edit(self, key: str, old: str, new: str) -> tuple[EditResult, _Stored | None]:
        try:
            stored = self._extend(key, old, new)
        except OSError as error:
            return EditResult(error=f"Not edited: {self.problem(key, error)}"), None
        if stored is None:
            return EditResult(error=f"Not edited: {self.shown(key)}. {ONLY_GROWS}"), None
        return EditResult(path=key, occurrences=1), stored

    def _upload(self, key: str, content: bytes) -> tuple[FileUploadResponse, _Stored | None]:
        """To this very name: the library does not ask where it went."""
        try:
            stored = self._add_as(key, content)
            if stored is None:
                raise RefusedError(ONLY_GROWS)
        except OSError as error:
            return FileUploadResponse(path=key, error=error_code(error)), None
        return FileUploadResponse(path=key), stored

    def _add(self, key: str, data: bytes) -> _Stored:
        names = filter(None, (self._add_as(name, data) for name in _names(key)))
        return next(names)

    def _add_as(self, key: str, data: bytes) -> _Stored | None:
        """None if something lies there that `data` does not extend."""
        path = self.disk.resolve(key)
        with self._locks.holding(path):
            try:
                present = self.disk.read(path)
            except FileNotFoundError:
                _make_private(self.cwd)
                self.disk.replace(path, data, file_mode=FILE_MODE, folder_mode=FOLDER_MODE)
                return _Stored(key, len(data))
            if not data.startswith(present):
                return None
            self.disk.append(path, data[len(present) :])
            return _Stored(key, len(data))

    def _extend(self, key: str, old: str, new: str) -> _Stored | None:
        """None if the edit is not one that puts text at the end."""
        path = self.disk.resolve(key)
        with self._locks.holding(path):
            present = self.disk.read(path)
            if not old or not new.startswith(old) or not present.endswith(_encoded(old)):
                return None
            added = _encoded(new[len(old) :])
            self.disk.append(path, added)
            return _Stored(key, len(present) + len(added))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _names(key: str) -> Iterator[str]:
    yield key
    path = PurePosixPath(key)
    for number in count(2):
        yield str(path.with_name(f"{path.stem}-{number}{path.suffix}"))


def _make_private(folder: Path) -> None:
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(FOLDER_MODE, exist_ok=True)
