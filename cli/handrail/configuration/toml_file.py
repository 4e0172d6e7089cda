"""Reads the two settings files: the person's own, and the project's, which is not to be trusted."""

import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from handrail.errors import SettingsError

PROJECT_FILE = ".handrail/config.toml"
_MOST_BYTES = 64 * 1024
_LONGEST_LINE = 500
"""Dotted keys take the parser time that grows with the square of their length."""

Table = Mapping[str, object]


class RefusedError(Exception):
    """The project's file is not read; the text says why."""


def read_user_file(file: Path) -> Table:
    """Nothing when there is no file."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingsError(
            f"The settings file {file} cannot be read: {error.strerror or error}.",
            hint="Make it readable or move it away.",
        ) from error
    try:
        return _parse(content)
    except ValueError as error:
        raise SettingsError(
            f"The settings file {file} is not valid TOML: {error}.", hint="Correct it there."
        ) from error


def read_project_file(project: Path) -> Table:
    """Follows no link, waits for nothing and reads no more than a settings file can need."""
    try:
        content = _read_project_bytes(project)
    except OSError as error:
        if _is_missing(project, error):
            return {}
        raise RefusedError("it is a link or cannot be read") from error
    if len(content) > _MOST_BYTES:
        raise RefusedError(f"it is larger than {_MOST_BYTES // 1024} kB")
    if max(map(len, content.splitlines()), default=0) > _LONGEST_LINE:
        raise RefusedError(f"it has a line of more than {_LONGEST_LINE} characters")
    try:
        return _parse(content)
    except ValueError as error:
        raise RefusedError(f"it is not valid TOML: {error}") from error


def leaves(table: Table, prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every `section.key` with its value."""
    for name, value in table.items():
        if isinstance(value, dict) and not prefix:
            yield from leaves(cast("Table", value), f"{name}.")
        else:
            yield prefix + name, value


def _parse(content: bytes) -> Table:
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _is_missing(project: Path, error: OSError) -> bool:
    """A link in the place of the folder also counts as no directory, but it is not missing."""
    folder = (project / PROJECT_FILE).parent
    return isinstance(error, (FileNotFoundError, NotADirectoryError)) and not folder.is_symlink()


def _read_project_bytes(project: Path) -> bytes:
    folder_name, file_name = PROJECT_FILE.split("/")
    folder = os.open(project / folder_name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(file_name, flags, dir_fd=folder)
    finally:
        os.close(folder)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise RefusedError("it is no regular file")
        return file.read(_MOST_BYTES + 1)
