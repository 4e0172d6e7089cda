"""Reads what a file holds now, on whichever mount, for the preview of a change.

Memories lie in the framework's store, whose asynchronous connection belongs to the agent; a second
one reads here, at once and without waiting for it.
"""

import errno
import sqlite3
from contextlib import closing
from pathlib import Path, PurePosixPath

from deepagents.backends.protocol import BackendProtocol
from langgraph.store.sqlite import SqliteStore  # pyright: ignore[reportMissingTypeStubs]

from handrail.file_text import read_text
from handrail_backends.memory import memory_mount
from handrail_backends.mounts import MEMORIES, SCRATCH


class PresentText:
    """`user` and `project` are the databases of the two kinds of memories; both exist."""

    def __init__(self, *, user: Path, project: Path) -> None:
        self._user = user
        self._project = project

    def read(self, path: str) -> str | None:
        """See `Conversation.read`."""
        mount = PurePosixPath(path).parts[:2]
        if mount == ("/", SCRATCH[1:]):
            raise OSError(errno.ENOTSUP, "the session's own notes are not previewed", path)
        if mount != ("/", MEMORIES[1:]):
            return read_text(path)
        with closing(_connect(self._user)) as user, closing(_connect(self._project)) as project:
            stores = {"user_store": SqliteStore(user), "project_store": SqliteStore(project)}
            return _download(memory_mount(MEMORIES, **stores), path.removeprefix(MEMORIES))


def _connect(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(database, timeout=1, isolation_level=None, check_same_thread=False)


def _download(mount: BackendProtocol, path: str) -> str | None:
    (found,) = mount.download_files([path])
    if found.error == "file_not_found":
        return None
    if found.content is None:
        raise OSError(errno.EINVAL, found.error or "cannot be read", path)
    return found.content.decode("utf-8")
