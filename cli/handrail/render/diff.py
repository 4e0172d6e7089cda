"""The difference a call makes to a file, computed from its arguments before it runs."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from handrail.events import Call
from handrail.render.matching import changes
from handrail_backends.editing import NoEditError, edited

FileReader = Callable[[str], str | None]
"""The text of the file at an absolute path, line ends untouched; None when there is no such file.

Raises `OSError` or `UnicodeError` for what is no text, a folder for example.
"""

LineKind = Literal["same", "added", "removed", "gap"]

_CONTEXT = 3


@dataclass(frozen=True, slots=True)
class DiffLine:
    kind: LineKind
    number: int
    """In the old file for a removed line, else in the new one; of a gap the lines it leaves out."""
    text: str
    """Untrusted, without its newline."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    path: str
    lines: tuple[DiffLine, ...]
    added: int
    removed: int
    note: str = ""
    """What the lines do not say: a new file, a deleted one, other line endings."""


@dataclass(frozen=True, slots=True)
class NoPreview:
    """The call names no change that could be shown; `reason` says why, in a few words."""

    reason: str


def preview(call: Call, read: FileReader) -> FileDiff | NoPreview:
    """What an `edit_file`, `write_file` or `delete` call will do to its file."""
    path = call.args.get("file_path")
    make = _NEW_TEXTS.get(call.name)
    if make is None or not isinstance(path, str):
        return NoPreview("changes no file")
    try:
        old = read(path)
    except (OSError, UnicodeError):
        return NoPreview("what is there cannot be shown as text")
    new = make(call.args, old)
    return new if isinstance(new, NoPreview) else compare(path, old, new)


def _edited(args: Mapping[str, object], old: str | None) -> str | NoPreview:
    before, after = args.get("old_string"), args.get("new_string")
    if old is None:
        return NoPreview("there is no such file")
    if not isinstance(before, str) or not isinstance(after, str):
        return NoPreview("does not say what to replace")
    try:
        return edited(old, before, after, replace_all=args.get("replace_all") is True).text
    except NoEditError as error:
        return NoPreview(str(error))


def _written(args: Mapping[str, object], old: str | None) -> str | NoPreview:
    del old
    content = args.get("content")
    return content if isinstance(content, str) else NoPreview("does not say what to write")


def _deleted(args: Mapping[str, object], old: str | None) -> NoPreview | None:
    del args
    return NoPreview("there is no such file") if old is None else None


_NEW_TEXTS: Mapping[str, Callable[[Mapping[str, object], str | None], str | NoPreview | None]] = {
    "delete": _deleted,
    "edit_file": _edited,
    "write_file": _written,
}


def compare(path: str, old: str | None, new: str | None, context: int = _CONTEXT) -> FileDiff:
    """From the old text to the new one; None stands for no file."""
    before, after = _lines(old or ""), _lines(new or "")
    notes = [_note(old, new)]
    ends = _ends(before), _ends(after)
    if "mixed" not in ends:
        before, after = _without_returns(before), _without_returns(after)
        if ends in {("LF", "CRLF"), ("CRLF", "LF")}:
            notes.append(f"line endings {ends[0]} to {ends[1]}")
    lines = tuple(_diff_lines(before, after, context))
    added = sum(line.kind == "added" for line in lines)
    removed = sum(line.kind == "removed" for line in lines)
    return FileDiff(path, lines, added, removed, ", ".join(filter(None, notes)))


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _ends(lines: list[str]) -> Literal["none", "CRLF", "LF", "mixed"]:
    """How the lines end; one without a newline at the end of the file counts as the others do."""
    returns = sum(line.endswith("\r") for line in lines)
    if not lines:
        return "none"
    if not returns:
        return "LF"
    last_has_none = not lines[-1].endswith("\r")
    return "CRLF" if returns + last_has_none == len(lines) else "mixed"


def _without_returns(lines: list[str]) -> list[str]:
    return [line.removesuffix("\r") for line in lines]


def _note(old: str | None, new: str | None) -> str:
    if new is None:
        return "deletes the file"
    if old is None:
        return "new file"
    if old == new:
        return "changes nothing"
    if old.endswith("\n") and not new.endswith("\n") and new:
        return "no newline at the end"
    if old and not old.endswith("\n") and new.endswith("\n"):
        return "adds the newline at the end"
    return ""


def _diff_lines(before: list[str], after: list[str], context: int) -> Iterator[DiffLine]:
    found = list(changes(before, after))
    shown = 0
    for index, (i1, i2, j1, j2) in enumerate(found):
        start = max(shown, j1 - context)
        if index and start - shown == 1:
            start = shown
        if index and start > shown:
            yield DiffLine("gap", start - shown, "")
        yield from _numbered("same", after, start, j1)
        yield from _numbered("removed", before, i1, i2)
        yield from _numbered("added", after, j1, j2)
        limit = found[index + 1][2] if index + 1 < len(found) else len(after)
        shown = min(j2 + context, limit)
        yield from _numbered("same", after, j2, shown)


def _numbered(kind: LineKind, lines: list[str], start: int, stop: int) -> Iterator[DiffLine]:
    return (DiffLine(kind, n + 1, lines[n]) for n in range(start, stop))
