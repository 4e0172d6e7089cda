"""What the live region shows of a turn that runs."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from handrail.events import (
    MAIN,
    CallOutput,
    CallStarted,
    Event,
    ReasoningDelta,
    RetryScheduled,
    Source,
    SubagentFinished,
    SubagentStarted,
    SummaryStarted,
    TextDelta,
    TextFinished,
    TurnFinished,
    TurnStarted,
)
from handrail.render.fit import cells
from handrail.repl.live import Live
from handrail.repl.live_view import elapsed, live_lines
from tests.support.screenplay import call

HELPER = Source("researcher", "t1")


def shown(
    events: Sequence[Event], *, after_s: float = 0, width: int = 60, rows: int = 10
) -> list[str]:
    time = 0.0
    live = Live(now=lambda: time)
    for event in [TurnStarted("go"), *events]:
        live.take(event)
    time = after_s
    lines = live_lines(live, "/project", width=width, rows=rows)
    return ["".join(text for _, text in line).rstrip() for line in lines]


def test_nothing_is_shown_while_no_turn_runs() -> None:
    assert live_lines(Live(), "", width=60, rows=10) == []
    assert shown([TextDelta(MAIN, "m", "Half a sen"), TurnFinished("")]) == []


def test_the_wait_for_the_model_shows_how_long_it_takes() -> None:
    assert shown([]) == ["  working"]
    assert shown([], after_s=65) == ["  working  1 m 05 s"]
    assert shown([SummaryStarted(MAIN, 41)], after_s=3) == ["  summarising  3 s"]


def test_a_request_that_is_sent_again_counts_down_below_what_came_of_its_answer() -> None:
    retry = RetryScheduled(MAIN, 1, 4, 12.0, "the server is overloaded")
    line = "  retry 1 of 4 in 12 s: the server is overloaded"

    assert shown([ReasoningDelta(MAIN, "m", "hm"), retry]) == [line]
    assert shown([TextDelta(MAIN, "m", "Half a sen"), retry]) == ["", "  Half a sen", line]
    assert shown([retry], after_s=9.5) == ["  retry 1 of 4 in 3 s: the server is overloaded"]
    assert shown([retry], after_s=12) == ["  working  12 s"]
    assert shown([retry, TextDelta(MAIN, "m", "Half")]) == ["", "  Half"]
    assert shown([retry, SubagentStarted(HELPER, "look")]) == [line]


def test_each_agent_that_waits_for_another_try_has_its_line() -> None:
    busy = call("execute", command="make")
    retry = RetryScheduled(HELPER, 2, 4, 3.0, "the connection was lost")

    assert shown([CallStarted(MAIN, busy), retry], after_s=1) == [
        "  run   make",
        "  │ retry 2 of 4 in 2 s: the connection was lost",
    ]


def test_unfinished_text_is_shown_and_finished_blocks_are_handed_out() -> None:
    live = Live()
    live.take(TurnStarted("go"))

    first = live.take(TextDelta(MAIN, "m", "One.\n\nAnd then it went"))
    assert first == TextFinished(MAIN, "m", "One.\n\n")
    assert live.stream.tail(5) == "And then it went"
    whole = TextFinished(MAIN, "m", "One.\n\nAnd then it went on.")
    assert live.take(whole) == TextFinished(MAIN, "m", "And then it went on.")


def test_a_sub_agents_text_is_handed_out_whole() -> None:
    live = Live()

    assert live.take(TextDelta(HELPER, "m", "One.\n\nAnd then it wento words")) is None
    whole = TextFinished(HELPER, "m", "One.\n\nAnd then it wento words")
    assert live.take(whole) == whole


def test_running_calls_show_the_last_lines_of_their_output() -> None:
    made = call("execute", command="pytest -q")
    printed = "".join(f"test {n}\n" for n in range(20))

    assert shown([CallStarted(MAIN, made), CallOutput(made.id, printed)], after_s=7) == [
        "  run   pytest -q  7 s",
        "    test 16",
        "    test 17",
        "    test 18",
        "    test 19",
    ]


def test_reasoning_is_one_line_and_gives_way_to_text() -> None:
    thought = ReasoningDelta(MAIN, "r", "one thought\nafter another " * 20)

    assert len(shown([thought])) == 1
    assert shown([thought])[0].startswith("  thinking  …")
    assert shown([thought, TextDelta(MAIN, "m", "So:")]) == ["", "  So:"]


def test_sub_agents_at_work_are_named() -> None:
    started = SubagentStarted(HELPER, "look")

    assert shown([started]) == ["  researcher working"]
    assert shown([started, SubagentFinished(HELPER)]) == ["  working"]


def test_control_characters_do_not_reach_the_screen() -> None:
    made = call("execute", command="a\x1b[2Jb")
    lines = shown(
        [
            TextDelta(MAIN, "m", "x\x1b]2;t\x07y\u202e"),
            CallStarted(MAIN, made),
            CallOutput(made.id, "50%\r51%\x1b[1A"),
        ]
    )

    assert not set("".join(lines)) & set("\x1b\x07\r\u202e")


@given(
    text=st.text(max_size=400),
    width=st.integers(20, 60),
    rows=st.integers(1, 8),
    calls=st.integers(0, 5),
)
def test_the_region_keeps_to_its_rows_and_columns(
    text: str, width: int, rows: int, calls: int
) -> None:
    made = [call("execute", command=text) for _ in range(calls)]
    events = [TextDelta(MAIN, "m", text), *(CallStarted(MAIN, one) for one in made)]
    events += [CallOutput(one.id, text) for one in made]
    lines = shown(events, width=width, rows=rows, after_s=100)

    assert len(lines) <= rows
    assert all(cells(line) <= width for line in lines)


def test_short_times_are_not_shown() -> None:
    assert [elapsed(seconds) for seconds in (0, 1.9, 2, 59.9, 61)] == [
        "",
        "",
        "2 s",
        "59 s",
        "1 m 01 s",
    ]
