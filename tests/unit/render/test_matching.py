"""Changes between texts, put back together and timed."""

import random
import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from handrail.render.matching import changes

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "}"]) | st.text("xyz", max_size=2))


def applied(old: list[str], new: list[str]) -> list[str]:
    """The old lines with every change put in place."""
    result: list[str] = []
    done = 0
    for i1, i2, j1, j2 in changes(old, new):
        result += old[done:i1] + new[j1:j2]
        done = i2
    return result + old[done:]


@given(LINES, LINES)
def test_the_old_lines_with_the_changes_are_the_new_lines(old: list[str], new: list[str]) -> None:
    assert applied(old, new) == new


@given(LINES, LINES)
def test_changes_are_in_order_and_never_empty(old: list[str], new: list[str]) -> None:
    found = list(changes(old, new))

    assert all(i1 < i2 or j1 < j2 for i1, i2, j1, j2 in found)
    assert all(a[1] < b[0] and a[3] < b[2] for a, b in pairwise(found))


def test_equal_texts_have_no_changes() -> None:
    assert list(changes(["a", "b"], ["a", "b"])) == []


def test_only_the_moved_line_counts_as_changed() -> None:
    assert list(changes(["a", "b", "c", "d"], ["b", "c", "a", "d"])) == [
        (0, 1, 0, 0),
        (3, 3, 2, 3),
    ]


def test_a_long_file_with_scattered_changes_is_compared_in_a_moment() -> None:
    chance = random.Random(1)
    old = [chance.choice(["", "}", "    return x", f"line {n}"]) for n in range(20_000)]
    new = ["changed" if n % 400 == 200 else line for n, line in enumerate(old)]

    start = time.process_time()
    found = list(changes(old, new))
    elapsed = time.process_time() - start

    assert len(found) == 50
    assert elapsed < 2


def test_texts_of_few_different_lines_do_not_take_for_ever() -> None:
    chance = random.Random(1)
    old = [chance.choice("ab") for _ in range(20_000)]
    new = [chance.choice("ab") for _ in range(20_000)]

    start = time.process_time()
    found = list(changes(old, new))
    elapsed = time.process_time() - start

    assert len(found) == 1
    assert elapsed < 2
