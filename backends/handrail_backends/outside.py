"""The answer of the file tools for paths where no files can be."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from deepagents.backends.protocol import (
    BackendProtocol,
    DeleteResult,
    EditResult,
    FileDownloadResponse,
    FileUploadResponse,
    GlobResult,
    GrepResult,
    LsResult,
    ReadResult,
    WriteResult,
)
from typing_extensions import override

from handrail_backends.names import printable


class Nowhere(BackendProtocol):
    """Refuses every path with `refusal`, a sentence.

    What is asked of all mounts together (a listing of `/`, a search without a path) finds nothing
    here and is no error: a composite asks its default first, and stops at the first error.
    """

    def refusal(self, path: str) -> str:
        raise NotImplementedError

    @override
    def ls(self, path: str) -> LsResult:
        return LsResult(entries=[]) if path == "/" else LsResult(error=self.refusal(path))

    @override
    def read(self, file_path: str, offset: int = 0, limit: int = 2000) -> ReadResult:
        return ReadResult(error=self.refusal(file_path))

    @override
    def grep(
        self,
        pattern: str,
        path: str | None = None,
        glob: str | None = None,
        *,
        max_count: int | None = None,
    ) -> GrepResult:
        if path is None or path == "/":
            return GrepResult(matches=[])
        return GrepResult(error=self.refusal(path))

    @override
    def glob(self, pattern: str, path: str | None = None) -> GlobResult:
        if path is None or path == "/":
            return GlobResult(matches=[])
        return GlobResult(error=self.refusal(path))

    @override
    def write(self, file_path: str, content: str) -> WriteResult:
        return WriteResult(error=f"Not written: {self.refusal(file_path)}")

    @override
    def edit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> EditResult:
        return EditResult(error=f"Not edited: {self.refusal(file_path)}")

    @override
    def delete(self, file_path: str) -> DeleteResult:
        return DeleteResult(error=f"Not deleted: {self.refusal(file_path)}")

    @override
    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        return [FileUploadResponse(path=path, error="permission_denied") for path, _ in files]

    @override
    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        return [FileDownloadResponse(path=path, error="permission_denied") for path in paths]


class OutsideMounts(Nowhere):
    """Says where files can be: in the mounts, and under the path that was probably meant."""

    def __init__(self, project: Path, mounts: Sequence[str]) -> None:
        self._project = project
        self._mounts = tuple(mounts)

    @override
    def refusal(self, path: str) -> str:
        meant = self._meant(path)
        hint = f" Did you mean {printable(meant)}?" if meant else ""
        mounts = ", ".join(self._mounts)
        return f"{printable(path)} is outside what the file tools reach: {mounts}.{hint}"

    def _meant(self, path: str) -> str | None:
        """The path in the project, given as if the project were the root or through a link."""
        if "\0" in path or ".." in PurePosixPath(path).parts or not path.strip("/"):
            return None
        real = Path(os.path.realpath(path))
        if real.is_relative_to(self._project):
            return str(real)
        below = self._project / path.lstrip("/")
        folder = below.parent
        is_new = folder.is_dir() and folder != self._project
        return str(below) if os.path.lexists(below) or is_new else None
