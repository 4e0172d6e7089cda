"""Files that are values in a store or a state, changed by the rules of files on disk."""

from collections.abc import Mapping
from typing import Any

from handrail_backends.editing import NOT_ENCODABLE, Edited, NoEditError, edited


def check_writable(key: str, text: str) -> None:
    """Raises `NoEditError`."""
    if key.endswith("/"):
        raise NoEditError("It is a folder; give the name of a file in it.")
    try:
        (key + text).encode("utf-8")
    except UnicodeEncodeError:
        raise NoEditError(NOT_ENCODABLE) from None


def edited_file(file: Mapping[str, Any] | None, old: str, new: str, *, replace_all: bool) -> Edited:
    """Raises `NoEditError`."""
    if file is None:
        raise NoEditError("It is not there.")
    if file.get("encoding") == "base64":
        raise NoEditError("It is not text.")
    result = edited(str(file["content"]), old, new, replace_all=replace_all)
    check_writable("", result.text)
    return result
