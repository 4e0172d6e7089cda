"""Streams that break off anywhere: nothing runs by half, nothing is said twice, nothing is lost."""

from collections.abc import Mapping

import pytest

from handrail.events import (
    CallStarted,
    Event,
    ReasoningDelta,
    RetryScheduled,
    TextDelta,
    TextFinished,
    TurnFinished,
)
from tests.e2e.retries.conftest import Line
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
from tests.support.model_server import Received
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


def faulty(fault: Fault, answer: Reply = ANSWER) -> Reply:
    return Reply(answer.parts, fault=fault)


def shown(events: list[Event]) -> list[tuple[str, bool]]:
    """The texts as each consumer gets them; their deltas say the same."""
    texts: dict[str, str] = {}
    for event in only(events, TextDelta):
        texts[event.message_id] = texts.get(event.message_id, "") + event.text
    finished = only(events, TextFinished)
    assert {event.message_id: event.text for event in finished} == texts
    return [(event.text, event.cut) for event in finished]


def people(received: Received) -> list[object]:
    return [m.get("content") for m in received.messages if m.get("role") == "user"]


def test_the_table_is_long_enough() -> None:
    assert len(FAULTS) >= 40


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_an_answer_that_broke_off_comes_again_as_if_nothing_had_been(
    line: Line, fault: Fault
) -> None:
    line.server.script(faulty(fault), ANSWER, reply("Done."))

    async with line.open(idle_s=0.3) as conversation:
        events = await turn(conversation, Person(), "append a line")

    assert (line.project / "log.txt").read_text() == "näher once\n"
    assert [event.call.args for event in only(events, CallStarted)] == [CALL.args]
    assert shown(events) == [(SAID, False), ("Done.", False)]
    assert "".join(each.text for each in only(events, ReasoningDelta)) in ("", "The log is short. ")
    assert [(each.attempt, each.of) for each in only(events, RetryScheduled)] == [(1, 4)]
    assert isinstance(events[-1], TurnFinished)
    first, again, last = line.server.requests
    assert first.body == again.body
    assert people(last) == ["append a line"]
