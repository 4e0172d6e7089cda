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
    before, after = old or "", new or ""
    ends = _ends(before), _ends(after)
    if "mixed" not in ends:
        before, after = before.replace("\r\n", "\n"), after.replace("\r\n", "\n")
    notes = [_note(old, new), _ends_note(*ends)]
    lines = tuple(_diff_lines(_lines(before), _lines(after), context))
    added = sum(line.kind == "added" for line in lines)
    removed = sum(line.kind == "removed" for line in lines)
    return FileDiff(path, lines, added, removed, ", ".join(filter(None, notes)))


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _ends(text: str) -> str:
    newlines, returns = text.count("\n"), text.count("\r\n")
    if not newlines:
        return ""
    return "CRLF" if returns == newlines else "mixed" if returns else "LF"


def _ends_note(old: str, new: str) -> str:
    if "mixed" in {old, new} or old == new or not new:
        return ""
    if old:
        return f"line ends {old} to {new}"
    return "line ends CRLF" if new == "CRLF" else ""


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
