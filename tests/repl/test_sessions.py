"""Opening, resuming and changing sessions, and slash commands, at the screen."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from handrail.errors import HandrailError, ModelError
from handrail.events import (
    MAIN,
    ApprovalRequested,
    ContextMeasured,
    Decision,
    Event,
    PendingCall,
    ResultOffloaded,
    TextFinished,
    TurnFinished,
    TurnStarted,
    UsageCounted,
)
from handrail.exit_codes import ExitCode
from handrail.sessions.conversation import SessionChoice
from tests.support.fake_conversation import Ask, FakeConversation, FakeSessions, Hold
from tests.support.screenplay import ask, call
from tests.support.sitting import sitting

PAST = (TurnStarted("before"), TextFinished(MAIN, "m", "Long ago."), TurnFinished("Long ago."))


async def test_a_message_sent_before_the_session_is_open_runs_when_it_is() -> None:
    conversation = FakeConversation()
    sessions = FakeSessions([conversation], gate=asyncio.Event())
    assert sessions.gate

    async with sitting(sessions) as person:
        await person.enter("early")
        await person.sees("waiting  early")
        assert conversation.heard == []
        sessions.gate.set()
        await person.sees(lambda: conversation.heard == ["early"])


async def test_a_session_that_cannot_open_is_said_and_another_model_opens_one() -> None:
    conversation = FakeConversation(model="fake:good")
    failure = ModelError("The model fake:bad is not known.", hint="Choose one with /model.")
    sessions = FakeSessions([failure, conversation])
    choice = SessionChoice(model="fake:bad")

    async with sitting(sessions, choice=choice) as person:
        await person.sees("The model fake:bad is not known. Choose one with /model.")
        await person.enter("hello")
        await person.sees("No session is open")
        await person.sees("> hello")
        person.press("ctrl-c")
        await person.sees_no_more("> hello")
        await person.enter("/model fake:good")
        await person.sees(lambda: len(sessions.choices) == 2)
        await person.enter("again")
        await person.sees(lambda: conversation.heard == ["again"])

    assert sessions.choices == [choice, SessionChoice(model="fake:good")]


async def test_a_message_queued_for_a_session_that_cannot_open_is_given_back() -> None:
    failure = HandrailError("The disk is full.")
    sessions = FakeSessions([failure], gate=asyncio.Event())
    assert sessions.gate

    async with sitting(sessions) as person:
        await person.enter("early")
        await person.sees("waiting  early")
        sessions.gate.set()
        await person.sees("The disk is full.")
        await person.sees("> early")
        person.press("ctrl-c")
        await person.enter("/exit")

        assert await person.leaves() == ExitCode.OK


async def test_the_end_of_a_resumed_session_is_printed_again() -> None:
    async with sitting(FakeConversation(past=PAST)) as person:
        await person.sees("Session 7f3a goes on here.")

        assert person.text.index("as it ended") < person.text.index("> before")
        assert person.text.index("> before") < person.text.index("Long ago.")


async def test_a_turn_that_was_cut_off_goes_on_and_asks_again() -> None:
    turn = [*ask(call("execute", command="make test")), TurnFinished("")]
    conversation = FakeConversation([turn], past=PAST, unfinished=True)

    async with sitting(conversation) as person:
        await person.sees("was cut off")
        await person.sees("y once")
        person.type("y")
        await person.sees(lambda: conversation.decided == [(Decision("approve"),)])

    assert (conversation.went_on, conversation.heard) == (1, [])


async def test_model_takes_another_model_for_the_same_session() -> None:
    first = FakeConversation()
    second = FakeConversation(model="fake:other", past=PAST)
    sessions = FakeSessions([first, second])

    async with sitting(sessions) as person:
        await person.enter("/model fake:other")
        await person.sees("goes on with fake:other")
        await person.enter("hello")
        await person.sees(lambda: second.heard == ["hello"])

        assert first.closed
        assert "Long ago." not in person.text
    assert sessions.choices[1] == SessionChoice(resume=True, id="7f3a", model="fake:other")


async def test_a_model_that_cannot_be_used_leaves_the_session_as_it_was() -> None:
    first, again = FakeConversation(), FakeConversation()
    sessions = FakeSessions([first, ModelError("No key for fake:other."), again])

    async with sitting(sessions) as person:
        await person.enter("/model fake:other")
        await person.sees("No key for fake:other.")
        await person.enter("hello")
        await person.sees(lambda: again.heard == ["hello"])

    assert sessions.choices[2] == SessionChoice(resume=True, id="7f3a", model="fake:model")


async def test_model_alone_shows_the_model_and_how_to_change_it() -> None:
    async with sitting(FakeConversation()) as person:
        await person.enter("/model")
        await person.sees("The model is fake:model. /model provider:model")


async def test_new_opens_another_session() -> None:
    first, second = FakeConversation(), FakeConversation(id="b2c4")
    sessions = FakeSessions([first, second])

    async with sitting(sessions) as person:
        await person.enter("/new")
        await person.sees("New session b2c4")
        await person.enter("hello")
        await person.sees(lambda: second.heard == ["hello"])

    assert (first.closed, second.closed) == (True, True)


async def test_status_shows_session_context_usage_and_where_data_lies(tmp_path: Path) -> None:
    turn = [ContextMeasured(MAIN, 50_000, 200_000), UsageCounted(MAIN, 50_000, 700)]
    conversation = FakeConversation([[*turn, TurnFinished("")]])

    async with sitting(conversation, facts=[("data", "/data/here")]) as person:
        await person.enter("go")
        await person.sees("context 25%")
        await person.enter("/status")
        await person.sees("/data/here")
        assert "> /status\n" in person.text

        for part in ("7f3a", "fake:model", "50,000 tokens of 200,000", "1 request", "700 out"):
            assert part in person.text


@pytest.mark.parametrize("columns", [80, 120])
async def test_the_status_line_shows_the_last_event_of_the_context(columns: int) -> None:
    offloaded = ResultOffloaded(MAIN, "c7", "/scratch/large_tool_results/c7", 212_345)
    turn = [ContextMeasured(MAIN, 82_000, 200_000), offloaded, TurnFinished("")]

    async with sitting(FakeConversation([turn]), columns=columns) as person:
        await person.enter("go")
        await person.sees(lambda: "offloaded 212 kB -> /scratch" in person.screen.splitlines()[-1])

        assert "context 41%" in person.screen.splitlines()[-1]


async def test_help_lists_the_commands_also_while_the_agent_works() -> None:
    conversation = FakeConversation([[Hold()]])

    async with sitting(conversation) as person:
        await person.enter("go")
        await person.sees("working")
        await person.enter("/help")
        await person.sees("/model [spec]")

        assert conversation.heard == ["go"]


async def test_a_command_that_changes_the_session_waits_for_the_turn() -> None:
    gate = asyncio.Event()
    first, second = FakeConversation([[Hold(gate), TurnFinished("")]]), FakeConversation(id="b2c4")
    sessions = FakeSessions([first, second])

    async with sitting(sessions) as person:
        await person.enter("go")
        await person.sees("working")
        await person.enter("/new")
        await person.sees("waiting  /new")
        gate.set()
        await person.sees("New session b2c4")


async def test_an_unknown_command_names_the_nearest_one() -> None:
    conversation = FakeConversation()

    async with sitting(conversation) as person:
        await person.enter("/modle")
        await person.sees("There is no command /modle. Did you mean /model?")

        assert conversation.heard == []


async def test_two_slashes_send_a_message_that_starts_with_one() -> None:
    conversation = FakeConversation()

    async with sitting(conversation) as person:
        await person.enter("//model is a word")
        await person.sees(lambda: conversation.heard == ["/model is a word"])


async def test_exit_says_how_to_come_back_only_after_something_was_said() -> None:
    async with sitting(FakeConversation()) as person:
        await person.enter("hello")
        await person.sees("heard")
        await person.enter("/exit")

        assert await person.leaves() == ExitCode.OK
        assert "To come back to this session: agent --resume 7f3a" in person.text

    async with sitting(FakeConversation()) as person:
        await person.enter("/exit")

        assert await person.leaves() == ExitCode.OK
        assert "--resume" not in person.text


async def test_a_fault_of_a_turn_is_said_and_the_prompt_stays_usable() -> None:
    def fail(decisions: Sequence[Decision]) -> Sequence[Event]:
        raise ValueError(decisions)

    pending = PendingCall(call("execute", command="make test"), "runs a command")
    broken = FakeConversation([[Ask(ApprovalRequested(MAIN, "a", (pending,)), fail)]])

    async with sitting(broken) as person:
        await person.enter("hello")
        await person.sees("y once")
        person.type("y")
        await person.sees("Handrail met a fault of its own: ValueError")
        await person.enter("again")
        await person.sees("heard again")


async def test_a_fault_in_a_callback_is_said_once() -> None:
    async with sitting(FakeConversation()) as person:
        await person.sees("fake:model")
        for _ in range(3):
            asyncio.get_running_loop().call_soon(int, "x")
        await person.sees("Handrail met a fault of its own: ValueError")
        await person.enter("hello")
        await person.sees("heard hello")

        assert person.text.count("a fault of its own") == 1
