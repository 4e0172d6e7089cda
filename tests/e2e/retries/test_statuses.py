"""A service that refuses for a while: waited for as it asks, so often and so long as is allowed."""

import asyncio
import socket
import time
from email.utils import formatdate

import pytest

from handrail.events import (
    CallStarted,
    Event,
    RetryScheduled,
    Source,
    SummaryFinished,
    TextDelta,
    TextFinished,
    TurnFailed,
    TurnFinished,
    TurnStopped,
)
from tests.e2e.retries.conftest import Line, people, shown
from tests.support.engine_bed import Person, collect, only, turn
from tests.support.faults import ErrorAfter
from tests.support.json_shape import items, mapping
from tests.support.model_server import Received
from tests.support.replies import CutAfter, Reply, call, refused, reply

ANSWER = reply("All is well.")
OVERLOADED = b'data: {"error": {"message": "Overloaded", "type": "overloaded_error"}}'

SEQUENCES: dict[str, list[Reply]] = {
    **{str(status): [refused(status)] for status in (408, 429, 500, 502, 503, 504, 529)},
    "429 three times": [refused(429)] * 3,
    "overloaded twice, then down": [refused(529), refused(529), refused(503)],
    "429, 529, then overloaded inside the stream": [
        refused(429, retry_after="0.01"),
        refused(529),
        Reply(ANSWER.parts, fault=ErrorAfter(2, OVERLOADED)),
    ],
    "503, then cut": [refused(503), Reply(ANSWER.parts, fault=CutAfter(700))],
    "in milliseconds": [refused(429, retry_after_ms="20")],
    "as a date that has passed": [refused(503, retry_after=formatdate(0, usegmt=True))],
}


def reasons(events: list[Event]) -> list[str]:
    return [event.reason for event in only(events, RetryScheduled)]


@pytest.mark.parametrize("refusals", SEQUENCES.values(), ids=SEQUENCES)
async def test_what_passes_is_waited_for(line: Line, refusals: list[Reply]) -> None:
    line.server.script(*refusals, ANSWER)

    async with line.open() as conversation:
        events = await turn(conversation, Person(), "how is it?")

    assert shown(events) == [("All is well.", False)]
    assert isinstance(events[-1], TurnFinished)
    assert len(reasons(events)) == len(refusals)
    assert {people(received) for received in line.server.requests} == {"how is it?"}
    assert len(line.server.requests) == len(refusals) + 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
async def test_what_would_fail_again_is_not_tried_again(line: Line, status: int) -> None:
    line.server.script(refused(status), reply("Going on."))

    async with line.open() as conversation:
        failed = await turn(conversation, Person(), "first")
        worked = await turn(conversation, Person(), "second")

    assert reasons(failed) == []
    assert isinstance(failed[-1], TurnFailed)
    assert shown(worked) == [("Going on.", False)]
    assert people(line.server.requests[-1]) == "first\n\nsecond"


async def test_the_wait_is_the_one_that_is_asked_for(line: Line) -> None:
    line.server.script(refused(429, retry_after="0.2"), refused(429, retry_after_ms="150"), ANSWER)

    async with line.open() as conversation:
        events = await turn(conversation, Person())

    assert [each.wait_s for each in only(events, RetryScheduled)] == [0.2, 0.15]
    first, second, third = (received.at for received in line.server.requests)
    assert second - first >= 0.2
    assert third - second >= 0.15


async def test_after_the_last_try_the_turn_says_what_was_tried_and_what_to_do(line: Line) -> None:
    line.server.script(*[refused(529)] * 3, reply("Going on."))

    async with line.open(retries=2) as conversation:
        failed = await turn(conversation, Person(), "first")
        worked = await turn(conversation, Person(), "second")

    assert [(each.attempt, each.of) for each in only(failed, RetryScheduled)] == [(1, 2), (2, 2)]
    (end,) = only(failed, TurnFailed)
    assert "overloaded" in end.message
    assert "It was tried 3 times" in end.message
    assert "message" in end.message
    assert shown(worked) == [("Going on.", False)]
    assert people(line.server.requests[-1]) == "first\n\nsecond"


async def test_no_retries_means_one_try(line: Line) -> None:
    line.server.script(refused(503))

    async with line.open(retries=0) as conversation:
        events = await turn(conversation, Person())

    assert reasons(events) == []
    (end,) = only(events, TurnFailed)
    assert "tried" not in end.message


@pytest.mark.parametrize("after", ["3600", formatdate(time.time() + 7200, usegmt=True)])
async def test_a_wait_that_is_too_long_ends_the_turn_at_once(line: Line, after: str) -> None:
    line.server.script(refused(429, retry_after=after))

    async with line.open() as conversation:
        events = await turn(conversation, Person())

    assert reasons(events) == []
    (end,) = only(events, TurnFailed)
    assert "asks to come back in" in end.message
    assert len(line.server.requests) == 1


async def test_a_service_that_is_not_there_is_tried_and_named(line: Line) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        async with line.open(base_url=url, retries=1) as conversation:
            events = await turn(conversation, Person())

    assert reasons(events) == ["the server cannot be reached"]
    assert isinstance(events[-1], TurnFailed)


async def test_a_stop_ends_the_wait_at_once_and_keeps_the_message(line: Line) -> None:
    line.server.script(refused(429, retry_after="200"), reply("Going on."))

    async with line.open() as conversation:

        def stop(event: Event) -> None:
            if isinstance(event, RetryScheduled):
                conversation.stop()

        async with asyncio.timeout(20):
            stopped = await turn(conversation, Person(), "first", on=stop)
            worked = await turn(conversation, Person(), "second")

    assert isinstance(stopped[-1], TurnStopped)
    assert shown(worked) == [("Going on.", False)]
    assert people(line.server.requests[-1]) == "first\n\nsecond"


async def test_a_stop_in_the_wait_after_a_cut_keeps_what_was_said(line: Line) -> None:
    half = reply("The first words. And the second.", fault=CutAfter(900))
    line.server.script(half, refused(429, retry_after="200"), reply("Going on."))

    async with line.open() as conversation:

        def stop(event: Event) -> None:
            if isinstance(event, RetryScheduled) and event.attempt == 2:
                conversation.stop()

        async with asyncio.timeout(20):
            stopped = await turn(conversation, Person(), "first", on=stop)
            await turn(conversation, Person(), "second")

    ((text, is_cut),) = shown(stopped)
    assert text
    assert is_cut
    said = [m["content"] for m in line.server.requests[-1].messages if m["role"] == "assistant"]
    assert len(said) == 1
    assert str(said[0]).startswith(text)


async def test_a_sub_agent_waits_under_its_own_name_and_nothing_runs_twice(line: Line) -> None:
    task = call("task", description="note it", subagent_type="general-purpose")
    note = call("execute", command="echo noted >> log.txt")
    line.server.script(reply(task), ANSWER)
    line.server.script(
        refused(529),
        reply("I note it.", note, fault=CutAfter(1_800)),
        reply("I note it.", note),
        reply("Noted."),
        when=lambda received: not _may_delegate(received),
    )

    async with line.open() as conversation:
        events = await collect(conversation.run("go", Person().decide))

    assert {each.source.agent for each in only(events, RetryScheduled)} == {"general-purpose"}
    assert (line.project / "log.txt").read_text() == "noted\n"
    assert [event.call.name for event in only(events, CallStarted)] == ["task", "execute"]
    assert shown(events) == [("I note it.", False), ("Noted.", False), ("All is well.", False)]
    assert all(isinstance(each.source, Source) for each in only(events, TextDelta))
    assert only(events, TextFinished)[0].source.agent == "general-purpose"


async def test_a_summary_is_asked_for_again_too(line: Line) -> None:
    line.server.answer_with(lambda _: reply("word " * 1500))
    line.server.script(
        refused(529), reply("THE SUMMARY"), when=lambda received: not received.body.get("tools")
    )

    events: list[Event] = []
    async with line.open(window=8_000) as conversation:
        while not only(events, SummaryFinished):
            events += await turn(conversation, Person())

    assert reasons(events) == ["the server is overloaded"]
    assert [event.text for event in only(events, SummaryFinished)] == ["THE SUMMARY"]


def _may_delegate(received: Received) -> bool:
    tools = (mapping(mapping(tool).get("function")) for tool in items(received.body.get("tools")))
    return any(tool.get("name") == "task" for tool in tools)
