"""A cap that is reached stops the run cleanly: what was done is kept and can go on."""

from tests.support.replies import Gate, TokenCount, call, reply
from tests.support.unattended import run, session_of
from tests.support.workplace import Workplace

LOOK = call("ls", path=".")


def test_rounds(place: Workplace) -> None:
    place.server.script(reply("One.", LOOK), reply("Two.", LOOK))
    done = run(place, "go", "--max-rounds", "2")
    assert (done.code, done.out) == (10, "")
    assert done.err.endswith("Stopped: --max-rounds 2 is reached. What was finished is kept.\n")
    assert len(place.server.requests) == 2

    place.server.script(reply("On."))
    assert run(place, "--resume", session_of(done), "go on").out == "On.\n"
    assert len(place.server.requests[-1].results) == 2


def test_tokens(place: Workplace) -> None:
    place.server.script(
        reply("One.", LOOK, usage=TokenCount(600, 10)),
        reply("Two.", LOOK, usage=TokenCount(600, 10)),
    )
    done = run(place, "go", "--max-tokens", "1000", "--output", "jsonl")
    assert done.code == 10
    assert done.err == "Stopped: --max-tokens 1000 is reached. What was finished is kept.\n"
    assert len(place.server.requests) == 2
    assert [line["type"] for line in done.lines][-2:] == ["TurnStopped", "RunEnded"]


def test_seconds(place: Workplace) -> None:
    place.server.script(reply("It begins ", Gate()))
    done = run(place, "go", "--max-seconds", "6.5")
    assert (done.code, done.out) == (10, "")
    assert done.err.endswith("Stopped: --max-seconds 6.5 is reached. What was finished is kept.\n")


def test_seconds_that_are_over_before_a_session_is_open(place: Workplace) -> None:
    done = run(place, "go", "--max-seconds", "0.01")
    assert (done.code, done.out) == (10, "")
    assert done.err == "Stopped: --max-seconds 0.01 is reached. What was finished is kept.\n"


def test_caps_that_suffice_change_nothing(place: Workplace) -> None:
    place.server.script(reply(LOOK), reply("Done."))
    done = run(place, "go", "--max-rounds", "2", "--max-tokens", "1000000", "--max-seconds", "1000")
    assert (done.code, done.out) == (0, "Done.\n")
