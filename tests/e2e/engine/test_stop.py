"""A stopped turn keeps what was done, and the next one finds a whole conversation."""

import asyncio
import sqlite3
from collections.abc import Callable

import pytest

from handrail.events import (
    ApprovalRequested,
    CallOutput,
    Decision,
    Event,
    TextDelta,
    TextFinished,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    TurnStopped,
)
from handrail.sessions.conversation import Conversation
from tests.support.engine_bed import Bed, Person, call, only, turn


def stop_at(conversation: Conversation, kind: type[Event]) -> Callable[[Event], None]:
    def on(event: Event) -> None:
        if isinstance(event, kind):
            conversation.stop()

    return on


async def test_a_stop_while_the_model_speaks_keeps_and_marks_what_was_said(bed: Bed) -> None:
    script = {
        "script": 1,
        "pace": 20,
        "turns": [{"rounds": [{"say": "one two three " * 50}]}, {"rounds": [{"say": "next"}]}],
    }
    async with bed.open(script) as conversation:
        events = await turn(conversation, Person(), on=stop_at(conversation, TextDelta))
        after = await turn(conversation, Person())
    (cut,) = only(events, TextFinished)
    assert cut.cut
    assert cut.text.startswith("one")
    assert events[-1] == TurnStopped()
    assert after[-1] == TurnFinished("next")


async def test_a_stop_in_a_command_kills_it_and_says_its_effect_is_unknown(bed: Bed) -> None:
    command = "echo started; sleep 1000; touch survived"
    script = {
        "script": 1,
        "turns": [
            {"rounds": [{"calls": [call("execute", command=command)]}, {"say": "unreached"}]},
            {"rounds": [{"say": "next"}]},
        ],
    }
    async with bed.open(script) as conversation:
        events = await turn(conversation, Person(), on=stop_at(conversation, CallOutput))
        after = await turn(conversation, Person())
    assert events[-1] == TurnStopped()
    assert after[-1] == TurnFinished("next")
    assert not (bed.project / "survived").exists()


async def test_a_stop_at_an_approval_runs_nothing_and_asks_nothing_later(bed: Bed) -> None:
    script = {
        "script": 1,
        "turns": [
            {"rounds": [{"calls": [call("execute", command="touch ran")]}, {"say": "unreached"}]},
            {"rounds": [{"say": "next"}]},
        ],
    }
    person = Person()
    async with bed.open(script) as conversation:

        class Stopping(Person):
            async def decide(self, request: ApprovalRequested) -> tuple[Decision, ...]:
                conversation.stop()
                await asyncio.Event().wait()
                return ()

        events = await turn(conversation, Stopping())
        after = await turn(conversation, person)
    assert events[-1] == TurnStopped()
    assert after[-1] == TurnFinished("next")
    assert person.asked == []
    assert list(bed.project.iterdir()) == []


async def test_a_stop_before_the_first_request_is_not_lost(bed: Bed) -> None:
    script = {"script": 1, "turns": [{"rounds": [{"say": "unheard"}]}] * 2}
    async with bed.open(script) as conversation:
        events = await turn(conversation, Person(), on=stop_at(conversation, TurnStarted))
        after = await turn(conversation, Person())
    assert events == [TurnStarted("go"), TurnStopped()]
    assert isinstance(after[-1], TurnFinished)


async def test_a_stop_that_cannot_be_stored_is_a_failed_turn_and_raises_nothing(
    bed: Bed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    command = "echo started; sleep 1000"
    async with bed.open([{"calls": [call("execute", command=command)]}]) as conversation:
        stop = stop_at(conversation, CallOutput)

        def break_and_stop(event: Event) -> None:
            if isinstance(event, CallOutput):
                monkeypatch.setattr("handrail.engine.agent.settlement", broken)
            stop(event)

        events = await turn(conversation, Person(), on=break_and_stop)
    assert [type(e) for e in events if isinstance(e, CallOutput | TurnFailed | TurnStopped)] == [
        CallOutput,
        TurnFailed,
    ]
