"""The difference a call makes to a file, computed from its arguments before it runs."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from handrail.events import Call

FileReader = Callable[[str], str | None]
"""The text of the file at an absolute path, line endings untouched; None without a text to read."""

LineKind = Literal["same", "added", "removed", "gap"]

_CONTEXT = 3
_MAX_PAIRS = 200_000
"""Pairs of equal lines that are looked at to find what stayed the same."""


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
    if call.name not in {"edit_file", "write_file", "delete"} or not isinstance(path, str):
        return NoPreview("changes no file")
    old = read(path)
    if call.name == "delete":
        return NoPreview("nothing there to read") if old is None else compare(path, old, None)
    if call.name == "write_file":
        content = call.args.get("content")
        return compare(path, old, content if isinstance(content, str) else "")
    if old is None:
        return NoPreview("there is no such file to edit")
    new = edited(old, call)
    return new if isinstance(new, NoPreview) else compare(path, old, new)


def edited(old: str, call: Call) -> str | NoPreview:
    """The text after an `edit_file` call; a file with CRLF endings keeps them."""
    before, after = call.args.get("old_string"), call.args.get("new_string")
    if not isinstance(before, str) or not isinstance(after, str) or not before:
        return NoPreview("the edit does not say what to replace")
    if before not in old and "\r\n" in old:
        before, after = (_with_crlf(text) for text in (before, after))
    count = old.count(before)
    if not count:
        return NoPreview("the text to replace is not in the file")
    if count > 1 and call.args.get("replace_all") is not True:
        return NoPreview(f"the text to replace is there {count} times")
    return old.replace(before, after)


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


def _with_crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


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
    return (
        "CRLF"
        if returns == len(lines) or (returns == len(lines) - 1 and lines[-1][-1:] != "\r")
        else "mixed"
    )


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
    return (
        "adds the newline at the end"
        if old and not old.endswith("\n") and new.endswith("\n")
        else ""
    )


def _diff_lines(before: list[str], after: list[str], context: int) -> Iterator[DiffLine]:
    changes = _changes(before, after)
    shown = 0
    for index, (i1, i2, j1, j2) in enumerate(changes):
        start = max(shown, j1 - context)
        if index and start - shown == 1:
            start = shown
        if index and start > shown:
            yield DiffLine("gap", start - shown, "")
        yield from _numbered("same", after, start, j1)
        yield from _numbered("removed", before, i1, i2)
        yield from _numbered("added", after, j1, j2)
        shown = min(j2 + context, changes[index + 1][2] if index + 1 < len(changes) else len(after))
        yield from _numbered("same", after, j2, shown)


def _numbered(kind: LineKind, lines: list[str], start: int, stop: int) -> Iterator[DiffLine]:
    return (DiffLine(kind, n + 1, lines[n]) for n in range(start, stop))


def _changes(before: list[str], after: list[str]) -> list[tuple[int, int, int, int]]:
    """Where the two differ: old start and stop, new start and stop."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if not old and not new:
        return []
    matcher = _matcher(old, new)
    if matcher is None:
        return [(head, head + len(old), head, head + len(new))]
    opcodes = matcher.get_opcodes()
    return [
        (i1 + head, i2 + head, j1 + head, j2 + head)
        for tag, i1, i2, j1, j2 in opcodes
        if tag != "equal"
    ]


def _matcher(old: list[str], new: list[str]) -> SequenceMatcher[str] | None:
    """None where matching lines would take seconds: there all lines count as changed."""
    before, after = Counter(old), Counter(new)
    pairs = {line: count * before[line] for line, count in after.items()}
    if sum(pairs.values()) <= _MAX_PAIRS:
        return SequenceMatcher(None, old, new, autojunk=False)
    often = len(new) // 100 + 1
    rare = sum(count for line, count in pairs.items() if after[line] <= often)
    return SequenceMatcher(None, old, new) if rare <= _MAX_PAIRS else None


def _common(one: list[str], other: list[str]) -> int:
    """How many lines from the start are the same."""
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
