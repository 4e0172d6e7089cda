"""Events survive the way through JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.events import (
    MAIN,
    ApprovalAnswered,
    ApprovalRequested,
    ArgumentsTruncated,
    Call,
    CallFinished,
    CallOutput,
    CallProposed,
    CallStarted,
    ContextMeasured,
    Decision,
    Event,
    HistoryOffloaded,
    Notice,
    PendingCall,
    ReasoningDelta,
    ResultOffloaded,
    RetryScheduled,
    Source,
    SubagentFinished,
    SubagentStarted,
    SummaryFinished,
    SummaryStarted,
    TextDelta,
    TextFinished,
    Todo,
    TodosChanged,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    TurnStopped,
    UsageCounted,
)
from handrail.sessions.event_codec import decode, encode, event_types

HELPER = Source("explore", "t1")
CALL = Call("c1", "edit_file", {"file_path": "/p/[a].py", "replace_all": True, "n": [1, 2.5, None]})

SAMPLES: list[Event] = [
    TurnStarted("rename it"),
    TextDelta(MAIN, "m1", "par"),
    ReasoningDelta(MAIN, "m1", "hm"),
    TextFinished(HELPER, "m1", "part", cut=True),
    CallProposed(MAIN, CALL),
    ApprovalRequested(HELPER, "a1", (PendingCall(CALL, "changes a file"),)),
    ApprovalAnswered(
        "a1",
        (CALL, CALL),
        (Decision("edit", args={"x": {"y": ["z"]}}, grant="session"), Decision("reject", "no")),
    ),
    CallStarted(MAIN, CALL),
    CallOutput("c1", "line\n"),
    CallFinished(MAIN, CALL, ok=False, text="exit 1", exit_code=1),
    TodosChanged(MAIN, (Todo("look", "completed"), Todo("edit", "in_progress"))),
    ContextMeasured(MAIN, 1200, None),
    SummaryStarted(MAIN, 41),
    SummaryFinished(MAIN, 41, "so far"),
    HistoryOffloaded(MAIN, 41, None),
    ResultOffloaded(MAIN, "c1", "/scratch/large_tool_results/c1", 212_000),
    ArgumentsTruncated(MAIN, ("c1", "c2")),
    UsageCounted(MAIN, 1000, 20, 500),
    SubagentStarted(HELPER, "look around"),
    SubagentFinished(HELPER),
    RetryScheduled(HELPER, 1, 4, 2.5, "the server is overloaded"),
    Notice("moved aside"),
    TurnFinished("done"),
    TurnStopped(),
    TurnFailed("The model is not reachable. Everything was kept. Try again."),
]


def through_json(event: Event) -> Event | None:
    return decode(json.loads(json.dumps(encode(event), allow_nan=False)))


def test_there_is_a_sample_of_every_event() -> None:
    assert {type(event).__name__ for event in SAMPLES} == set(event_types())


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_equal(event: Event) -> None:
    assert through_json(event) == event


def test_the_form_is_flat_and_names_the_type() -> None:
    assert encode(CallProposed(HELPER, Call("c1", "ls", {"path": "/p"}))) == {
        "type": "CallProposed",
        "source": {"agent": "explore", "call_id": "t1"},
        "call": {"id": "c1", "name": "ls", "args": {"path": "/p"}},
    }


def test_lone_surrogates_are_replaced_and_split_pairs_joined_everywhere() -> None:
    call = Call("c\udcff", "execute", {"k\ud83d": ["\ud83d\ude00", "a\ud83d"]})
    assert through_json(CallProposed(MAIN, call)) == CallProposed(
        MAIN, Call("c\ufffd", "execute", {"k\ufffd": ["\U0001f600", "a\ufffd"]})
    )


def test_arguments_that_json_cannot_hold_become_text() -> None:
    args = {"f": float("inf"), "b": b"x", "t": (1, 2)}
    assert through_json(CallProposed(MAIN, Call("c", "t", args))) == CallProposed(
        MAIN, Call("c", "t", {"f": "inf", "b": "b'x'", "t": [1, 2]})
    )


def test_bottomless_arguments_do_not_end_the_recursion_by_a_crash() -> None:
    bottomless: list[object] = []
    bottomless.append(bottomless)
    assert through_json(CallProposed(MAIN, Call("c", "t", {"a": bottomless}))) is not None


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), JSON_VALUES), st.text())
def test_encoding_what_was_decoded_changes_nothing(args: dict[str, object], text: str) -> None:
    once = encode(CallFinished(MAIN, Call("c", "t", args), ok=True, text=text))
    decoded = decode(json.loads(json.dumps(once, allow_nan=False)))
    assert decoded is not None
    assert encode(decoded) == once


def test_keys_of_a_newer_version_are_left_out_and_defaults_fill_in() -> None:
    data = {"type": "UsageCounted", "source": {"agent": "main"}, "input": 1, "output": 2, "new": 3}
    assert decode(data) == UsageCounted(MAIN, 1, 2)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "TurnStopped",
        {},
        {"type": "Event"},
        {"type": "Source", "agent": "x"},
        {"type": "FromANewerVersion"},
        {"type": ["TurnStopped"]},
        {"type": "TurnStarted"},
        {"type": "TurnStarted", "text": 3},
        {"type": "SummaryStarted", "source": {}, "messages": True},
        {"type": "SummaryStarted", "source": [], "messages": 1},
        {"type": "TodosChanged", "source": {}, "todos": [{"text": "x", "state": "later"}]},
        {"type": "TodosChanged", "source": {}, "todos": {"text": "x"}},
        {"type": "HistoryOffloaded", "source": {}, "messages": 1, "path": 5},
        {"type": "CallProposed", "source": {}, "call": {"id": "c", "name": "t", "args": []}},
    ],
)
def test_what_is_no_event_reads_as_none(data: object) -> None:
    assert decode(data) is None
