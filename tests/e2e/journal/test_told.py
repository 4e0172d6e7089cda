"""The person is told once, in the transcript, that a turn was cut off and what was interrupted."""

import signal
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.engine_bed import call
from tests.support.killed_turns import Grave, Kill, Seen, lasting


def notices(seen: Seen) -> list[Mapping[str, Any]]:
    return [event for event in seen.past if event["type"] in ("Notice", "TurnStopped")]


def told(sentence: str) -> list[dict[str, str]]:
    return [{"type": "Notice", "text": sentence}, {"type": "TurnStopped"}]


@pytest.mark.parametrize(
    ("kill", "sentence"),
    [
        (
            Kill("output", "has-two"),
            f"The last turn was cut off; 1 call was interrupted: run {lasting('two')}",
        ),
        (Kill("chunk", nth=2), "The last turn was cut off."),
    ],
    ids=["in a command", "in the answer"],
)
def test_a_cut_turn_is_told_once(grave: Grave, kill: Kill, sentence: str) -> None:
    commands = [call("execute", command="true"), call("execute", command=lasting("two"))]
    rounds = [{"say": "I run them both", "calls": commands}]
    grave.script({"script": 1, "turns": [{"rounds": rounds}, {"rounds": [{"say": "next"}]}]})
    assert grave.sit(kill=kill).status == -signal.SIGKILL
    assert notices(grave.sit(resume=True, text="")) == told(sentence)
    assert notices(grave.sit(resume=True, text="")) == told(sentence)


def test_a_turn_that_ended_is_not_told(grave: Grave) -> None:
    grave.script([{"say": "done"}])
    assert grave.sit().ended == "TurnFinished"
    assert notices(grave.sit(resume=True, text="")) == []


def test_a_turn_that_can_be_taken_up_is_not_ended(grave: Grave) -> None:
    grave.script([{"calls": [call("execute", command="true")]}, {"say": "done"}])
    assert grave.sit(kill=Kill("asked")).status == -signal.SIGKILL
    again = grave.sit(resume=True, text="")
    assert again.unfinished
    assert notices(again) == []
    assert again.ended == "TurnFinished"
