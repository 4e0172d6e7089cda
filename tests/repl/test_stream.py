"""Cutting a streamed text into blocks."""

from collections.abc import Iterator
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.repl.stream import TextStream

_LINES = st.lists(
    st.sampled_from(
        [
            "",
            "",
            "words",
            "- item",
            "  deeper",
            "1. one",
            "10) ten",
            "```",
            "```py",
            "~~~",
            "    code",
            "# head",
            "> quoted",
            "````",
            "``` not closing",
            "last words of a longer line",
        ]
    ),
    max_size=25,
)


def blocks_of(text: str, size: int = 1) -> list[str]:
    """What is returned when the text comes in pieces, and at last its end."""
    stream = TextStream()
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    blocks = [block for piece in pieces if (block := stream.feed(piece))]
    return [*blocks, stream.finish(text)]


def ends_of(blocks: list[str]) -> Iterator[int]:
    return accumulate(len(block) for block in blocks)


@given(lines=_LINES, size=st.integers(1, 40))
def test_the_blocks_put_together_are_the_text(lines: list[str], size: int) -> None:
    text = "\n".join(lines)

    assert "".join(blocks_of(text, size)) == text


@given(lines=_LINES, size=st.integers(2, 40))
def test_where_blocks_end_does_not_depend_on_the_pieces_beyond_their_grouping(
    lines: list[str], size: int
) -> None:
    text = "\n".join(lines)
    ends = {len("".join(blocks_of(text)[: n + 1])) for n in range(len(blocks_of(text)))}
    coarse = {
        len("".join(blocks_of(text, size)[: n + 1])) for n in range(len(blocks_of(text, size)))
    }

    assert coarse <= ends


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("one\n\ntwo words\n", ["one\n\n", "two words\n"]),
        ("one\ntwo\n", ["one\ntwo\n"]),
        ("```\na\n\nb\n```\nafter", ["```\na\n\nb\n```\n", "after"]),
        ("````\n```\n\n```\n````\nafter", ["````\n```\n\n```\n````\n", "after"]),
        ("```\nnever closed\n\nmore of it", ["```\nnever closed\n\nmore of it"]),
        ("- a\n\n- b\n\n  more\n\nafter it all\n", ["- a\n\n- b\n\n  more\n\n", "after it all\n"]),
        (
            "1. a\n\n   ```\n\n   ```\n\nafter it ends",
            ["1. a\n\n   ```\n\n   ```\n\n", "after it ends"],
        ),
        ("| a |\n|---|\n| b |\n\nafter it all\n", ["| a |\n|---|\n| b |\n\n", "after it all\n"]),
    ],
)
def test_a_block_ends_where_markdown_ends_it(text: str, blocks: list[str]) -> None:
    assert blocks_of(text) == blocks


def test_the_tail_is_the_end_of_what_was_not_returned() -> None:
    stream = TextStream()
    stream.feed("one\n\n- a\n- b\n- c\n- d")

    assert stream.tail(2) == "- b\n- c\n- d"


def test_a_final_text_that_is_another_one_is_returned_whole() -> None:
    stream = TextStream()
    stream.feed("one\n\ntwo words and more")

    assert stream.finish("something else") == "something else"
