"""A model that gives no whole answer: the code says so, and a cut answer is not told twice."""

from tests.support.replies import call, reply
from tests.support.unattended import run
from tests.support.workplace import Workplace


def test_a_turn_without_an_answer_fails(place: Workplace) -> None:
    place.server.script(reply(), reply())
    done = run(place, "go")
    assert (done.code, done.out) == (1, "")
    assert "answered nothing" in done.err


def test_calls_that_are_cut_again_and_again_fail_the_run(place: Workplace) -> None:
    cut = reply(call("ls", path="."), finish_reason="length")
    place.server.script(cut, cut, cut)
    done = run(place, "go")
    assert (done.code, done.out) == (1, "")
    assert "output limit" in done.err


def test_a_cut_answer_is_given_once_and_said_to_be_cut(place: Workplace) -> None:
    place.server.script(reply("It begins", finish_reason="length"))
    done = run(place, "go")
    assert (done.code, done.out) == (0, "It begins\n")
    assert "output limit" in done.err
    assert "It begins" not in done.err
