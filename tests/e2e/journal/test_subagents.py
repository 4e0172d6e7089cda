"""Sub-agents that are killed or stopped: what each had done, asked and begun is told apart."""

import signal
from dataclasses import replace

from tests.support.engine_bed import call
from tests.support.killed_turns import Grave, Kill, lasting

WAITS_FOR_SECOND = "until [ -s runs ]; do read -t 0.02 < <(:) || true; done; echo has-first"


def task(description: str) -> dict[str, object]:
    return call("task", description=description, subagent_type="general-purpose")


def two_at_once(grave: Grave) -> None:
    """The first wants to run a second command while the second agent is in its first."""
    first = [
        {"calls": [call("execute", command=WAITS_FOR_SECOND)]},
        {"calls": [call("execute", command="echo again >> runs; echo has-again")]},
        {"say": "first reported"},
    ]
    second = [
        {"calls": [call("execute", command=lasting("second"))]},
        {"say": "second reported"},
    ]
    grave.script(
        {
            "script": 1,
            "turns": [
                {"rounds": [{"calls": [task("the first"), task("the second")]}, {"say": "done"}]},
                {"rounds": [{"say": "next"}]},
            ],
            "agents": {
                "general-purpose": [
                    {"user": "first", "rounds": first},
                    {"user": "second", "rounds": second},
                ]
            },
        }
    )


WAITING_AND_RUNNING = Kill(
    "after aput_writes", "main __interrupt__", after="after judged", after_about="has-again"
)


def test_one_waits_and_one_runs_when_both_are_killed(grave: Grave) -> None:
    two_at_once(grave)
    killed = grave.sit(kill=WAITING_AND_RUNNING)
    assert killed.status == -signal.SIGKILL
    assert grave.ran() == ["second"]
    again = grave.sit(resume=True, text="")
    assert [["has-again" in text for text in request] for request in again.asked] == [[True]]
    assert grave.ran() == ["second", "again"]
    assert again.ended == "TurnFinished"
    assert again.faults == []
    assert again.results() == ["first reported", "second reported"]
    unknown = [text for text in again.answers("general-purpose") if "effect is unknown" in text]
    assert len(unknown) == 1


def test_one_waits_and_one_runs_when_the_person_stops(grave: Grave) -> None:
    two_at_once(grave)
    stopped = grave.sit(kill=replace(WAITING_AND_RUNNING, stop=True))
    assert stopped.ended == "TurnStopped"
    again = grave.sit(resume=True, text="and now")
    assert again.asked == []
    assert grave.ran() == ["second"]
    assert again.ended == "TurnFinished"
    assert again.faults == []
    assert [("did not finish" in text) for text in again.results()] == [True, True]
    assert "effect is unknown" in again.results()[1]


def one_with(grave: Grave, *commands: str) -> None:
    rounds = [{"calls": [call("execute", command=it) for it in commands]}, {"say": "reported"}]
    grave.script(
        {
            "script": 1,
            "turns": [
                {"rounds": [{"calls": [task("the work")]}, {"say": "done"}]},
                {"rounds": [{"say": "next"}]},
            ],
            "agents": {"general-purpose": [{"rounds": rounds}]},
        }
    )


def test_a_killed_sub_agent_goes_on_with_what_was_approved_but_for_what_was_cut(
    grave: Grave,
) -> None:
    one_with(grave, "echo one >> runs; echo has-one", lasting("two"), "echo three >> runs")
    assert grave.sit(kill=Kill("output", "has-two")).status == -signal.SIGKILL
    again = grave.sit(resume=True, text="")
    assert again.asked == []
    assert grave.ran() == ["one", "two", "three"]
    first, second, _ = again.answers("general-purpose")
    assert "has-one" in first
    assert "effect is unknown" in second
    assert again.faults == []
    cut = [e for e in again.events if e["type"] == "CallFinished" and "unknown" in e["text"]]
    assert [event["call"]["args"]["command"] for event in cut] == [lasting("two")]


def test_what_a_killed_sub_agent_had_finished_is_told_when_it_is_not_taken_up(
    grave: Grave,
) -> None:
    one_with(grave, "echo one >> runs; echo has-one", lasting("two"), "echo three >> runs")
    assert grave.sit(kill=Kill("output", "has-two")).status == -signal.SIGKILL
    again = grave.sit(resume=True, ignore_unfinished=True, text="and now")
    assert grave.ran() == ["one", "two"]
    (report,) = again.results()
    assert "has-one" in report
    assert "effect is unknown" in report
    assert "three" not in report
    assert again.faults == []


def test_the_report_of_a_sub_agent_that_had_finished_is_kept(grave: Grave) -> None:
    one_with(grave, "echo one >> runs")
    kill = Kill("after finished", "the work")
    assert grave.sit(kill=kill).status == -signal.SIGKILL
    again = grave.sit(resume=True, text="and now")
    assert again.results() == ["reported"]
    assert grave.ran() == ["one"]


def test_an_approval_in_a_sub_agent_that_was_given_is_not_asked_for_again(grave: Grave) -> None:
    one_with(grave, "echo one >> runs; echo has-one")
    assert grave.sit(kill=Kill("after decided")).status == -signal.SIGKILL
    again = grave.sit(resume=True, text="")
    assert again.asked == []
    assert grave.ran() == ["one"]
    assert again.results() == ["reported"]
