"""Key files: one for a provider or a server, private to the person, in a folder of their own.

A file is named after its provider, or after the origin of the server, quoted.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, unquote

from handrail.credentials.secret import Secret
from handrail.errors import ModelError, StorageError
from handrail.whole_file import replace_file

_MOST_BYTES = 64 * 1024


def key_file(folder: Path, owner: str) -> Path:
    """`owner` is a provider or an origin."""
    return folder / quote(owner, safe="")


def read_key_file(folder: Path, owner: str) -> Secret | None:
    """None when there is no file. Raises `ModelError` for one that others can read."""
    file = key_file(folder, owner)
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(file, error.strerror or str(error)) from error
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _unreadable(file, "it is no regular file")
        _refuse_open(file, status.st_mode & 0o077, f"chmod 600 '{file}'")
        _refuse_open(file, folder.stat().st_mode & 0o022, f"chmod 700 '{folder}'")
        content = stream.read(_MOST_BYTES)
    return checked(content, str(file))


def checked(content: bytes, origin: str) -> Secret:
    """A key that fits into a request's header. Raises `ModelError`, which never shows it."""
    text = content.decode("ascii", "replace").strip()
    if not text:
        raise ModelError(f"There is no key in {origin}: it is empty.", hint="Put the key there.")
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ModelError(
            f"What {origin} holds is no key: it has spaces, several lines or special characters.",
            hint="Put the key there and nothing else.",
        )
    return Secret(text, origin)


def write_key_file(folder: Path, owner: str, secret: Secret) -> Path:
    """Into a folder that is there already. A reader sees the old key or the new one."""
    file = key_file(folder, owner)
    try:
        replace_file(file, secret.reveal() + "\n", 0o600)
    except OSError as error:
        raise StorageError(
            f"The key could not be written to {file}: {error.strerror}.",
            hint="What was there before is unchanged.",
        ) from error
    return file


def remove_key_file(folder: Path, owner: str) -> bool:
    """False when there was none."""
    file = key_file(folder, owner)
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StorageError(f"{file} could not be removed: {error.strerror}.") from error
    return True


def owners(folder: Path) -> Iterator[str]:
    """The providers and origins that have a file."""
    with suppress(FileNotFoundError, NotADirectoryError):
        for file in sorted(folder.iterdir()):
            if not file.name.startswith("."):
                yield unquote(file.name)


def _refuse_open(file: Path, open_to_others: int, repair: str) -> None:
    if open_to_others:
        raise ModelError(
            f"The key file {file} is open to other users of this machine and was not used.",
            hint=f"Close it with `{repair}`, and replace the key if others may have read it.",
        )


def _unreadable(file: Path, why: str) -> ModelError:
    return ModelError(f"The key file {file} cannot be read: {why}.", hint="Run `agent auth`.")
