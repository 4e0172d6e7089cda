"""A composite whose results name the path where something really lies."""

from deepagents.backends import CompositeBackend
from deepagents.backends.protocol import WriteResult
from typing_extensions import override


class Table(CompositeBackend):
    """Mounts by prefix. A mount that stores under another name than asked for can say so."""

    @override
    def write(self, file_path: str, content: str) -> WriteResult:
        backend, key = self._get_backend_and_key(file_path)
        return _named(backend.write(key, content), file_path, key)

    @override
    async def awrite(self, file_path: str, content: str) -> WriteResult:
        backend, key = self._get_backend_and_key(file_path)
        return _named(await backend.awrite(key, content), file_path, key)


def _named(result: WriteResult, asked: str, key: str) -> WriteResult:
    """The library's composite tells the asked path, whatever the mount answered."""
    if result.path is None:
        return result
    return WriteResult(path=asked.removesuffix(key) + result.path)
