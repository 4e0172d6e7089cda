"""Single events and short runs of them on the screen."""

from collections.abc import Sequence

import pytest

from handrail.events import (
    MAIN,
    ApprovalAnswered,
    Call,
    CallFinished,
    CallProposed,
    Decision,
    Event,
    HistoryOffloaded,
    ResultOffloaded,
    Source,
    SubagentFinished,
    SubagentStarted,
    SummaryFinished,
    TextFinished,
    Todo,
    TodosChanged,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    TurnStopped,
)
from handrail.render.console import to_ansi
from handrail.render.renderer import Renderer

TESTS = Call("c4", "execute", {"command": "pytest -q"})


def printed(events: Sequence[Event], width: int) -> str:
    renderer = Renderer("/p", lambda _: None)
    return "".join(to_ansi(renderer.render(event), width, "plain") for event in events)


def test_only_the_end_of_a_turn_and_what_is_said_stand_apart() -> None:
    turn = [TurnStarted("go"), TextFinished(MAIN, "m1", "Hm.", cut=True), TurnStopped()]

    assert printed(turn, 80) == (
        "\n> go\n\n  Hm.\n  … cut off here\n\n  Stopped. What was finished is kept.\n"
    )


def test_a_failed_turn_is_a_paragraph_that_is_never_markup() -> None:
    message = "The model [/] could not be reached. All before is kept. Send it again."

    assert printed([TurnFailed(message)], 40) == (
        "\n  The model [/] could not be reached.\n  All before is kept. Send it again.\n"
    )


def test_a_turn_taken_up_again_repeats_no_message() -> None:
    assert printed([TurnStarted(""), TurnFinished("x")], 80) == ""


def test_a_long_message_of_the_person_is_folded() -> None:
    lines = printed([TurnStarted("\n".join(map(str, range(100))))], 80).splitlines()

    assert lines[:3] == ["", "> 0", "  1"]
    assert lines[-2:] == ["  59", "  … 40 more lines"]


def test_every_decision_is_told_and_a_refused_call_only_once() -> None:
    decisions = [
        Decision("edit", args={"command": "ls"}),
        Decision("reject"),
        Decision("respond", "it is\n3"),
    ]
    calls = [Call(f"c{n}", "execute", {"command": f"run{n}"}) for n in range(3)]
    events = [
        ApprovalAnswered("a1", tuple(calls), tuple(decisions)),
        CallFinished(MAIN, calls[1], False, "rejected"),
        CallFinished(MAIN, calls[2], True, "it is\n3"),
    ]

    assert printed(events, 80) == (
        "  approved run run0 with changes\n"
        "  rejected run run1\n"
        "  answered in place of run run2: it is␊3\n"
    )


def test_sub_agents_at_work_together_are_told_apart() -> None:
    one, two = Source("explore", "t1"), Source("explore", "t2")
    ls = Call("c1", "ls", {"path": "/p"})
    events = [
        SubagentStarted(one, "first"),
        CallFinished(one, ls, True, "['a']"),
        SubagentStarted(two, "second"),
        CallFinished(one, ls, True, "['a']"),
        CallFinished(two, ls, True, "['a']"),
        SubagentFinished(one),
        CallFinished(two, ls, True, "['a']"),
        SubagentFinished(two),
    ]

    assert [line.split("  1 entry")[0].rstrip() for line in printed(events, 80).splitlines()] == [
        "  agent explore: first",
        "  │ ls    .",
        "  agent explore 2: second",
        "  │ explore ls    .",
        "  │ explore 2 ls    .",
        "  agent explore finished",
        "  │ ls    .",
        "  agent explore 2 finished",
    ]


def test_a_sub_agent_that_could_not_work_is_told_by_its_call() -> None:
    task = Call("t1", "task", {"description": "look", "subagent_type": "explore"})

    assert printed([CallFinished(MAIN, task, False, "Error: it failed")], 80) == (
        "  task  explore: look                           failed: it failed\n"
    )


@pytest.mark.parametrize("path", ["/scratch/h.md", None])
def test_a_summary_and_its_file_are_told_together_in_either_order(path: str | None) -> None:
    events = [SummaryFinished(MAIN, 4, ""), HistoryOffloaded(MAIN, 4, path)]
    told = (
        "  summarised 4 messages -> /scratch/h.md\n"
        if path
        else "  summarised 4 messages, but could not keep them in a file\n"
    )

    assert printed(events, 80) == told
    assert printed(events[::-1], 80) == told


def test_an_offloaded_result_is_told_below_its_call_in_place_of_the_output() -> None:
    events = [
        CallProposed(MAIN, TESTS),
        ResultOffloaded(MAIN, "c4", "/scratch/large_tool_results/c4", 93_000),
        CallFinished(MAIN, TESTS, True, "Tool result too large", 0),
    ]

    assert printed(events, 80) == (
        "  run   pytest -q                               exit 0\n"
        "    offloaded 93 kB -> /scratch/large_tool_results/c4\n"
    )


def test_what_waited_for_more_is_told_at_the_end_of_a_stopped_turn() -> None:
    events = [
        CallProposed(MAIN, TESTS),
        ResultOffloaded(MAIN, "c4", "/scratch/large_tool_results/c4", 93_000),
        HistoryOffloaded(MAIN, 4, "/scratch/h.md"),
        TurnStopped(),
    ]

    assert printed(events, 80) == (
        "\n  offloaded 4 messages -> /scratch/h.md\n"
        "  offloaded 93 kB -> /scratch/large_tool_results/c4\n"
        "  Stopped. What was finished is kept.\n"
    )


def test_an_id_used_again_after_a_refusal_is_a_new_call() -> None:
    refused = ApprovalAnswered("a1", (TESTS,), (Decision("reject", "no"),))
    finished = CallFinished(MAIN, TESTS, True, "ok", 0)

    assert printed([refused, finished, CallProposed(MAIN, TESTS), finished], 80) == (
        "  rejected run pytest -q: no\n"
        "  run   pytest -q                               exit 0\n"
        "    ok\n"
    )


def test_many_todos_are_a_list_and_long_ones_wrap() -> None:
    todos = (Todo("one [/]", "completed"), Todo("two " * 12, "in_progress"), Todo("c", "pending"))

    assert printed([TodosChanged(MAIN, todos)], 40) == (
        "  todos 1 of 3\n"
        "    ✓ one [/]\n"
        "    ▸ two two two two two two two two\n"
        "      two two two two\n"
        "    · c\n"
    )


def test_a_long_diff_says_what_it_leaves_out() -> None:
    content = "".join(f"line {n}\n" for n in range(100))
    write = Call("c1", "write_file", {"file_path": "/p/new", "content": content})
    events = [CallProposed(MAIN, write), CallFinished(MAIN, write, True, "Updated file /p/new")]
    lines = printed(events, 80).splitlines()

    assert lines[0] == "  write new                                     +100 -0"
    assert "          … 60 more lines, +60 -0" in lines
    assert len(lines) == 43


def test_an_outcome_too_long_for_the_line_goes_below_it() -> None:
    finished = CallFinished(MAIN, TESTS, False, "Error: " + "so it is " * 8)

    assert printed([finished], 50) == (
        "  run   pytest -q\n"
        "        failed: so it is so it is so it is so it\n"
        "        is so it is so it is so it is so it is\n"
    )


def test_output_is_shown_from_its_end_without_what_redraws() -> None:
    text = "\x1b[32m10%\r50%\r100%\x1b[0m\r\n" + "x" * 500
    finished = CallFinished(MAIN, TESTS, True, text, 0)

    assert printed([finished], 300) == (
        "  run   pytest -q                               exit 0\n"
        f"    10%\n    50%\n    100%\n    {'x' * 296}\n    {'x' * 104}… 100 more characters\n"
    )
