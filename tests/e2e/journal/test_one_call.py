"""`kill -9` at every step of one gated call: nothing runs twice, nothing finished is lost."""

import signal

import pytest

from tests.support.engine_bed import call
from tests.support.killed_turns import Grave, Kill, Seen, lasting

COMMAND = "echo ran >> runs; echo has-run"


def say_and_run(grave: Grave, command: str) -> None:
    turn = {"rounds": [{"calls": [call("execute", command=command)]}, {"say": "done"}]}
    grave.script({"script": 1, "turns": [turn, {"rounds": [{"say": "next"}]}]})


def kill_and_reopen(grave: Grave, kill: Kill, command: str = COMMAND) -> tuple[Seen, Seen]:
    say_and_run(grave, command)
    killed = grave.sit(kill=kill)
    assert killed.status == -signal.SIGKILL, killed.entries[-3:]
    again = grave.sit(resume=True, text="and now")
    assert again.status == 0, again.entries[-3:]
    assert again.faults == []
    assert again.ended == "TurnFinished"
    return killed, again


@pytest.mark.parametrize("point", ["before judged", "after judged"])
def test_killed_before_it_was_asked_it_never_runs(grave: Grave, point: str) -> None:
    _, again = kill_and_reopen(grave, Kill(point, "has-run"))
    assert grave.ran() == []
    assert again.asked == []
    assert ["Not run" in text for text in again.results()] == [True]


@pytest.mark.parametrize("point", ["asked", "before decided"])
def test_an_open_approval_is_asked_again(grave: Grave, point: str) -> None:
    killed, again = kill_and_reopen(grave, Kill(point, "has-run"))
    assert again.asked == killed.asked
    assert grave.ran() == ["ran"]
    assert "has-run" in again.results()[0]


def test_a_decision_that_was_recorded_is_not_asked_for_again(grave: Grave) -> None:
    _, again = kill_and_reopen(grave, Kill("after decided", "has-run"))
    assert again.unfinished
    assert again.asked == []
    assert grave.ran() == ["ran"]
    assert "has-run" in again.results()[0]


@pytest.mark.parametrize("point", ["before aput_writes", "after aput_writes", "before aput"])
def test_a_decision_holds_while_the_framework_stores_it(grave: Grave, point: str) -> None:
    _, again = kill_and_reopen(grave, Kill(point, after="after decided"))
    assert again.asked == []
    assert grave.ran() == ["ran"]
    assert "has-run" in again.results()[0]


def test_an_approved_call_that_had_not_started_runs_when_the_session_goes_on(grave: Grave) -> None:
    _, again = kill_and_reopen(grave, Kill("before started", "has-run"))
    assert again.unfinished
    assert again.asked == []
    assert grave.ran() == ["ran"]


@pytest.mark.parametrize(
    ("kill", "command", "effects"),
    [
        (Kill("after started", "has-run"), COMMAND, []),
        (Kill("output", "has-ran"), lasting("ran"), ["ran"]),
        (Kill("before finished", "has-run"), COMMAND, ["ran"]),
    ],
    ids=["started", "in the command", "after its effect"],
)
def test_a_call_that_started_is_told_as_unknown_and_not_repeated(
    grave: Grave, kill: Kill, command: str, effects: list[str]
) -> None:
    _, again = kill_and_reopen(grave, kill, command)
    assert grave.ran() == effects
    assert again.asked == []
    assert ["effect is unknown" in text for text in again.results()] == [True]


@pytest.mark.parametrize(
    "kill",
    [
        Kill("after finished", "has-run"),
        Kill("before aput_writes", after="after finished"),
        Kill("after aput_writes", after="after finished"),
        Kill("before aput", after="after finished"),
        Kill("after aput", after="after finished"),
    ],
    ids=lambda kill: kill.point,
)
def test_a_finished_result_is_kept_and_given_to_the_model(grave: Grave, kill: Kill) -> None:
    _, again = kill_and_reopen(grave, kill)
    assert grave.ran() == ["ran"]
    assert again.asked == []
    assert ["has-run" in text for text in again.results()] == [True]
