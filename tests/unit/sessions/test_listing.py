"""The list of sessions."""

from pathlib import Path

import pytest

from handrail.sessions.index import SessionRecord
from handrail.sessions.listing import age, session_lines

NOW = 1_000_000.0
RECORDS = [
    SessionRecord("1sjq4cprqg", Path("/p/a"), "rename parse()", "m", created=0, updated=NOW - 61),
    SessionRecord("1sjq4cprqf", Path("/p/b"), "x", "m", created=0, updated=NOW - 7_300),
]


def test_a_line_has_id_age_and_title_in_columns() -> None:
    assert list(session_lines(RECORDS, now=NOW)) == [
        "1sjq4cprqg  1 minute ago  rename parse()",
        "1sjq4cprqf  2 hours ago   x",
    ]


def test_the_project_is_shown_when_there_are_several() -> None:
    assert list(session_lines(RECORDS[:1], now=NOW, with_project=True)) == [
        "1sjq4cprqg  1 minute ago  /p/a  rename parse()"
    ]


def test_no_sessions_are_no_lines() -> None:
    assert list(session_lines([], now=NOW)) == []


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (3_599, "59 minutes ago"),
        (3_600, "1 hour ago"),
        (86_400, "1 day ago"),
        (40 * 86_400, "40 days ago"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(seconds: float, words: str) -> None:
    assert age(seconds) == words
