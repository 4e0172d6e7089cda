"""Text from outside can always be encoded."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.whole_text import whole, without_surrogates

texts = st.text(st.characters(exclude_categories=()))
values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.integers(), texts),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(texts, inner)),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a", "a"),
        ("ümlaut \U0001f600", "ümlaut \U0001f600"),
        ("\ud83d\ude00", "\U0001f600"),
        ("a\ud83d", "a\ufffd"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\udcff", "\ufffd"),
    ],
)
def test_pairs_are_joined_and_lone_halves_replaced(before: str, after: str) -> None:
    assert without_surrogates(before) == after


@given(values)
def test_every_value_can_be_encoded_afterwards(value: Any) -> None:  # noqa: ANN401  # any JSON
    json.dumps(whole(value), ensure_ascii=False).encode()


@given(values)
def test_a_whole_value_is_the_very_same(value: Any) -> None:  # noqa: ANN401  # any JSON
    mended = whole(value)
    assert whole(mended) is mended
