"""The file that the final answer goes to: checked before the run, written whole or not at all."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from handrail.errors import HandrailError, UsageError
from handrail.whole_file import replace_file


class FinalFile:
    """A link is followed; an existing file keeps its mode."""

    def __init__(self, path: Path) -> None:
        """Raises `UsageError` for what can be no such file."""
        self._given = path
        self._path = Path(os.path.realpath(path))
        reason = self._refusal()
        if reason:
            raise UsageError(f"The final answer cannot go to {path}: {reason}.")

    def write(self, text: str) -> None:
        try:
            replace_file(self._path, text, self._mode())
        except OSError as error:
            raise HandrailError(
                f"The final answer could not be written to {self._given}: {error.strerror}.",
                hint="The session holds it.",
            ) from error

    def _refusal(self) -> str:
        folder = self._path.parent
        if self._path.exists() and not self._path.is_file():
            return "it is no regular file"
        if not folder.is_dir():
            return f"there is no folder {folder}"
        return "" if os.access(folder, os.W_OK | os.X_OK) else f"{folder} cannot be written"

    def _mode(self) -> int:
        with suppress(FileNotFoundError):
            return stat.S_IMODE(self._path.stat().st_mode)
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
