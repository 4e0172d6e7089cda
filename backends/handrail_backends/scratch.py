"""What the model writes for itself: files in the session's state."""

from deepagents.backends import StateBackend
from deepagents.backends.protocol import DeleteResult, EditResult, ReadResult, WriteResult
from typing_extensions import override

from handrail_backends.editing import NoEditError
from handrail_backends.names import printable
from handrail_backends.stored_files import check_writable, edited_file


class Scratch(StateBackend):
    """Only usable while a graph runs; keys start at the mount."""

    def __init__(self, mount: str) -> None:
        super().__init__()
        self._mount = mount

    @override
    def read(self, file_path: str, offset: int = 0, limit: int = 2000) -> ReadResult:
        if file_path not in self._read_files():
            return ReadResult(error=f"{self._mount}{printable(file_path)} is not there.")
        return super().read(file_path, offset, limit)

    @override
    def write(self, file_path: str, content: str) -> WriteResult:
        try:
            check_writable(file_path, content)
        except NoEditError as error:
            return WriteResult(error=f"Not written: {self._mount}{printable(file_path)}. {error}")
        return super().write(file_path, content)

    @override
    def edit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> EditResult:
        present = self._read_files().get(file_path)
        try:
            change = edited_file(present, old_string, new_string, replace_all=replace_all)
        except NoEditError as error:
            return EditResult(error=f"Not edited: {self._mount}{printable(file_path)}. {error}")
        super().write(file_path, change.text)
        return EditResult(path=file_path, occurrences=change.count)

    @override
    def delete(self, file_path: str) -> DeleteResult:
        if not file_path.strip("/"):
            return DeleteResult(error=f"Not deleted: {self._mount} itself stays.")
        return super().delete(file_path)
