"""Replaces text as a model saw it, and keeps what it did not see: line ends and byte order mark."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

BOM = "\ufeff"
NOT_ENCODABLE = "The new text holds half of a surrogate pair, which no file can hold; leave it out."
LINE_END = re.compile(r"\r\n|\r|\n")


class NoEditError(Exception):
    """An edit that does not apply, and what to do: a sentence for the model."""


@dataclass(frozen=True, slots=True)
class Edited:
    text: str
    count: int
    """Replacements made."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What differs between old and new text, at this distance from the start of each match."""

    offset: int
    length: int
    text: str


def edited(text: str, old: str, new: str, *, replace_all: bool = False) -> Edited:
    """`old` and `new` may have any line ends. Raises `NoEditError`."""
    mark, body = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    old, new = as_shown(old), as_shown(new)
    shown = as_shown(body)
    count = _count(shown, old, new, replace_all=replace_all)
    if shown == body:
        return Edited(mark + shown.replace(old, new), count)
    return Edited(mark + _spliced(body, _starts(shown, old), _change(old, new)), count)


def as_shown(text: str) -> str:
    """The text as reading a file shows it."""
    return text.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")


def _count(shown: str, old: str, new: str, *, replace_all: bool) -> int:
    if not old:
        raise NoEditError("The old text is empty; to fill or replace a whole file, write it.")
    if old == new:
        raise NoEditError("The old and the new text are the same.")
    count = shown.count(old)
    if count == 0:
        raise NoEditError(_not_found(shown, old))
    if count > 1 and not replace_all:
        raise NoEditError(
            f"The old text is there {count} times. Give more of the lines around it,"
            " or set replace_all to change every one."
        )
    return count


def _not_found(shown: str, old: str) -> str:
    if old.endswith("\n") and shown.endswith(old.removesuffix("\n")):
        return "The old text ends with a line end, which the last line of the file does not have."
    if _words(old) and _words(old) in _words(shown):
        return (
            "The old text is not there in this form: its spaces, tabs or line breaks differ."
            " Read the place again and copy it exactly."
        )
    return "The old text is not there. Read the file again: it may have changed."


def _words(text: str) -> str:
    return " ".join(text.split())


def _change(old: str, new: str) -> _Change:
    """Leaves out what both have in common, so that its line ends stay untouched."""
    start = _common_length(old, new)
    end = _common_length(reversed(old[start:]), reversed(new[start:]))
    return _Change(start, len(old) - start - end, new[start : len(new) - end])


def _common_length(one: Iterable[str], other: Iterable[str]) -> int:
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _starts(shown: str, old: str) -> Iterator[int]:
    start = shown.find(old)
    while start >= 0:
        yield start
        start = shown.find(old, start + len(old))


def _spliced(body: str, starts: Iterator[int], change: _Change) -> str:
    in_body = _positions_in(body)
    pieces: list[str] = []
    done = 0
    for start in starts:
        begin = in_body(start + change.offset)
        end = in_body(start + change.offset + change.length)
        pieces += (body[done:begin], change.text.replace("\n", _line_end(body, begin, end)))
        done = end
    return _joined([*pieces, body[done:]])


def _positions_in(body: str) -> Callable[[int], int]:
    """From positions in the shown text to positions in `body`, where each CRLF is one longer."""
    pairs = [match.start() - index for index, match in enumerate(re.finditer("\r\n", body))]
    return lambda position: position + bisect_left(pairs, position)


def _line_end(body: str, begin: int, end: int) -> str:
    """The line end for new text: the one it replaces most, else the nearest."""
    replaced = Counter(LINE_END.findall(body[begin:end]))
    if replaced:
        return replaced.most_common(1)[0][0]
    following = LINE_END.search(body, end)
    if following is not None:
        return following[0]
    preceding = re.search(r"(\r\n|\r|\n)[^\r\n]*\Z", body[:begin])
    return preceding[1] if preceding is not None else "\n"


def _joined(pieces: list[str]) -> str:
    """A lone CR and a lone LF that become neighbours must not turn into one line end."""
    joined: list[str] = []
    for piece in filter(None, pieces):
        if joined and joined[-1].endswith("\r"):
            rest = piece.lstrip("\n")
            joined.append("\r" * (len(piece) - len(rest)) + rest)
        else:
            joined.append(piece)
    return "".join(joined)
