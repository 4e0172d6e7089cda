"""A folder the agent may read: outcomes are values, errors name paths as the model knows them."""

import base64
from pathlib import PurePosixPath

from deepagents.backends.protocol import (
    DeleteResult,
    EditResult,
    FileData,
    FileDownloadResponse,
    FileInfo,
    FileUploadResponse,
    LsResult,
    ReadResult,
    WriteResult,
)
from deepagents.backends.utils import (
    slice_read_response,
)
from typing_extensions import override

from handrail_backends.confined import Entry
from handrail_backends.editing import BOM
from handrail_backends.handles import RefusedError, reason
from handrail_backends.search import NOT_TEXT, SearchableFolder, readable_info

IMAGES = (".png", ".jpeg", ".jpg", ".webp", ".gif", ".heic", ".heif")
VIDEOS = (".mp4", ".mpeg", ".mov", ".avi", ".flv", ".mpg", ".webm", ".wmv", ".3gpp", ".mkv")
SOUNDS = (".wav", ".mp3", ".aiff", ".aac", ".ogg", ".flac")
MEDIA_SUFFIXES = frozenset((*IMAGES, *VIDEOS, *SOUNDS, ".pdf", ".ppt", ".pptx"))
"""Files that `read_file` hands to the model as they are; it decides by the same suffixes."""

READ_ONLY = "is in a folder that can only be read."


class Folder(SearchableFolder):
    """Reading and listing, beside searching; what would change something is refused."""

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
    return readable_info(
        FileInfo(
            path=f"{path}/" if entry.is_dir else path,
            is_dir=entry.is_dir,
            size=entry.size,
            modified_at=entry.modified_at,
        )
    )
