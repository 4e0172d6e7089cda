"""The message of a run: the words of the command line and what was piped into it."""

import os
import select

from handrail.errors import UsageError
from handrail.plain_output import print_text
from handrail.prompt_files import read_prompt

_STDIN = 0
_PATIENCE_S = 3.0
_MOST_BYTES = 10 * 1024 * 1024
_PIECE = 64 * 1024


def compose(words: str, piped: str) -> str:
    """Raises `UsageError` when there is neither."""
    if words and piped.strip():
        return f"{words}\n\n{read_prompt('piped_material')}\n\n{piped}"
    if not (words or piped.strip()):
        raise UsageError(
            "There is no prompt, so nothing was started.",
            hint='Give it in words, agent -p "explain this", or on standard input.',
        )
    return words or piped


def read_piped() -> str:
    """Everything from standard input; nothing when that is a terminal.

    Whoever pipes has to close: after some seconds a line says what is waited for.
    """
    if os.isatty(_STDIN):
        return ""
    try:
        if not select.select([_STDIN], [], [], _PATIENCE_S)[0]:
            print_text("Reading standard input; `< /dev/null` when there is none.", error=True)
        return _read_all().decode("utf-8", "replace")
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"Standard input cannot be read: {reason}.") from error


def _read_all() -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := os.read(_STDIN, _PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > _MOST_BYTES:
            raise UsageError(
                "Standard input is longer than 10 MB, so nothing was started.",
                hint="Write it to a file and name the file in the prompt.",
            )
    return b"".join(pieces)
