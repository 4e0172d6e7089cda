"""The transcript of a session."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from handrail.events import (
    MAIN,
    Call,
    CallFinished,
    CallOutput,
    CallProposed,
    ContextMeasured,
    Notice,
    ReasoningDelta,
    TextDelta,
    TextFinished,
    TurnFinished,
    TurnStarted,
    TurnStopped,
)
from handrail.places import Places
from handrail.sessions.transcript import Transcript

PROJECT = Path("/work/here")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(home=tmp_path / "home", config=tmp_path / "home")


@pytest.fixture
def transcript(places: Places) -> Iterator[Transcript]:
    with Transcript.open(places, PROJECT, "s1") as opened:
        yield opened


def write_turns(transcript: Transcript, count: int) -> None:
    for number in range(count):
        transcript.append(TurnStarted(f"turn {number}"))
        transcript.append(TurnFinished(f"done {number}"))


def test_the_tail_is_the_last_turns_oldest_first(transcript: Transcript) -> None:
    write_turns(transcript, 5)
    assert transcript.tail(2) == [
        TurnStarted("turn 3"),
        TurnFinished("done 3"),
        TurnStarted("turn 4"),
        TurnFinished("done 4"),
    ]


def test_a_turn_taken_up_again_is_one_turn(transcript: Transcript) -> None:
    events = [TurnStarted("go"), TurnStopped(), TurnStarted(""), TurnFinished("done")]
    for event in events:
        transcript.append(event)
    assert transcript.tail(1) == events


def test_a_long_turn_gives_its_last_events(transcript: Transcript) -> None:
    transcript.append(TurnStarted("go"))
    for number in range(20):
        transcript.append(Notice(str(number)))
    assert transcript.tail(1, limit=2) == [Notice("18"), Notice("19")]


def test_events_that_a_later_one_sums_up_are_not_kept(transcript: Transcript) -> None:
    transcript.append(TextDelta(MAIN, "m", "a"))
    transcript.append(ReasoningDelta(MAIN, "m", "a"))
    transcript.append(CallOutput("c", "a"))
    transcript.append(ContextMeasured(MAIN, 1, 2))
    transcript.append(TextFinished(MAIN, "m", "a\ud83d"))
    assert transcript.tail() == [TextFinished(MAIN, "m", "a\ufffd")]


def test_long_results_and_arguments_keep_head_and_tail(transcript: Transcript) -> None:
    long = "head" + "x" * 1_000_000 + "tail"
    transcript.append(
        CallProposed(MAIN, Call("c", "write_file", {"content": long, "deep": [long]}))
    )
    transcript.append(CallFinished(MAIN, Call("c", "ls", {}), ok=True, text=long))
    proposed, finished = transcript.tail()
    assert isinstance(proposed, CallProposed)
    assert isinstance(finished, CallFinished)
    for short in (finished.text, proposed.call.args["content"]):
        assert isinstance(short, str)
        assert len(short) < 4200
        assert short.startswith("headx")
        assert "\n[... 995,912 characters left out ...]\n" in short
        assert short.endswith("xtail")
    assert proposed.call.args["deep"] == [proposed.call.args["content"]]


def test_sessions_do_not_see_each_other_and_another_process_sees_all(
    places: Places, transcript: Transcript
) -> None:
    write_turns(transcript, 1)
    with Transcript.open(places, PROJECT, "s2") as other:
        other.append(TurnStarted("other"))
    with Transcript.open(places, PROJECT, "s1") as again:
        again.append(TurnStarted("turn 1"))
        assert again.tail(1) == [TurnStarted("turn 1")]
        assert len(again.tail()) == 3


def test_events_of_a_newer_version_are_left_out(places: Places, transcript: Transcript) -> None:
    transcript.append(Notice("kept"))
    connection = sqlite3.connect(places.project_db(PROJECT))
    connection.execute(
        "INSERT INTO handrail_transcript (session, turn, at, event)"
        " VALUES ('s1', 0, 0, '{\"type\": \"New\"}')"
    )
    connection.commit()
    connection.close()
    assert transcript.tail() == [Notice("kept")]


WRITER = """
import sys
from collections.abc import Iterator
from pathlib import Path
from handrail.events import Notice, TurnStarted
from handrail.places import find_places
from handrail.sessions.transcript import Transcript

transcript = Transcript.open(find_places({"HANDRAIL_HOME": sys.argv[1]}), Path(sys.argv[2]), "s1")
transcript.append(TurnStarted("go"))
transcript.append(Notice("last word"))
print("written", flush=True)
sys.stdin.readline()
"""


def test_what_was_appended_survives_a_kill(places: Places) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(places.home), str(PROJECT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "written\n"
        writer.kill()
    with Transcript.open(places, PROJECT, "s1") as transcript:
        assert transcript.tail() == [TurnStarted("go"), Notice("last word")]
