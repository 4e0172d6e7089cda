"""The messages of a project, kept across sessions in a private file."""

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.history import History

from handrail.repl.typed import typed

_READ_BYTES = 512 * 1024
_PRIVATE = 0o600


class InputHistory(History):
    """One JSON string a line, oldest first. Without a usable file it lives in memory only."""

    def __init__(self, path: Path | None) -> None:
        super().__init__()
        self._path = path

    def load_history_strings(self) -> Iterable[str]:
        """Newest first, as far back as the last half megabyte reaches."""
        for line in reversed(_last_lines(self._path)):
            with contextlib.suppress(ValueError):  # a line cut off by a kill
                text = json.loads(line)
                if isinstance(text, str):
                    yield typed(text)

    def store_string(self, string: str) -> None:
        if self._path is None:
            return
        line = "\n" + json.dumps(string)  # in front: the line before may have been cut off
        with contextlib.suppress(OSError):  # the session goes on without a history file
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            file = os.open(self._path, flags, _PRIVATE)
            try:
                os.write(file, line.encode())
            finally:
                os.close(file)


def _last_lines(path: Path | None) -> list[bytes]:
    if path is None:
        return []
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            start = stream.seek(max(0, size - _READ_BYTES))
            lines = stream.read().splitlines()
    except OSError:
        return []
    return lines[1:] if start else lines
