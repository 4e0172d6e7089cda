"""Streams that break off anywhere: nothing runs by half, nothing is said twice, nothing is lost."""

from collections.abc import Mapping

import pytest

from handrail.events import (
    CallStarted,
    ReasoningDelta,
    RetryScheduled,
    TextFinished,
    TurnFailed,
    TurnFinished,
)
from tests.e2e.retries.conftest import Line, patience_for, people, shown
from tests.support.engine_bed import Person, only, turn
from tests.support.faults import (
    EndAfter,
    ErrorAfter,
    ResetAfter,
    StallAfter,
    inside_characters,
    inside_events,
    spread,
    whole_body,
)
from tests.support.openai_chat import OpenAIChat
from tests.support.replies import CutAfter, Fault, Reasoning, Reply, ToolCall, reply

SAID = "Größe first.\n\nThen — with care — I append a line:"
COMMAND = "printf 'näher %s\\n' once >> log.txt"
CALL = ToolCall("execute", {"command": COMMAND}, id="call_append")
ANSWER = reply(Reasoning("The log is short. "), SAID, CALL)
BODY = whole_body(
    OpenAIChat("loopback"),
    {"model": "loopback", "stream_options": {"include_usage": True}},
    ANSWER,
)
DONE = BODY.index(b"data: [DONE]")
EVENTS = BODY[: BODY.index(b'"finish_reason": "tool_calls"')].count(b"\n\n")
FINISH = BODY.index(b'"finish_reason": "tool_calls"')
OVERLOADED = b'data: {"error": {"message": "Overloaded", "type": "server_error", "code": null}}'

FAULTS: Mapping[str, Fault] = (
    {f"cut at byte {n}": CutAfter(n) for n in spread(DONE, 14)}
    | {f"reset at byte {n}": ResetAfter(n) for n in spread(DONE, 8)}
    | {f"ended at byte {n}": EndAfter(n) for n in spread(FINISH, 8)}
    | {f"cut in a character at {n}": CutAfter(n) for n in inside_characters(BODY)[::2]}
    | {f"ended in a character at {n}": EndAfter(n) for n in inside_characters(BODY)[1::2]}
    | {f"ended in an event at {n}": EndAfter(n) for n in inside_events(BODY)[1:-4:5]}
    | {f"silent from byte {n}": StallAfter(n) for n in spread(DONE, 4)}
    | {f"an error after {n} events": ErrorAfter(n, OVERLOADED) for n in spread(EVENTS, 5)}
)


def test_the_table_is_long_enough() -> None:
    assert len(FAULTS) >= 40


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_an_answer_that_broke_off_comes_again_as_if_nothing_had_been(
    line: Line, fault: Fault
) -> None:
    line.server.script(Reply(ANSWER.parts, fault=fault), ANSWER, reply("Done."))

    async with line.open(idle_s=patience_for(fault)) as conversation:
        events = await turn(conversation, Person(), "append a line")

    assert (line.project / "log.txt").read_text() == "näher once\n"
    assert [event.call.args for event in only(events, CallStarted)] == [CALL.args]
    assert shown(events) == [(SAID, False), ("Done.", False)]
    assert "".join(each.text for each in only(events, ReasoningDelta)) in ("", "The log is short. ")
    assert [(each.attempt, each.of) for each in only(events, RetryScheduled)] == [(1, 4)]
    assert isinstance(events[-1], TurnFinished)
    first, again, last = line.server.requests
    assert first.body == again.body
    assert people(last) == "append a line"


OTHER = reply("Größe first.\n\nThen I am done.")


@pytest.mark.parametrize("size", spread(FINISH, 10))
async def test_another_answer_stands_below_the_one_that_was_cut(line: Line, size: int) -> None:
    line.server.script(Reply(ANSWER.parts, fault=CutAfter(size)), OTHER)

    async with line.open() as conversation:
        events = await turn(conversation, Person())
    async with line.open(resume=True) as again:
        kept = only(again.past, TextFinished)

    assert only(events, CallStarted) == []
    *cut, last = shown(events)
    assert last == (OTHER.text, False)
    assert all(is_cut and SAID.startswith(text) for text, is_cut in cut)
    assert len(cut) <= 1
    assert [(event.text, event.cut) for event in kept] == shown(events)
    assert "".join(each.text for each in only(events, ReasoningDelta)) in (
        "",
        *("The log is short. "[:end] for end in range(1, 19)),
    )


async def test_an_answer_may_break_off_at_another_place_each_time(line: Line) -> None:
    cuts = [CutAfter(4_000), ResetAfter(1_500), EndAfter(FINISH), CutAfter(6_000)]
    line.server.script(
        *(Reply(ANSWER.parts, fault=fault) for fault in cuts), ANSWER, reply("Done.")
    )

    async with line.open() as conversation:
        events = await turn(conversation, Person())
    async with line.open(resume=True) as again:
        kept = only(again.past, TextFinished)

    assert (line.project / "log.txt").read_text() == "näher once\n"
    assert shown(events) == [(SAID, False), ("Done.", False)]
    assert [(event.text, event.cut) for event in kept] == shown(events)
    assert [each.attempt for each in only(events, RetryScheduled)] == [1, 2, 3, 4]


async def test_an_answer_that_never_comes_whole_ends_the_turn_and_the_next_one_works(
    line: Line,
) -> None:
    line.server.script(
        *(Reply(ANSWER.parts, fault=CutAfter(FINISH)) for _ in range(3)), reply("Going on.")
    )

    async with line.open(retries=2) as conversation:
        failed = await turn(conversation, Person(), "first")
        worked = await turn(conversation, Person(), "second")

    assert only(failed, CallStarted) == []
    assert shown(failed) == [(SAID, True)]
    (end,) = only(failed, TurnFailed)
    assert "the connection was lost" in end.message
    assert "It was tried 3 times" in end.message
    assert end.message.endswith("are kept.")
    assert shown(worked) == [("Going on.", False)]
    assert people(line.server.requests[-1]) == "first\n\nsecond"
