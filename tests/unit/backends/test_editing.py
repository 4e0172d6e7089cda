"""Edits of text as the model saw it."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from handrail_backends.editing import Edited, NoEditError, as_shown, edited


def test_an_edit_with_lf_keeps_the_crlf_of_the_file() -> None:
    text = "one\r\ntwo\r\nthree\r\n"
    assert edited(text, "one\ntwo\n", "one\nTWO\nand more\n") == Edited(
        "one\r\nTWO\r\nand more\r\nthree\r\n", 1
    )


def test_an_edit_with_crlf_changes_a_file_with_lf_as_if_it_had_lf() -> None:
    assert edited("one\ntwo\n", "one\r\n", "1\r\n") == Edited("1\ntwo\n", 1)


def test_mixed_line_ends_stay_where_they_are() -> None:
    text = "a\r\nb\nc\rd\r\n"
    assert edited(text, "a\nb\nc\nd\n", "a\nB\nc\nd\n") == Edited("a\r\nB\nc\rd\r\n", 1)


def test_a_new_line_gets_the_line_end_beside_it() -> None:
    text = "a\r\nb\r\nc\nd\n"
    assert edited(text, "a\n", "a\nnew\n") == Edited("a\r\nnew\r\nb\r\nc\nd\n", 1)
    assert edited(text, "d\n", "new\nd\n") == Edited("a\r\nb\r\nc\nnew\nd\n", 1)
    assert edited("a\r\nb", "b", "b\nc") == Edited("a\r\nb\r\nc", 1)


def test_the_byte_order_mark_stays() -> None:
    assert edited("\ufeffone\r\ntwo", "one", "1") == Edited("\ufeff1\r\ntwo", 1)
    assert edited("\ufeffone", "\ufeffone", "1") == Edited("\ufeff1", 1)


def test_line_ends_that_become_neighbours_do_not_turn_into_one() -> None:
    assert as_shown(edited("a\rX\nb", "X", "").text) == "a\n\nb"
    assert as_shown(edited("a\rX\n\nb", "X", "").text) == "a\n\n\nb"


def test_every_place_is_replaced_when_asked() -> None:
    assert edited("a\r\na\r\n", "a", "bb", replace_all=True) == Edited("bb\r\nbb\r\n", 2)


@pytest.mark.parametrize(
    ("text", "old", "new", "because"),
    [
        ("a\na\n", "a", "b", "2 times"),
        ("a", "b", "c", "not there"),
        ("a", "", "c", "empty"),
        ("a\r\n", "a\n", "a\r\n", "the same"),
        ("x = 1", "x = 1\n", "x = 2\n", "the last line of the file does not have"),
        ("if x:\n\ty = 1\n", "if x:\n    y = 1\n", "pass", "spaces, tabs or line breaks differ"),
    ],
)
def test_an_edit_that_does_not_apply_says_why(text: str, old: str, new: str, because: str) -> None:
    with pytest.raises(NoEditError, match=because):
        edited(text, old, new)


texts = st.text(alphabet="ab \r\n", max_size=30)


@given(texts, st.data(), st.text(alphabet="ab \n", max_size=8))
def test_the_model_sees_exactly_its_edit(text: str, data: st.DataObject, new: str) -> None:
    shown = as_shown(text)
    assume(shown)
    start = data.draw(st.integers(0, len(shown) - 1))
    old = shown[start : data.draw(st.integers(start + 1, len(shown)))]
    assume(old != new)
    result = edited(text, old, new, replace_all=True)
    assert as_shown(result.text) == shown.replace(old, new)
    assert result.count == shown.count(old)


@given(texts, texts)
def test_what_lies_around_an_edit_stays_byte_for_byte(before: str, after: str) -> None:
    assume(not before.endswith("\r"))
    assume(not after.startswith("\n"))
    text = f"{before}OLD{after}"
    assert edited(text, "OLD", "NEW").text == f"{before}NEW{after}"
