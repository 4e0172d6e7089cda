"""The project as the agent sees and changes it: at its real path, whole and within its bounds."""

from pathlib import Path

from deepagents.backends.protocol import DeleteResult, EditResult, FileUploadResponse, WriteResult
from typing_extensions import override

from handrail_backends.editing import NOT_ENCODABLE, NoEditError, edited
from handrail_backends.folder import Folder, error_code
from handrail_backends.handles import RefusedError
from handrail_backends.search import NOT_TEXT
from handrail_backends.threads import PathLocks, to_end


class Workspace(Folder):
    """Keys start at the root. Two changes of one file never overlap, however it is named.

    A write puts exactly the given characters; an edit keeps line ends and byte order mark.
    """

    def __init__(self, root: Path, *, writable: bool = True) -> None:
        super().__init__(root)
        self.writable = writable
        self._locks = PathLocks()

    @override
    def problem(self, key: str, error: OSError) -> str:
        if isinstance(error, FileNotFoundError) and not self.cwd.is_dir():
            return f"{self.cwd} is not there any more."
        return super().problem(key, error)

    @override
    def write(self, file_path: str, content: str) -> WriteResult:
        if not self.writable:
            return super().write(file_path, content)
        try:
            self._replace(file_path, content.encode("utf-8"))
        except UnicodeEncodeError:
            return WriteResult(error=f"Not written: {self.shown(file_path)}. {NOT_ENCODABLE}")
        except OSError as error:
            return WriteResult(error=f"Not written: {self.problem(file_path, error)}")
        return WriteResult(path=file_path)

    @override
    def edit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> EditResult:
        if not self.writable:
            return super().edit(file_path, old_string, new_string, replace_all)
        try:
            count = self._edit(file_path, old_string, new_string, replace_all)
        except UnicodeDecodeError:
            return EditResult(error=f"Not edited: {self.shown(file_path)} {NOT_TEXT}")
        except (UnicodeEncodeError, NoEditError) as error:
            why = error if isinstance(error, NoEditError) else NOT_ENCODABLE
            return EditResult(error=f"Not edited: {self.shown(file_path)}. {why}")
        except OSError as error:
            return EditResult(error=f"Not edited: {self.problem(file_path, error)}")
        return EditResult(path=file_path, occurrences=count)

    @override
    def delete(self, file_path: str) -> DeleteResult:
        if not self.writable:
            return super().delete(file_path)
        try:
            path = self.disk.resolve(file_path, follow_last=False)
            if path == self.cwd:
                raise RefusedError("is the folder all of this lies in")
            with self._locks.holding(path):
                self.disk.remove(path)
        except OSError as error:
            return DeleteResult(error=f"Not deleted: {self.problem(file_path, error)}")
        return DeleteResult(path=file_path)

    @override
    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        if not self.writable:
            return super().upload_files(files)
        return [self._upload(path, content) for path, content in files]

    @override
    async def awrite(self, file_path: str, content: str) -> WriteResult:
        return await to_end(self.write, file_path, content)

    @override
    async def aedit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> EditResult:
        return await to_end(self.edit, file_path, old_string, new_string, replace_all)

    @override
    async def adelete(self, file_path: str) -> DeleteResult:
        return await to_end(self.delete, file_path)

    @override
    async def aupload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        return await to_end(self.upload_files, files)

    def _replace(self, key: str, data: bytes) -> None:
        path = self.disk.resolve(key)
        with self._locks.holding(path):
            self.disk.replace(path, data)

    def _edit(self, key: str, old: str, new: str, replace_all: bool) -> int:
        path = self.disk.resolve(key)
        with self._locks.holding(path):
            text = self.disk.read(path).decode("utf-8")
            change = edited(text, old, new, replace_all=replace_all)
            self.disk.replace(path, change.text.encode("utf-8"))
        return change.count

    def _upload(self, key: str, content: bytes) -> FileUploadResponse:
        try:
            self._replace(key, content)
        except OSError as error:
            return FileUploadResponse(path=key, error=error_code(error))
        return FileUploadResponse(path=key)
