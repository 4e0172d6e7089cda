"""Answers that are cut, broken, empty or refused: nothing of them runs, nobody is left waiting."""

import pytest

from handrail.events import (
    MAIN,
    CallFinished,
    CallProposed,
    CallStarted,
    Decision,
    Event,
    Notice,
    TextDelta,
    TextFinished,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from tests.support.engine_bed import APPROVE, Bed, Person, call, only, results, turn

CUT = {"say": "I write it.", "calls": [call("write_file", file_path="a.txt", content="half")]}
BROKEN_ARGS = '{"file_path": "a.txt", "content": "half'


def notices(events: list[Event]) -> str:
    return "\n".join(notice.text for notice in only(events, Notice))


def failure(events: list[Event]) -> str:
    last = events[-1]
    assert isinstance(last, TurnFailed)
    return last.message


@pytest.mark.parametrize("args", [{"file_path": "a.txt", "content": "half"}, BROKEN_ARGS])
async def test_a_call_cut_by_the_output_limit_does_not_run_and_the_model_splits_the_work(
    bed: Bed, args: object
) -> None:
    bed.write("a.txt", "whole\n")
    calls = [call("execute", command="touch made"), {"tool": "write_file", "args": args}]
    person = Person()
    events = await bed.play(
        [{"say": "I write.", "calls": calls, "finish": "length"}, {"say": "In parts, then."}],
        person=person,
    )
    assert person.asked == []
    assert only(events, CallStarted) == []
    assert [path.name for path in bed.project.iterdir()] == ["a.txt"]
    assert (bed.project / "a.txt").read_text() == "whole\n"
    assert [event.call.name for event in only(events, CallProposed)] == ["execute", "write_file"]
    assert [(event.call.name, event.ok) for event in only(events, CallFinished)] == [
        ("execute", False),
        ("write_file", False),
    ]
    assert all("output limit" in text for text in results(events))
    assert events[-1] == TurnFinished("In parts, then.")


async def test_cut_calls_are_put_up_with_three_times(bed: Bed) -> None:
    cut = {**CUT, "finish": "length"}
    events = await bed.play([cut, cut, cut, {"say": "never said"}])
    assert len(results(events)) == 3
    assert "output limit" in failure(events)
    assert list(bed.project.iterdir()) == []


async def test_other_faults_in_between_start_the_count_anew(bed: Bed) -> None:
    cut = {**CUT, "finish": "length"}
    broken = {"calls": [{"tool": "write_file", "args": BROKEN_ARGS}]}
    events = await bed.play([cut, cut, broken, cut, cut, {"say": "At last."}])
    assert notices(events) == ""
    assert events[-1] == TurnFinished("At last.")


async def test_the_turn_after_a_stopped_one_works(bed: Bed) -> None:
    cut = {**CUT, "finish": "length"}
    turns = [{"rounds": [cut, cut, cut]}, {"rounds": [cut, {"say": "Fine."}]}]
    async with bed.open({"script": 1, "turns": turns}) as conversation:
        await turn(conversation, Person())
        events = await turn(conversation, Person(), "again")
    assert events[-1] == TurnFinished("Fine.")


async def test_a_text_cut_by_the_output_limit_is_kept_and_the_person_is_told(bed: Bed) -> None:
    events = await bed.play([{"say": "It begins with", "finish": "length"}])
    assert [event.text for event in only(events, TextFinished)] == ["It begins with"]
    assert "cut by the model's output limit" in notices(events)
    assert events[-1] == TurnFinished("It begins with")


async def test_a_call_with_broken_arguments_is_answered_and_the_others_run(bed: Bed) -> None:
    calls = [{"tool": "write_file", "args": BROKEN_ARGS}, call("execute", command="touch made")]
    events = await bed.play([{"calls": calls}, {"say": "done"}])
    assert [event.call.name for event in only(events, CallStarted)] == ["execute"]
    assert [path.name for path in bed.project.iterdir()] == ["made"]
    broken = next(it for it in only(events, CallFinished) if it.call.name == "write_file")
    assert not broken.ok
    assert "no valid JSON" in broken.text
    assert events[-1] == TurnFinished("done")


async def test_broken_arguments_alone_do_not_end_the_turn(bed: Bed) -> None:
    broken = {"calls": [{"tool": "write_file", "args": BROKEN_ARGS}]}
    events = await bed.play([broken, {"say": "Now it is whole."}])
    assert events[-1] == TurnFinished("Now it is whole.")


async def test_broken_arguments_again_and_again_end_the_turn_with_a_word(bed: Bed) -> None:
    broken = {"calls": [{"tool": "write_file", "args": BROKEN_ARGS}, call("ls", path=".")]}
    events = await bed.play([broken, broken, broken, {"say": "never said"}])
    assert "cannot be read" in failure(events)
    assert [event.call.name for event in only(events, CallStarted)] == ["ls", "ls"]


@pytest.mark.parametrize(
    "wrong",
    [call("write_flie", file_path="a"), call("write_file", file_path=["a"], content={"b": 1})],
)
async def test_unknown_tools_and_wrong_types_are_answered_and_repeated_ones_end_the_turn(
    bed: Bed, wrong: dict[str, object]
) -> None:
    rounds = [{"calls": [wrong]}] * 5
    events = await bed.play([*rounds, {"say": "never said"}])
    assert list(bed.project.iterdir()) == []
    assert [event.ok for event in only(events, CallFinished)] == [False] * 4
    assert "repeating a call that fails" in failure(events)


@pytest.mark.parametrize("empty", [{"finish": "stop"}, {"think": "Hm.", "finish": "stop"}])
async def test_an_empty_answer_is_asked_for_once_more(bed: Bed, empty: dict[str, object]) -> None:
    events = await bed.play([empty, {"say": "Here it is."}])
    assert notices(events) == ""
    assert events[-1] == TurnFinished("Here it is.")


@pytest.mark.parametrize(
    ("empty", "word"),
    [
        ({"finish": "stop"}, "answered nothing"),
        ({"think": "Hm.", "finish": "length"}, "whole output limit"),
    ],
)
async def test_a_second_empty_answer_is_told(bed: Bed, empty: dict[str, object], word: str) -> None:
    turns = [{"rounds": [empty, empty]}, {"rounds": [{"say": "Better."}]}]
    async with bed.open({"script": 1, "turns": turns}) as conversation:
        events = await turn(conversation, Person())
        assert word in failure(events)
        assert (await turn(conversation, Person(), "again"))[-1] == TurnFinished("Better.")


async def test_a_refusal_is_told_and_its_calls_do_not_run(bed: Bed) -> None:
    refusal = {"calls": [call("execute", command="touch made")], "finish": "content_filter"}
    events = await bed.play([refusal, {"say": "never said"}])
    assert "declined" in failure(events)
    assert list(bed.project.iterdir()) == []
    assert [event.ok for event in only(events, CallFinished)] == [False]


@pytest.mark.parametrize(
    ("rounds", "word"),
    [
        ([{"say": "The tests are", "finish": "length"}], "The tests are"),
        ([{"say": "The tests are", "finish": "length"}], "output limit cut this answer"),
        ([{**CUT, "finish": "length"}] * 3, "output limit cut its calls"),
        ([{"finish": "stop"}] * 2, "Ended without an answer"),
        ([{"finish": "content_filter"}], "declined"),
    ],
)
async def test_what_went_wrong_in_a_sub_agent_reaches_the_main_one(
    bed: Bed, rounds: list[dict[str, object]], word: str
) -> None:
    task = call("task", subagent_type="general-purpose", description="look")
    events = await bed.play(
        {
            "script": 1,
            "turns": [{"rounds": [{"calls": [task]}, {"say": "I see."}]}],
            "agents": {"general-purpose": [{"rounds": rounds}]},
        }
    )
    finished = next(it for it in only(events, CallFinished) if it.source == MAIN)
    assert word in finished.text
    assert len(only(events, Notice)) == 1
    assert list(bed.project.iterdir()) == []
    assert events[-1] == TurnFinished("I see.")


async def test_halves_of_surrogate_pairs_are_replaced_wherever_they_come_from(bed: Bed) -> None:
    args = '{"file_path": "a.txt", "content": "\\ud83d\\ude00 \\ud83d"}'
    rounds = [
        {"say": "one \ud83d", "calls": [{"tool": "write_file", "args": args}]},
        {"calls": [call("execute", command="printf 'b\\377'")]},
        {"calls": [call("execute", command="true")]},
        {"say": "done"},
    ]
    turns = [{"rounds": rounds}, {"rounds": [{"say": "The next."}]}]
    person = Person([(APPROVE,), (APPROVE,), (Decision("reject", "no \udcff"),)])
    async with bed.open({"script": 1, "turns": turns}) as conversation:
        events = await turn(conversation, person, "look \udcff and \ud83d\ude00")
        assert events[0] == TurnStarted("look \ufffd and \U0001f600")
        assert events[-1] == TurnFinished("done")
        assert (bed.project / "a.txt").read_text() == "\U0001f600 \ufffd"
        assert "no \ufffd" in results(events)[-1]
        assert (await turn(conversation, Person(), "on"))[-1] == TurnFinished("The next.")
    for event in [*only(events, TextDelta), *only(events, TextFinished)]:
        event.text.encode()
