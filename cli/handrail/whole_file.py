"""Replaces a text file so that a reader sees the old one or the new one, and never a part."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def replace_file(file: Path, text: str, mode: int) -> None:
    """Write `text` as UTF-8 with these permissions; the folder is there and `file` is no link.

    On any failure, raised as `OSError` or `UnicodeError`, the old file stays and nothing else.
    """
    draft = file.with_name(f".new-{secrets.token_hex(8)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        draft.replace(file)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
