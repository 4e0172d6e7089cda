"""A folder the agent may read: outcomes are values, errors name paths as the model knows them."""

import base64
from pathlib import Path, PurePosixPath

from deepagents.backends import FilesystemBackend
from deepagents.backends.protocol import (
    DeleteResult,
    EditResult,
    FileData,
    FileDownloadResponse,
    FileInfo,
    FileUploadResponse,
    GlobResult,
    GrepMatch,
    GrepResult,
    LsResult,
    ReadResult,
    WriteResult,
)
from deepagents.backends.utils import (
    InvalidGlobPatternError,
    compile_grep_include_glob,
    slice_read_response,
)
from typing_extensions import override

from handrail_backends.confined import ConfinedFolder, Entry
from handrail_backends.editing import BOM
from handrail_backends.handles import RefusedError, reason
from handrail_backends.names import printable, readable

IMAGES = (".png", ".jpeg", ".jpg", ".webp", ".gif", ".heic", ".heif")
VIDEOS = (".mp4", ".mpeg", ".mov", ".avi", ".flv", ".mpg", ".webm", ".wmv", ".3gpp", ".mkv")
SOUNDS = (".wav", ".mp3", ".aiff", ".aac", ".ogg", ".flac")
MEDIA_SUFFIXES = frozenset((*IMAGES, *VIDEOS, *SOUNDS, ".pdf", ".ppt", ".pptx"))
"""Files that `read_file` hands to the model as they are; it decides by the same suffixes."""

READ_ONLY = "is in a folder that can only be read."
NOT_TEXT = "is not UTF-8 text; look at it with a command, for example `file` or `xxd`."


class Folder(FilesystemBackend):
    """Keys start at the folder. The model finds it at `shown_as`, by default at its real path."""

    def __init__(self, root: Path, *, shown_as: str | None = None) -> None:
        super().__init__(root_dir=root, virtual_mode=True)
        self.disk = ConfinedFolder(self.cwd)
        self._shown_as = (str(self.cwd) if shown_as is None else shown_as).rstrip("/")

    def shown(self, key: str) -> str:
        inner = printable(key.strip("/"))
        return f"{self._shown_as}/{inner}" if inner else self._shown_as or "/"

    def problem(self, key: str, error: OSError) -> str:
        return f"{self.shown(key)} {reason(error)}."

    @override
    def ls(self, path: str) -> LsResult:
        try:
            found = self.disk.entries(self.disk.resolve(path))
        except OSError as error:
            return LsResult(error=self.problem(path, error))
        return LsResult(entries=[_file_info(path.rstrip("/"), entry) for entry in found])

    @override
    def read(self, file_path: str, offset: int = 0, limit: int = 2000) -> ReadResult:
        try:
            data = self.disk.read(self.disk.resolve(file_path))
            if PurePosixPath(file_path).suffix.lower() in MEDIA_SUFFIXES:
                content = base64.standard_b64encode(data).decode("ascii")
                return ReadResult(file_data=FileData(content=content, encoding="base64"))
            text = data.decode("utf-8").removeprefix(BOM)
        except OSError as error:
            return ReadResult(error=self.problem(file_path, error))
        except UnicodeDecodeError:
            return ReadResult(error=f"{self.shown(file_path)} {NOT_TEXT}")
        return slice_read_response(FileData(content=text, encoding="utf-8"), offset, limit)

    @override
    def grep(
        self,
        pattern: str,
        path: str | None = None,
        glob: str | None = None,
        *,
        max_count: int | None = None,
        context_lines: int = 0,
    ) -> GrepResult:
        refusal = self._refusal(path, glob)
        if refusal is not None:
            return GrepResult(error=refusal)
        if path is not None and self.disk.resolve(path).is_file():
            return self._grep_file(pattern, path, max_count)
        found = super().grep(pattern, path, glob, max_count=max_count, context_lines=context_lines)
        matches = [_readable_match(match) for match in found.matches or []]
        return GrepResult(matches=matches, truncated=found.truncated or found.error is not None)

    @override
    def glob(self, pattern: str, path: str | None = None) -> GlobResult:
        refusal = self._refusal(path, pattern)
        if refusal is not None:
            return GlobResult(error=refusal)
        found = super().glob(pattern, path)
        partly = found.error is not None
        return GlobResult(
            matches=[_readable_info(info) for info in found.matches or []],
            truncated=found.truncated or partly,
            truncation_reason="unreadable" if partly else found.truncation_reason,
        )

    @override
    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        return [self._download(path) for path in paths]

    @override
    def write(self, file_path: str, content: str) -> WriteResult:
        return WriteResult(error=f"Not written: {self.shown(file_path)} {READ_ONLY}")

    @override
    def edit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> EditResult:
        return EditResult(error=f"Not edited: {self.shown(file_path)} {READ_ONLY}")

    @override
    def delete(self, file_path: str) -> DeleteResult:
        return DeleteResult(error=f"Not deleted: {self.shown(file_path)} {READ_ONLY}")

    @override
    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        return [FileUploadResponse(path=path, error="permission_denied") for path, _ in files]

    @override
    def _resolve_path(self, key: str) -> Path:
        return self.disk.resolve(key)

    @override
    def _to_virtual_path(self, path: Path) -> str:
        """Links keep their own name. Raises `ValueError` for one that leads outside."""
        path.resolve().relative_to(self.cwd)
        return "/" + path.relative_to(self.cwd).as_posix()

    def _refusal(self, path: str | None, pattern: str | None) -> str | None:
        """Why a search cannot be made. A folder that will be made later has nothing in it yet."""
        try:
            target = self.disk.resolve(path or "/")
            if target != self.cwd:
                target.stat()
            if pattern is not None:
                compile_grep_include_glob(pattern)
        except OSError as error:
            return self.problem(path or "/", error)
        except InvalidGlobPatternError as error:
            return str(error)
        return None

    def _grep_file(self, pattern: str, path: str, max_count: int | None) -> GrepResult:
        """The library searches the file's whole folder where there is no ripgrep."""
        try:
            text = self.disk.read(self.disk.resolve(path)).decode("utf-8")
        except OSError as error:
            return GrepResult(error=self.problem(path, error))
        except UnicodeDecodeError:
            return GrepResult(error=f"{self.shown(path)} {NOT_TEXT}")
        lines = enumerate(text.splitlines(), 1)
        matches = [GrepMatch(path=path, line=n, text=line) for n, line in lines if pattern in line]
        cut = max_count is not None and len(matches) > max_count
        return GrepResult(matches=matches[:max_count], truncated=cut)

    def _download(self, path: str) -> FileDownloadResponse:
        try:
            content = self.disk.read(self.disk.resolve(path))
        except OSError as error:
            return FileDownloadResponse(path=path, error=error_code(error))
        return FileDownloadResponse(path=path, content=content)


def error_code(error: OSError) -> str:
    """The library's word for it, which some of its middleware acts on."""
    if isinstance(error, FileNotFoundError):
        return "file_not_found"
    if isinstance(error, IsADirectoryError):
        return "is_directory"
    if isinstance(error, PermissionError):
        return "permission_denied"
    return "invalid_path" if isinstance(error, RefusedError | NotADirectoryError) else reason(error)


def _file_info(folder: str, entry: Entry) -> FileInfo:
    path = f"{folder}/{entry.name}"
    return _readable_info(
        FileInfo(
            path=f"{path}/" if entry.is_dir else path,
            is_dir=entry.is_dir,
            size=entry.size,
            modified_at=entry.modified_at,
        )
    )


def _readable_info(info: FileInfo) -> FileInfo:
    return FileInfo({**info, "path": readable(info["path"])})


def _readable_match(match: GrepMatch) -> GrepMatch:
    return GrepMatch({**match, "path": readable(match["path"])})
