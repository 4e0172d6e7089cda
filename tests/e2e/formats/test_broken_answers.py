"""Broken answers over the wire: in every format the next request is one that the service takes."""

import pytest

from handrail.events import (
    CallFinished,
    CallStarted,
    Event,
    Notice,
    TextFinished,
    TurnFailed,
    TurnFinished,
)
from tests.e2e.formats.conftest import FORMATS, Exchange, Format
from tests.support.engine_bed import Person, only, turn
from tests.support.replies import Part, Reasoning, Reply, ToolCall, call, reply

HALF = '{"file_path": "note.txt", "content": "hal'


async def told(exchange: Exchange, form: Format, *steps: Reply) -> list[Event]:
    exchange.server.script(*steps)
    async with exchange.open(form) as conversation:
        return await turn(conversation, Person(), "write a note")


@pytest.mark.parametrize("before", [(), (Reasoning("Hm."), "I write.")])
@pytest.mark.parametrize(
    "wanted",
    [call("write_file", file_path="note.txt", content="whole"), ToolCall("write_file", HALF)],
)
@pytest.mark.parametrize("form", FORMATS)
async def test_a_call_cut_by_the_output_limit_does_not_run(
    form: Format, wanted: ToolCall, before: tuple[Part | str, ...], exchange: Exchange
) -> None:
    looks_whole = call("execute", command="touch made")
    events = await told(
        exchange,
        form,
        reply(*before, looks_whole, wanted, finish_reason="length"),
        reply("In parts, then."),
    )
    assert only(events, CallStarted) == []
    assert list(exchange.project.iterdir()) == []
    assert [(it.call.name, it.ok) for it in only(events, CallFinished)] == [
        ("execute", False),
        ("write_file", False),
    ]
    assert all("output limit" in it.text for it in only(events, CallFinished))
    assert events[-1] == TurnFinished("In parts, then.")


@pytest.mark.parametrize("before", [(), (Reasoning("Hm."),)])
@pytest.mark.parametrize("form", FORMATS)
async def test_half_arguments_that_a_lenient_reader_would_close_do_not_run(
    form: Format, before: tuple[Part, ...], exchange: Exchange
) -> None:
    whole = call("write_file", file_path="other.txt", content="whole")
    events = await told(
        exchange,
        form,
        reply(*before, ToolCall("write_file", HALF), whole),
        reply("Once more, then."),
    )
    assert [it.call.id for it in only(events, CallStarted)] == [whole.id]
    assert [path.name for path in exchange.project.iterdir()] == ["other.txt"]
    assert events[-1] == TurnFinished("Once more, then.")


@pytest.mark.parametrize("form", FORMATS)
async def test_a_cut_text_is_kept_and_told(form: Format, exchange: Exchange) -> None:
    events = await told(exchange, form, reply("It begins", finish_reason="length"))
    assert [it.text for it in only(events, TextFinished)] == ["It begins"]
    assert ["output limit" in it.text for it in only(events, Notice)] == [True]
    assert events[-1] == TurnFinished("It begins")


@pytest.mark.parametrize("form", FORMATS)
async def test_a_refusal_is_told(form: Format, exchange: Exchange) -> None:
    wanted = call("execute", command="touch made")
    events = await told(exchange, form, reply("I", wanted, finish_reason="content_filter"))
    assert isinstance(events[-1], TurnFailed)
    assert "declined" in events[-1].message
    assert list(exchange.project.iterdir()) == []


@pytest.mark.parametrize("empty", [(), (Reasoning("Hm."),)])
@pytest.mark.parametrize("form", FORMATS)
async def test_an_empty_answer_is_asked_for_once_more_and_then_told(
    form: Format, empty: tuple[Part, ...], exchange: Exchange
) -> None:
    async with exchange.open(form) as conversation:
        exchange.server.script(reply(*empty), reply("Here."))
        first = await turn(conversation, Person(), "write a note")
        exchange.server.script(reply(*empty), reply(*empty))
        second = await turn(conversation, Person(), "another")
        exchange.server.script(reply("Here again."))
        third = await turn(conversation, Person(), "a third")
    assert only(first, Notice) == []
    assert first[-1] == TurnFinished("Here.")
    assert isinstance(second[-1], TurnFailed)
    assert "answered nothing" in second[-1].message
    assert third[-1] == TurnFinished("Here again.")


@pytest.mark.parametrize("form", FORMATS)
async def test_halves_of_surrogate_pairs_do_no_harm(form: Format, exchange: Exchange) -> None:
    args = '{"file_path": "note.txt", "content": "\\ud83d\\ude00 \\ud83d"}'
    exchange.server.script(reply(ToolCall("write_file", args)), reply("Written."), reply("Bye."))
    async with exchange.open(form) as conversation:
        events = await turn(conversation, Person(), "write \udcff")
        assert events[-1] == TurnFinished("Written.")
        assert (await turn(conversation, Person(), "bye"))[-1] == TurnFinished("Bye.")
    assert (exchange.project / "note.txt").read_text() == "\U0001f600 \ufffd"
