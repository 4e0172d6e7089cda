"""What the person decided holds across a kill, for exactly the calls it was about."""

import signal
import sqlite3

import pytest

from tests.support.engine_bed import call
from tests.support.killed_turns import Grave, Kill

REACH_RESUME = [
    Kill("after decided"),
    Kill("after aput_writes", after="after decided"),
    Kill("before aput", after="after decided"),
]


def one_command(grave: Grave, command: str = "echo asked >> runs") -> None:
    turn = {"rounds": [{"calls": [call("execute", command=command)]}, {"say": "done"}]}
    grave.script({"script": 1, "turns": [turn, {"rounds": [{"say": "next"}]}]})


@pytest.mark.parametrize("kill", REACH_RESUME, ids=lambda kill: kill.point)
@pytest.mark.parametrize(
    ("decision", "ran", "told"),
    [
        ({"kind": "reject", "message": "not today"}, [], "not today"),
        ({"kind": "respond", "message": "it says 42"}, [], "it says 42"),
        ({"kind": "edit", "args": {"command": "echo edited >> runs; echo ok"}}, ["edited"], "ok"),
    ],
    ids=["reject", "respond", "edit"],
)
def test_a_decision_is_carried_out_after_a_kill(
    grave: Grave, kill: Kill, decision: dict[str, object], ran: list[str], told: str
) -> None:
    one_command(grave)
    killed = grave.sit(answers=[[decision]], kill=kill)
    assert killed.status == -signal.SIGKILL
    again = grave.sit(resume=True, text="and now")
    assert again.asked == []
    assert grave.ran() == ran
    assert told in again.results()[0]
    assert again.faults == []
    assert again.ended == "TurnFinished"


def test_half_of_a_messages_decisions_are_none(grave: Grave) -> None:
    calls = [call("execute", command=f"echo {word} >> runs") for word in ("one", "two")]
    grave.script([{"calls": calls}, {"say": "done"}])
    assert grave.sit(kill=Kill("after _update")).status == -signal.SIGKILL
    again = grave.sit(resume=True, text="")
    assert len(again.asked) == 1
    assert grave.ran() == ["one", "two"]


def test_what_was_allowed_for_the_session_is_asked_again_in_a_new_process(grave: Grave) -> None:
    command = "echo ran >> runs; echo has-run"
    rounds = [{"calls": [call("execute", command=command)]}] * 3
    grave.script({"script": 1, "turns": [{"rounds": [*rounds, {"say": "done"}]}] * 2})
    grant = {"kind": "approve", "grant": "session"}
    killed = grave.sit(answers=[[grant]], kill=Kill("after started", "has-run", nth=2))
    assert len(killed.asked) == 1
    again = grave.sit(resume=True, text="once more")
    assert len(again.asked) == 3
    assert grave.ran() == ["ran"] * 4
    assert again.ended == "TurnFinished"


def test_the_same_command_twice_in_one_message_is_two_calls(grave: Grave) -> None:
    twice = [call("execute", command="echo ran >> runs; echo has-run")] * 2
    grave.script([{"calls": twice}, {"say": "done"}])
    killed = grave.sit(kill=Kill("after finished", "has-run"))
    assert killed.status == -signal.SIGKILL
    assert grave.ran() == ["ran"]
    again = grave.sit(resume=True, text="")
    assert grave.ran() == ["ran", "ran"]
    assert ["has-run" in text for text in again.results()] == [True, True]


def test_the_journal_forgets_a_turn_that_has_ended(grave: Grave) -> None:
    one_command(grave)
    assert grave.sit().ended == "TurnFinished"
    (database,) = grave.root.rglob("project.db")
    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM handrail_journal").fetchone() == (0,)
    connection.close()
