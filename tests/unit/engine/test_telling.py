"""What another try of a request repeats is on the screen once, whatever the pieces it comes in."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.engine.telling import Telling
from handrail.events import MAIN, Event, ReasoningDelta, TextDelta, TextFinished

Try = tuple[str, Sequence[str]]


def told(*tries: Try, whole: str | None = None) -> list[Event]:
    telling = Telling(MAIN)
    events: list[Event] = []
    for number, (message_id, pieces) in enumerate(tries):
        if number:
            telling.again()
        for piece in pieces:
            events += telling.pieces(message_id, "", piece)
    last_id, pieces = tries[-1]
    text = "".join(pieces) if whole is None else whole
    return [*events, *telling.finished(last_id, text)]


def delta(message_id: str, text: str) -> Event:
    return TextDelta(MAIN, message_id, text)


def finished(message_id: str, text: str, *, cut: bool = False) -> Event:
    return TextFinished(MAIN, message_id, text, cut)


def test_an_equal_answer_goes_on_where_the_first_broke_off() -> None:
    assert told(("a", ["One ", "two"]), ("b", ["One", " tw", "o three", "."])) == [
        delta("a", "One "),
        delta("a", "two"),
        delta("a", " three"),
        delta("a", "."),
        finished("a", "One two three."),
    ]


def test_another_answer_marks_the_first_as_cut_and_stands_alone() -> None:
    assert told(("a", ["One two"]), ("b", ["One", " day", "."])) == [
        delta("a", "One two"),
        finished("a", "One two", cut=True),
        delta("b", "One day"),
        delta("b", "."),
        finished("b", "One day."),
    ]


@pytest.mark.parametrize(("pieces", "text"), [(["One"], "One"), ([], ""), ([], "Two")])
def test_an_answer_that_ends_before_what_is_shown_is_another_one(
    pieces: list[str], text: str
) -> None:
    last = [finished("b", text)] if text else []
    assert told(("a", ["One two"]), ("b", pieces), whole=text) == [
        delta("a", "One two"),
        finished("a", "One two", cut=True),
        *last,
    ]


def test_a_try_that_breaks_off_while_it_repeats_shows_nothing() -> None:
    assert told(("a", ["One two"]), ("b", ["One"]), ("c", ["One two", " three"])) == [
        delta("a", "One two"),
        delta("a", " three"),
        finished("a", "One two three"),
    ]


def test_a_new_id_alone_is_another_try_too() -> None:
    telling = Telling(MAIN)
    events = [*telling.pieces("a", "", "One"), *telling.pieces("b", "", "One two")]
    assert events == [delta("a", "One"), delta("a", " two")]


def test_an_id_that_changes_at_the_end_of_one_answer_changes_nothing() -> None:
    telling = Telling(MAIN)
    events = [*telling.pieces("a", "", "One"), *telling.finished("b", "One")]
    assert events == [delta("a", "One"), finished("a", "One")]


def test_reasoning_is_not_repeated_and_what_differs_has_an_id_of_its_own() -> None:
    telling = Telling(MAIN)
    events = [*telling.pieces("a", "I think", "")]
    telling.again()
    events += telling.pieces("b", "I ", "")
    events += telling.pieces("b", "think so", "")
    telling.again()
    events += telling.pieces("c", "I know", "")
    assert events == [
        ReasoningDelta(MAIN, "a", "I think"),
        ReasoningDelta(MAIN, "a", " so"),
        ReasoningDelta(MAIN, "c", "I know"),
    ]


def test_a_text_cut_by_a_stop_is_told_once() -> None:
    telling = Telling(MAIN)
    list(telling.pieces("a", "", "One two"))
    telling.again()
    list(telling.pieces("b", "", "One"))
    assert list(telling.cut()) == [finished("a", "One two", cut=True)]


PIECES = st.lists(st.text(alphabet="ab \n", min_size=1, max_size=4), max_size=6)


@given(st.lists(PIECES, min_size=1, max_size=4), st.booleans())
def test_the_deltas_of_each_message_add_up_to_its_finished_text(
    tries: list[list[str]], equal: bool
) -> None:
    if equal:
        whole = "".join(tries[-1])
        tries = [[whole[: len("".join(each))]] if each else [] for each in tries[:-1]] + tries[-1:]
    events = told(*[(f"m{n}", [p for p in each if p]) for n, each in enumerate(tries)])
    shown: dict[str, str] = {}
    for event in events:
        if isinstance(event, TextDelta):
            shown[event.message_id] = shown.get(event.message_id, "") + event.text
        elif isinstance(event, TextFinished):
            assert shown.pop(event.message_id, event.text) == event.text
    assert not any(text.strip() for text in shown.values())
    if equal:
        assert not any(isinstance(event, TextFinished) and event.cut for event in events)
