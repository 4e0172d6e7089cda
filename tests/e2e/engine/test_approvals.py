"""What runs is what was approved: once, edited, rejected, answered, for the session."""

from pathlib import Path

import pytest

from handrail.engine import build
from handrail.events import (
    ApprovalAnswered,
    ApprovalRequested,
    CallFinished,
    CallStarted,
    Decision,
    TurnFinished,
)
from tests.support.engine_bed import APPROVE, Bed, Person, call, only, results, turn


async def test_nothing_of_a_message_runs_before_all_its_calls_are_decided(bed: Bed) -> None:
    calls = [call("execute", command="touch one"), call("execute", command="touch two")]
    seen: list[list[str]] = []

    class Watching(Person):
        async def decide(self, request: ApprovalRequested) -> tuple[Decision, ...]:
            seen.append([path.name for path in bed.project.iterdir()])
            return await super().decide(request)

    events = await bed.play([{"calls": calls}, {"say": "done"}], person=Watching())
    assert seen == [[]]
    started = next(i for i, e in enumerate(events) if isinstance(e, CallStarted))
    assert any(isinstance(e, ApprovalAnswered) for e in events[:started])
    assert sorted(path.name for path in bed.project.iterdir()) == ["one", "two"]


async def test_the_gated_calls_are_asked_in_order_and_answers_reach_their_own_call(
    bed: Bed,
) -> None:
    bed.write("a.txt", "text\n")
    calls = [
        call("read_file", file_path="a.txt"),
        call("execute", command="touch approved"),
        call("ls", path="."),
        call("edit_file", file_path="a.txt", old_string="text", new_string="other"),
    ]
    person = Person(answers=[(APPROVE, Decision("reject", "keep it"))])
    events = await bed.play([{"calls": calls}, {"say": "done"}], person=person)
    project = str(bed.project)
    assert person.asked_calls == [
        [
            ("execute", {"command": "touch approved"}),
            (
                "edit_file",
                {"file_path": f"{project}/a.txt", "old_string": "text", "new_string": "other"},
            ),
        ]
    ]
    assert (bed.project / "approved").exists()
    assert (bed.project / "a.txt").read_text() == "text\n"
    rejected = next(e for e in only(events, CallFinished) if e.call.name == "edit_file")
    assert not rejected.ok
    assert "keep it" in rejected.text
    assert isinstance(events[-1], TurnFinished)


async def test_the_reason_of_a_rejection_reaches_the_model(bed: Bed) -> None:
    rounds = [
        {"calls": [call("execute", command="make")]},
        {"choose": [{"when": "use ninja", "say": "I read the reason"}, {"say": "I did not"}]},
    ]
    person = Person(answers=[(Decision("reject", "use ninja instead"),)])
    events = await bed.play(rounds, person=person)
    assert events[-1] == TurnFinished("I read the reason")


async def test_an_edited_call_runs_as_edited_and_the_model_is_told(bed: Bed) -> None:
    rounds = [
        {"calls": [call("execute", command="touch proposed")]},
        {"choose": [{"when": "touch edited", "say": "I was told"}, {"say": "I was not"}]},
    ]
    person = Person(answers=[(Decision("edit", args={"command": "touch edited; echo seen"}),)])
    events = await bed.play(rounds, person=person)
    assert [path.name for path in bed.project.iterdir()] == ["edited"]
    assert [e.call.args for e in only(events, CallStarted)] == [
        {"command": "touch edited; echo seen"}
    ]
    assert results(events)[0].startswith("seen")
    assert events[-1] == TurnFinished("I was told")


async def test_an_answer_in_place_of_the_tool_is_the_result(bed: Bed) -> None:
    rounds = [
        {"calls": [call("execute", command="touch ran")]},
        {"choose": [{"when": "it is 42", "say": "42"}, {"say": "?"}]},
    ]
    person = Person(answers=[(Decision("respond", "it is 42"),)])
    events = await bed.play(rounds, person=person)
    assert events[-1] == TurnFinished("42")
    assert list(bed.project.iterdir()) == []


async def test_allowed_for_the_session_means_these_bytes_and_no_others(bed: Bed) -> None:
    rounds = [
        {"calls": [call("execute", command="echo a")]},
        {"calls": [call("execute", command="echo a")]},
        {"calls": [call("execute", command="echo a; echo b")]},
        {"say": "done"},
    ]
    person = Person(answers=[(Decision("approve", grant="session"),)])
    await bed.play(rounds, person=person)
    assert person.asked_calls == [
        [("execute", {"command": "echo a"})],
        [("execute", {"command": "echo a; echo b"})],
    ]


async def test_a_grant_given_at_a_prompt_does_not_change_that_prompt(bed: Bed) -> None:
    calls = [call("execute", command="echo a >> log"), call("execute", command="echo a >> log")]
    person = Person(answers=[(Decision("approve", grant="session"), Decision("reject", "once"))])
    events = await bed.play([{"calls": calls}, {"say": "done"}], person=person)
    assert (bed.project / "log").read_text() == "a\n"
    assert isinstance(events[-1], TurnFinished)


async def test_a_file_allowed_for_the_session_may_be_changed_again(bed: Bed) -> None:
    rounds = [
        {"calls": [call("write_file", file_path="a", content="1")]},
        {"calls": [call("write_file", file_path="./a", content="2")]},
        {"calls": [call("write_file", file_path="b", content="3")]},
        {"say": "done"},
    ]
    person = Person(answers=[(Decision("approve", grant="session"),)])
    await bed.play(rounds, person=person)
    assert [calls[0][1]["file_path"] for calls in person.asked_calls] == [
        str(bed.project / "a"),
        str(bed.project / "b"),
    ]


@pytest.mark.parametrize("answer", [(), (APPROVE, APPROVE), (Decision("edit"),)])
async def test_an_answer_that_does_not_fit_runs_nothing_and_the_session_goes_on(
    bed: Bed, answer: tuple[Decision, ...]
) -> None:
    script = {
        "script": 1,
        "turns": [
            {"rounds": [{"calls": [call("execute", command="touch ran")]}, {"say": "one"}]},
            {"rounds": [{"calls": [call("execute", command="touch later")]}, {"say": "two"}]},
        ],
    }
    person = Person(answers=[answer])
    async with bed.open(script) as conversation:
        first = await turn(conversation, person)
        second = await turn(conversation, person)
    assert [first[-1], second[-1]] == [TurnFinished("one"), TurnFinished("two")]
    assert [path.name for path in bed.project.iterdir()] == ["later"]


async def test_scratch_never_asks_and_what_lies_behind_it_does(bed: Bed, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    calls = [
        call("write_file", file_path="/scratch/notes.md", content="mine"),
        call("write_file", file_path=f"/scratch/../{outside}", content="not mine"),
    ]
    person = Person()
    await bed.play([{"calls": calls}, {"say": "done"}], person=person)
    assert [len(calls) for calls in person.asked_calls] == [1]
    assert not outside.exists()


async def test_the_gate_holds_when_the_approval_is_missing_by_mistake(
    bed: Bed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "interrupt_on", lambda gate, agent: {})  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    rounds = [{"calls": [call("execute", command="touch ran")]}, {"say": "done"}]
    person = Person()
    events = await bed.play(rounds, person=person)
    assert person.asked == []
    assert list(bed.project.iterdir()) == []
    assert results(events) == ["Refused: the developer has not approved this call."]
