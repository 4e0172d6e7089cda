"""One process at a time works in a session."""

import fcntl
import os
from pathlib import Path
from typing import Self

from handrail.errors import SessionError


class Lease:
    """Held while the process lives: the kernel lets go of it, also after `kill -9`."""

    def __init__(self, folder: Path, session_id: str) -> None:
        """Raises `SessionError` when another process works in the session."""
        self._file = os.open(folder / "lease", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._file, 32, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            raise SessionError(
                f"The session {session_id} is in use by process {holder or 'unknown'}.",
                hint="Nothing was changed. Leave it there, or start a new one with `agent`.",
            ) from error
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
