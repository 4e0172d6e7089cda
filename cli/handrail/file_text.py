"""Reads a file of the project the way a preview of its change needs it."""

import errno
import os
import stat

_MOST_BYTES = 8 * 1024 * 1024


def read_text(path: str) -> str | None:
    """The text with its own line ends; None when there is no file.

    Raises `OSError` for what is no regular file or too large to show, `UnicodeError` for what is
    no text. Never waits: a pipe in the place of a file is not read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "no regular file", path)
        if status.st_size > _MOST_BYTES:
            raise OSError(errno.EFBIG, "too large to show", path)
        return file.read(_MOST_BYTES).decode("utf-8")
