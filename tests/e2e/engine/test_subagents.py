"""Sub-agents stand under the same gate, error handling, paths and prompt as the main agent."""

from collections.abc import Mapping

import pytest

from handrail.engine import build
from handrail.events import (
    ApprovalRequested,
    CallFinished,
    CallProposed,
    Decision,
    Source,
    SubagentFinished,
    SubagentStarted,
    TextFinished,
    TurnFinished,
)
from tests.support.engine_bed import APPROVE, Bed, Person, call, only


def delegated(*rounds: Mapping[str, object], times: int = 1) -> dict[str, object]:
    """A script whose main agent gives the same task to `times` sub-agents at once."""
    task = call("task", description="do it", subagent_type="general-purpose")
    return {
        "script": 1,
        "turns": [{"rounds": [{"calls": [task] * times}, {"say": "all done"}]}],
        "agents": {"general-purpose": [{"rounds": list(rounds)}] * times},
    }


async def test_a_sub_agents_command_asks_like_any_other_and_says_who_asks(bed: Bed) -> None:
    script = delegated({"calls": [call("execute", command="touch ran")]}, {"say": "reported"})
    person = Person()
    events = await bed.play(script, person=person)
    task = next(e.call for e in only(events, CallProposed) if e.call.name == "task")
    source = Source("general-purpose", task.id)
    assert [request.source for request in person.asked] == [source]
    assert only(events, SubagentStarted) == [SubagentStarted(source, "do it")]
    assert only(events, SubagentFinished) == [SubagentFinished(source)]
    reported = [e.text for e in only(events, TextFinished) if e.source == source]
    assert reported == ["reported"]
    assert (bed.project / "ran").exists()
    assert events[-1] == TurnFinished("all done")


async def test_two_sub_agents_ask_at_once_and_each_gets_its_own_answer(bed: Bed) -> None:
    script = delegated(
        {"calls": [call("execute", command="echo ran >> log")]}, {"say": "reported"}, times=2
    )
    person = Person(answers=[(APPROVE,), (Decision("reject", "one is enough"),)])
    events = await bed.play(script, person=person)
    assert len({request.source.call_id for request in person.asked}) == 2
    assert (bed.project / "log").read_text() == "ran\n"
    assert events[-1] == TurnFinished("all done")


async def test_a_sub_agents_relative_path_means_the_project(bed: Bed) -> None:
    script = delegated(
        {"calls": [call("write_file", file_path="sub/a.txt", content="x")]}, {"say": "reported"}
    )
    person = Person()
    await bed.play(script, person=person)
    assert person.asked_calls[0][0][1]["file_path"] == str(bed.project / "sub/a.txt")
    assert (bed.project / "sub/a.txt").read_text() == "x"


async def test_a_failing_tool_of_a_sub_agent_ends_neither_it_nor_the_turn(
    bed: Bed, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the tool broke")

    monkeypatch.setattr("handrail_backends.host_shell.HostShell.aexecute", broken)
    script = delegated({"calls": [call("execute", command="true")]}, {"say": "reported"})
    events = await bed.play(script)
    failed = [e for e in only(events, CallFinished) if e.call.name == "execute"]
    assert [(e.ok, "the tool broke" in e.text) for e in failed] == [(False, True)]
    assert events[-1] == TurnFinished("all done")


async def test_the_gate_of_a_sub_agent_holds_when_the_approval_is_missing_by_mistake(
    bed: Bed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "interrupt_on", lambda gate, agent: {})  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    script = delegated({"calls": [call("execute", command="touch ran")]}, {"say": "reported"})
    events = await bed.play(script)
    assert not only(events, ApprovalRequested)
    assert list(bed.project.iterdir()) == []
