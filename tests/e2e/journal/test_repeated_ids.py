"""Servers that give every call the same id: calls are told apart all the same."""

import signal

import pytest

from tests.support.engine_bed import call
from tests.support.killed_turns import Grave, Kill


@pytest.fixture
def same(grave: Grave) -> Grave:
    grave.same_ids = "call_0"
    return grave


def command(word: str) -> dict[str, object]:
    return call("execute", command=f"echo {word} >> runs; echo has-{word}")


def test_over_several_messages_each_runs_once_across_a_kill(same: Grave) -> None:
    rounds = [{"calls": [command(word)]} for word in ("one", "two", "three")]
    same.script([*rounds, {"say": "done"}])
    assert same.sit(kill=Kill("asked", "has-two")).status == -signal.SIGKILL
    again = same.sit(resume=True, text="")
    assert same.ran() == ["one", "two", "three"]
    assert [len(request) for request in again.asked] == [1, 1]
    assert again.faults == []


def test_within_one_message_each_runs_once_across_a_kill(same: Grave) -> None:
    same.script([{"calls": [command("one"), command("one"), command("two")]}, {"say": "done"}])
    assert same.sit(kill=Kill("asked")).status == -signal.SIGKILL
    again = same.sit(resume=True, text="")
    assert same.ran() == ["one", "one", "two"]
    assert [text.split()[0] for text in again.results()] == ["has-one", "has-one", "has-two"]
    assert again.faults == []


def test_an_edit_reaches_only_the_call_it_was_made_for(same: Grave) -> None:
    same.script([{"calls": [command("one"), command("two")]}, {"calls": [command("three")]}])
    edit = {"kind": "edit", "args": {"command": "echo edited >> runs"}}
    same.sit(answers=[[edit, {"kind": "approve"}]])
    assert same.ran() == ["edited", "two", "three"]
