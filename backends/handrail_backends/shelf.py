"""Text files in one namespace of a LangGraph store: never blocking, and failures are values."""

import asyncio
import sqlite3
from typing import Any

from deepagents.backends import StoreBackend
from deepagents.backends.protocol import (
    DeleteResult,
    EditResult,
    FileData,
    FileDownloadResponse,
    FileUploadResponse,
    GlobResult,
    GrepResult,
    LsResult,
    ReadResult,
    WriteResult,
)
from deepagents.backends.utils import slice_read_response
from langgraph.store.base import BaseStore, Item
from typing_extensions import override

from handrail_backends.editing import NoEditError
from handrail_backends.names import printable
from handrail_backends.stored_files import check_writable, edited_file

FAILURES = (sqlite3.Error, ValueError, TypeError)
"""What a store raises that is locked, full, closed or holds something else than files."""

ONLY_ASYNC = "This store can only be changed by the async methods."


class Shelf(StoreBackend):
    """Found by the model at `mount`. Use the async methods: a store on a database has no others."""

    def __init__(self, store: BaseStore, namespace: tuple[str, ...], *, mount: str) -> None:
        super().__init__(namespace=lambda _: namespace, store=store)
        self._files = store
        self._files_in = namespace
        self._mount = mount
        self._changing = asyncio.Lock()

    @override
    async def als(self, path: str) -> LsResult:
        try:
            return (await self._loaded()).ls(path)
        except FAILURES as error:
            return LsResult(error=self._failure(path, error))

    @override
    async def agrep(
        self,
        pattern: str,
        path: str | None = None,
        glob: str | None = None,
        *,
        max_count: int | None = None,
    ) -> GrepResult:
        try:
            return (await self._loaded()).grep(pattern, path, glob, max_count=max_count)
        except FAILURES as error:
            return GrepResult(error=self._failure(path or "", error))

    @override
    async def aglob(self, pattern: str, path: str | None = None) -> GlobResult:
        try:
            return (await self._loaded()).glob(pattern, path)
        except FAILURES as error:
            return GlobResult(error=self._failure(path or "", error))

    @override
    async def aread(self, file_path: str, offset: int = 0, limit: int = 2000) -> ReadResult:
        try:
            file = await self._file(file_path)
        except FAILURES as error:
            return ReadResult(error=self._failure(file_path, error))
        if file is None:
            return ReadResult(error=f"{self._at(file_path)} is not there.")
        if file["encoding"] == "base64":
            return ReadResult(file_data=file)
        return slice_read_response(file, offset, limit)

    @override
    async def awrite(self, file_path: str, content: str) -> WriteResult:
        try:
            check_writable(file_path, content)
            async with self._changing:
                return await super().awrite(file_path, content)
        except NoEditError as error:
            return WriteResult(error=f"Not written: {self._at(file_path)}. {error}")
        except FAILURES as error:
            return WriteResult(error=f"Not written: {self._failure(file_path, error)}")

    @override
    async def aedit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> EditResult:
        try:
            async with self._changing:
                present = await self._file(file_path)
                change = edited_file(present, old_string, new_string, replace_all=replace_all)
                await super().awrite(file_path, change.text)
        except NoEditError as error:
            return EditResult(error=f"Not edited: {self._at(file_path)}. {error}")
        except FAILURES as error:
            return EditResult(error=f"Not edited: {self._failure(file_path, error)}")
        return EditResult(path=file_path, occurrences=change.count)

    @override
    async def adelete(self, file_path: str) -> DeleteResult:
        if not file_path.strip("/"):
            return DeleteResult(error=f"Not deleted: {self._mount} itself stays.")
        try:
            async with self._changing:
                return await super().adelete(file_path)
        except FAILURES as error:
            return DeleteResult(error=f"Not deleted: {self._failure(file_path, error)}")

    @override
    async def aupload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        return [await self._upload(path, content) for path, content in files]

    @override
    async def adownload_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        return [await self._download(path) for path in paths]

    @override
    def write(self, file_path: str, content: str) -> WriteResult:
        return WriteResult(error=f"Not written: {self._at(file_path)}. {ONLY_ASYNC}")

    @override
    def edit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> EditResult:
        return EditResult(error=f"Not edited: {self._at(file_path)}. {ONLY_ASYNC}")

    @override
    def delete(self, file_path: str) -> DeleteResult:
        return DeleteResult(error=f"Not deleted: {self._at(file_path)}. {ONLY_ASYNC}")

    @override
    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        return [FileUploadResponse(path=path, error="permission_denied") for path, _ in files]

    async def _loaded(self) -> "_Loaded":
        items = await self._asearch_store_paginated(self._files, self._files_in)
        return _Loaded(self._files, self._files_in, items)

    async def _file(self, key: str) -> FileData | None:
        item = await self._files.aget(self._files_in, key)
        return None if item is None else self._convert_store_item_to_file_data(item)

    async def _upload(self, key: str, content: bytes) -> FileUploadResponse:
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            return FileUploadResponse(path=key, error="is not UTF-8 text")
        return FileUploadResponse(path=key, error=(await self.awrite(key, text)).error)

    async def _download(self, key: str) -> FileDownloadResponse:
        try:
            file = await self._file(key)
        except FAILURES as error:
            return FileDownloadResponse(path=key, error=self._failure(key, error))
        if file is None:
            return FileDownloadResponse(path=key, error="file_not_found")
        return FileDownloadResponse(path=key, content=file["content"].encode("utf-8"))

    def _at(self, key: str) -> str:
        return self._mount + printable(key)

    def _failure(self, key: str, error: Exception) -> str:
        return f"{self._at(key)} cannot be used: {error}."


class _Loaded(StoreBackend):
    """The library's listing and searching over what was read from the store before."""

    def __init__(self, store: BaseStore, namespace: tuple[str, ...], items: list[Item]) -> None:
        super().__init__(namespace=lambda _: namespace, store=store)
        self._items = items

    @override
    def _search_store_paginated(
        self,
        store: BaseStore,
        namespace: tuple[str, ...],
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,
        page_size: int = 100,
    ) -> list[Item]:
        return self._items
