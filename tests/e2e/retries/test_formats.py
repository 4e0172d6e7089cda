"""The same policy on the other wire formats: cuts, error events and statuses."""

from collections.abc import Mapping

import pytest

from handrail.events import CallStarted, ReasoningDelta, RetryScheduled, TurnFailed, TurnFinished
from tests.e2e.retries.conftest import Api, Line, patience_for, shown
from tests.support.anthropic_messages import AnthropicMessages
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
from tests.support.json_shape import Json
from tests.support.openai_responses import OpenAIResponses
from tests.support.replies import CutAfter, Fault, Reasoning, Reply, ToolCall, refused, reply

SAID = "Größe first. Then — with care — I append a line:"
COMMAND = "printf 'näher %s\\n' once >> log.txt"
THOUGHT = "The log is short."
ANSWER = reply(
    Reasoning(THOUGHT), SAID, ToolCall("execute", {"command": COMMAND}, id="call_append")
)
ASKED: Json = {"model": "loopback", "stream": True, "messages": [], "input": []}
ENDS: Mapping[Api, bytes] = {
    "responses": b"event: response.completed",
    "anthropic": b"event: message_delta",
}
ERRORS: Mapping[Api, bytes] = {
    "responses": b'event: error\ndata: {"type": "error", "sequence_number": 9, "code": '
    b'"server_is_overloaded", "message": "Try again.", "param": null}',
    "anthropic": b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error",'
    b' "message": "Overloaded"}}',
}


def body_of(api: Api) -> bytes:
    form = AnthropicMessages() if api == "anthropic" else OpenAIResponses()
    return whole_body(form, ASKED, ANSWER)


def faults(api: Api) -> Mapping[str, Fault]:
    body = body_of(api)
    end = body.index(ENDS[api])
    events = body[:end].count(b"\n\n")
    return (
        {f"cut at byte {n}": CutAfter(n) for n in spread(end, 5)}
        | {f"reset at byte {n}": ResetAfter(n) for n in spread(end, 3)}
        | {f"ended at byte {n}": EndAfter(n) for n in spread(end, 4)}
        | {f"ended in a character at {n}": EndAfter(n) for n in inside_characters(body)[:2]}
        | {f"cut in an event at {n}": CutAfter(n) for n in inside_events(body[:end])[::12]}
        | {f"silent from byte {n}": StallAfter(n) for n in spread(end, 2)}
        | {f"an error after {n} events": ErrorAfter(n, ERRORS[api]) for n in spread(events, 2)}
    )


APIS: tuple[Api, ...] = ("responses", "anthropic")
TABLE = [
    pytest.param(api, fault, id=f"{api}: {name}")
    for api in APIS
    for name, fault in faults(api).items()
]


@pytest.mark.parametrize(("api", "fault"), TABLE)
async def test_an_answer_that_broke_off_comes_again_as_if_nothing_had_been(
    line: Line, api: Api, fault: Fault
) -> None:
    line.server.script(Reply(ANSWER.parts, fault=fault), ANSWER, reply("Done."))

    async with line.open(idle_s=patience_for(fault), api=api) as conversation:
        events = await turn(conversation, Person(), "append a line")

    assert (line.project / "log.txt").read_text() == "näher once\n"
    assert [event.call.args for event in only(events, CallStarted)] == [{"command": COMMAND}]
    assert shown(events) == [(SAID, False), ("Done.", False)]
    assert "".join(each.text for each in only(events, ReasoningDelta)) in ("", THOUGHT)
    assert [(each.attempt, each.of) for each in only(events, RetryScheduled)] == [(1, 4)]
    assert isinstance(events[-1], TurnFinished)
    first, again, last = line.server.requests
    assert first.body == again.body
    assert str(last.body).count("append a line'") == 1


@pytest.mark.parametrize("api", APIS)
async def test_what_passes_is_waited_for_and_what_lasts_is_told(line: Line, api: Api) -> None:
    line.server.script(
        refused(429, retry_after="0.1"), refused(529), refused(503), reply("Well."), refused(400)
    )

    async with line.open(api=api) as conversation:
        worked = await turn(conversation, Person(), "first")
        failed = await turn(conversation, Person(), "second")

    first, *others = [event.wait_s for event in only(worked, RetryScheduled)]
    assert first == 0.1
    assert len(others) == 2
    assert shown(worked) == [("Well.", False)]
    assert only(failed, RetryScheduled) == []
    assert isinstance(failed[-1], TurnFailed)
