"""Which lines changed from one text to another, in nearly linear time."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

Change = tuple[int, int, int, int]
"""Start and stop of the old lines, start and stop of the new lines in their place."""

_MAX_PAIRS = 100_000
"""Pairs of equal lines between two anchors above which all lines there count as changed."""


def changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """The changes in order.

    Lines that are there exactly once on both sides hold the texts together; what lies between
    two of them is small and compared closely.
    """
    i = j = 0
    for a, b in [*_anchors(old, new), (len(old), len(new))]:
        yield from _between(old, new, (i, a, j, b))
        i, j = a + 1, b + 1


def _between(old: Sequence[str], new: Sequence[str], span: Change) -> Iterator[Change]:
    i1, i2, j1, j2 = span
    while i1 < i2 and j1 < j2 and old[i1] == new[j1]:
        i1, j1 = i1 + 1, j1 + 1
    while i1 < i2 and j1 < j2 and old[i2 - 1] == new[j2 - 1]:
        i2, j2 = i2 - 1, j2 - 1
    one, other = old[i1:i2], new[j1:j2]
    if not one and not other:
        return
    if not one or not other or _pairs(one, other) > _MAX_PAIRS:
        yield i1, i2, j1, j2
        return
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            yield i1 + a1, i1 + a2, j1 + b1, j1 + b2


def _pairs(one: Sequence[str], other: Sequence[str]) -> int:
    counts = Counter(one)
    return sum(counts[line] for line in other)


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Places of the lines that are unique on both sides, as many as keep their order."""
    before, after = Counter(old), Counter(new)
    place = {line: j for j, line in enumerate(new) if after[line] == 1}
    common = [(i, place[line]) for i, line in enumerate(old) if before[line] == 1 and line in place]
    return _rising(common)


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, not necessarily neighbours, whose second numbers rise."""
    tops: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for index, (_, value) in enumerate(pairs):
        pile = bisect_left(tops, value)
        previous.append(ends[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [value]
        ends[pile : pile + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = previous[index]
    return chain[::-1]
