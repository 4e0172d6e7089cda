"""Messages, turns, the queue, stopping, and leaving, at the screen."""

import asyncio

from handrail.events import MAIN, TextDelta, TurnFailed, TurnFinished
from handrail.exit_codes import ExitCode
from tests.support.fake_conversation import FakeConversation, Hold
from tests.support.screenplay import call, printed, ran, said
from tests.support.sitting import sitting


async def test_a_message_runs_a_turn_and_its_answer_stands_above_the_prompt() -> None:
    conversation = FakeConversation([[*said("It is a *parser*.\n"), TurnFinished("")]])

    async with sitting(conversation) as person:
        await person.enter("what is this?")
        await person.sees("It is a parser.")

        assert conversation.heard == ["what is this?"]
        assert person.text.count("> what is this?") == 1


async def test_messages_entered_while_the_agent_works_wait_and_run_in_order() -> None:
    gate = asyncio.Event()
    conversation = FakeConversation([[Hold(gate), TurnFinished("")]])

    async with sitting(conversation) as person:
        await person.enter("first")
        await person.sees(lambda: conversation.heard == ["first"])
        await person.enter("second")
        await person.sees("waiting  second")
        await person.enter("third")
        await person.sees("waiting  third")
        gate.set()
        await person.sees(lambda: conversation.heard == ["first", "second", "third"])
        await person.sees_no_more("waiting")


async def test_what_is_typed_while_the_agent_works_stays_in_the_input() -> None:
    gate = asyncio.Event()
    conversation = FakeConversation([[Hold(gate), *said("Done.\n"), TurnFinished("")]])

    async with sitting(conversation) as person:
        await person.enter("first")
        person.type("not yet sent")
        await person.sees("> not yet sent")
        gate.set()
        await person.sees("Done.")
        await person.sees("> not yet sent")

        assert conversation.heard == ["first"]


async def test_esc_stops_the_turn_and_gives_the_queue_back() -> None:
    conversation = FakeConversation([[*said("Half a")[:1], Hold()]])

    async with sitting(conversation) as person:
        await person.enter("go")
        await person.sees("Half a")
        await person.enter("and then this")
        await person.sees("waiting  and then this")
        person.press("esc")
        await person.sees("Stopped")
        await person.sees("> and then this")

        assert conversation.stops == 1
        assert conversation.heard == ["go"]


async def test_ctrl_c_stops_the_turn_and_leaves_the_input_alone() -> None:
    conversation = FakeConversation([[Hold()]])

    async with sitting(conversation) as person:
        await person.enter("go")
        await person.sees("working")
        person.type("a thought")
        await person.sees("> a thought")
        person.press("ctrl-c")
        await person.sees("Stopped")

        assert conversation.stops == 1
        assert "> a thought" in person.screen


async def test_a_failed_turn_says_why_and_gives_the_queue_back() -> None:
    gate = asyncio.Event()
    conversation = FakeConversation([[Hold(gate), TurnFailed("The model cannot be reached.")]])

    async with sitting(conversation) as person:
        await person.enter("go")
        await person.enter("more")
        await person.sees("waiting  more")
        gate.set()
        await person.sees("The model cannot be reached.")
        await person.sees("> more")

        assert conversation.heard == ["go"]


async def test_ctrl_c_at_idle_clears_the_input_and_twice_leaves() -> None:
    conversation = FakeConversation()

    async with sitting(conversation) as person:
        person.type("never mind")
        await person.sees("> never mind")
        person.press("ctrl-c")
        await person.sees("Ctrl+C again leaves")
        await person.sees_no_more("never mind")
        person.press("ctrl-c")

        assert await person.leaves() == ExitCode.OK
    assert conversation.closed


async def test_ctrl_d_leaves_only_with_an_empty_input() -> None:
    async with sitting(FakeConversation()) as person:
        person.type("ab")
        await person.sees("> ab")
        person.press("left", "ctrl-d")
        await person.sees(lambda: "> a\n" in person.screen + "\n")
        person.press("backspace", "ctrl-d")

        assert await person.leaves() == ExitCode.OK


async def test_leaving_while_the_agent_works_stops_the_turn_and_closes_the_session() -> None:
    conversation = FakeConversation([[Hold()]])

    async with sitting(conversation) as person:
        await person.enter("go")
        await person.sees("working")
        await person.enter("and this")
        await person.sees("waiting  and this")
        person.press("ctrl-d")

        assert await person.leaves() == ExitCode.OK
    assert (conversation.stops, conversation.closed) == (1, True)
    assert conversation.heard == ["go"]
    assert "1 queued message not sent." in person.text
    assert "agent --resume 7f3a" in person.text


async def test_a_running_command_shows_the_end_of_its_output_until_it_is_done() -> None:
    gate = asyncio.Event()
    steps = printed(call("execute", command="make"), [f"step {n}" for n in range(50)], pause_s=0)
    conversation = FakeConversation([[*steps[:-1], Hold(gate), steps[-1], TurnFinished("")]])

    async with sitting(conversation) as person:
        await person.enter("build")
        await person.sees("step 49")

        assert "step 45" not in person.screen
        gate.set()
        await person.sees("exit 0")
        await person.sees(lambda: person.text.count("step 49") == 1)


async def test_a_call_is_printed_once_when_it_is_done() -> None:
    turn = [*ran(call("read_file", file_path="/project/a.py"), "x\n"), TurnFinished("")]

    async with sitting(FakeConversation([turn])) as person:
        await person.enter("read it")
        await person.sees("a.py")

        assert person.text.count("a.py") == 1


async def test_a_reply_longer_than_the_screen_is_printed_once_while_it_streams() -> None:
    text = "".join(f"Paragraph number {n}.\n\n" for n in range(120))
    gate = asyncio.Event()
    pieces = said(text, size=9)
    turn = [*pieces[:-1], Hold(gate), pieces[-1], TurnFinished(text)]

    async with sitting(FakeConversation([turn])) as person:
        await person.enter("tell me")
        await person.sees("Paragraph number 118.")
        gate.set()
        await person.sees("Paragraph number 119.")

        found = [line for line in person.text.splitlines() if "Paragraph" in line]
        assert found == [f"  Paragraph number {n}." for n in range(120)]


async def test_an_unfinished_paragraph_longer_than_the_screen_never_exceeds_it() -> None:
    gate = asyncio.Event()
    words = " ".join(f"word{n}" for n in range(2000))
    turn = [TextDelta(MAIN, "m", words), Hold(gate), said(words)[-1], TurnFinished(words)]

    async with sitting(FakeConversation([turn]), lines=12) as person:
        await person.enter("tell me")
        await person.sees("word1999")
        assert "ask" in person.screen.splitlines()[-1]
        assert "word100 " not in person.text
        gate.set()
        await person.sees("word100 ")

        assert person.text.split().count("word1000") == 1


async def test_the_first_message_of_the_command_line_is_sent() -> None:
    conversation = FakeConversation()

    async with sitting(conversation, message="fix the test") as person:
        await person.sees(lambda: conversation.heard == ["fix the test"])
