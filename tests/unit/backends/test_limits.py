"""What is left of output that is too long."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from handrail_backends.limits import Collector, shorten, shorten_bytes


def test_a_text_within_the_budget_stays_as_it_is() -> None:
    assert shorten("0123456789", 10) == "0123456789"
    assert shorten_bytes(b"0123456789", 10) == "0123456789"


def test_a_longer_text_keeps_head_and_tail_and_says_how_much_is_missing() -> None:
    assert shorten("a" * 5 + "b" * 2000 + "c" * 5, 10) == (
        "aaaaa\n[... 2,000 characters left out ...]\nccccc"
    )
    assert shorten_bytes(b"a" * 5 + b"b" * 2000 + b"c" * 5, 10) == (
        "aaaaa\n[... 2,000 bytes left out ...]\nccccc"
    )


def test_the_line_follows_a_line_end_at_once() -> None:
    assert shorten("aa\nbbbbb\ncc", 6) == "aa\n[... 5 characters left out ...]\n\ncc"


def test_no_character_is_cut_in_two() -> None:
    data = "€".encode() * 100
    assert shorten_bytes(data, 10) == "€\n[... 294 bytes left out ...]\n€"


def test_bytes_that_are_no_text_are_replaced_not_refused() -> None:
    assert shorten_bytes(b"ok \xff\xfe end", 100) == "ok \ufffd\ufffd end"


@given(st.lists(st.binary(max_size=40)), st.integers(min_value=0, max_value=50))
def test_pieces_make_the_same_as_the_whole(pieces: list[bytes], budget: int) -> None:
    collector = Collector(budget)
    for piece in pieces:
        collector.feed(piece)
    whole = b"".join(pieces)
    assert collector.text() == shorten_bytes(whole, budget)
    assert collector.is_cut == (len(whole) > budget)


@given(st.text(), st.integers(min_value=0, max_value=50))
def test_at_most_the_budget_is_kept(text: str, budget: int) -> None:
    head, _, rest = shorten(text, budget).partition("[... ")
    tail = rest.partition("...]\n")[2]
    assert len(head.removesuffix("\n")) + len(tail) <= budget or text == shorten(text, budget)


def test_a_stream_without_end_needs_bounded_memory() -> None:
    collector = Collector(100_000)
    chunk = b"y\n" * 32_768
    tracemalloc.start()
    for _ in range(1_000):
        collector.feed(chunk)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
    assert collector.total == 65_536_000
