"""A session goes on after every change of model and format, saved and opened again in between."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from typing_extensions import override

from handrail.events import (
    ApprovalRequested,
    CallFinished,
    Decision,
    Event,
    ReasoningDelta,
    SummaryFinished,
    TextFinished,
    TurnFinished,
)
from tests.e2e.formats.conftest import FORMATS, PATHS, Exchange, Format, spoken_formats
from tests.support.engine_bed import Person, go_on, only, turn
from tests.support.model_server import ModelServer, Received
from tests.support.replies import Reasoning, Reply, ToolCall, call, reply

PAIRS = list(permutations(FORMATS, 2))
SMALL = 12_000
"""A window that the long file does not fit into."""


def plan(exchange: Exchange, form: Format, *replies: Reply) -> None:
    """What the model of this format says, summaries aside."""
    path = PATHS[form]
    exchange.server.script(
        *replies, when=lambda received: received.path.endswith(path) and not is_summary(received)
    )


def is_summary(received: Received) -> bool:
    return "tools" not in received.body


async def say(
    exchange: Exchange,
    form: Format,
    session: str | None,
    *,
    window: int = 100_000,
    name: str = "one",
) -> tuple[str, list[Event]]:
    """One turn in a session that is opened for it and closed again: its id and events."""
    async with exchange.open(form, session, window=window, name=name) as conversation:
        events = await turn(conversation, Person(), "go on")
        assert isinstance(events[-1], TurnFinished), events[-1]
        return conversation.id, events


@pytest.mark.parametrize(("first", "second"), PAIRS)
async def test_a_session_goes_on_after_calls_reasoning_and_a_summary(
    first: Format, second: Format, exchange: Exchange
) -> None:
    long = exchange.project / "long.txt"
    long.write_text("a line of the long file\n" * 1500)
    read = call("read_file", file_path=str(long), limit=1500)
    note = exchange.project / "note.txt"
    exchange.server.answer_with(lambda _: reply("what went before"), when=is_summary)
    plan(
        exchange,
        first,
        reply(Reasoning("thought 1"), "I read it.", read),
        reply(Reasoning("thought 2"), "It is long."),
        reply(Reasoning("thought 4"), call("read_file", file_path=str(note)), call("ls", path=".")),
        reply(Reasoning("thought 5"), "The note is there."),
        reply("Bye."),
    )
    plan(
        exchange,
        second,
        reply(Reasoning("thought 3"), call("write_file", file_path=str(note), content="tea\n")),
        reply("I noted it."),
    )

    session, one = await say(exchange, first, None)
    _, two = await say(exchange, second, session, window=SMALL)
    _, three = await say(exchange, first, session)
    _, four = await say(exchange, first, session)

    assert [texts(events) for events in (one, two, three, four)] == [
        ["I read it.", "It is long."],
        ["I noted it."],
        ["The note is there."],
        ["Bye."],
    ]
    assert [len(only(events, SummaryFinished)) for events in (one, two, three, four)] == [
        0,
        1,
        0,
        0,
    ]
    assert [each.ok for each in only([*one, *two, *three], CallFinished)] == [True] * 4
    assert "".join(each.text for each in only(three, ReasoningDelta)) == "thought 4thought 5"
    last = exchange.server.requests[-1].raw
    assert b"what went before" in last
    assert b"thought 1" not in last
    assert b"thought 3" not in last
    assert first == "chat" or (b"thought 4" in last and b"thought 5" in last)


@pytest.mark.parametrize("form", FORMATS)
async def test_another_model_of_the_same_format_gets_no_foreign_reasoning(
    form: Format, exchange: Exchange
) -> None:
    ls = ("ls", {"path": "."})
    plan(
        exchange,
        form,
        reply(Reasoning("thought 1"), "I look.", ToolCall(*ls)),
        reply("Empty."),
        reply(Reasoning("thought 2"), ToolCall(*ls)),
        reply("Still empty."),
        reply("Bye."),
    )

    session, _ = await say(exchange, form, None, name="one")
    _, two = await say(exchange, form, session, name="two")
    await say(exchange, form, session, name="one")

    assert texts(two) == ["Still empty."]
    *_, of_two, last = [received.raw for received in exchange.server.requests]
    assert b"thought 1" not in of_two
    assert b"thought 2" not in last
    assert form == "chat" or (b"thought 2" in of_two and b"thought 1" in last)


@pytest.mark.parametrize("form", FORMATS)
async def test_the_same_model_elsewhere_gets_no_foreign_reasoning(
    form: Format, exchange: Exchange
) -> None:
    plan(exchange, form, reply(Reasoning("thought"), call("ls", path=".")), reply("Empty."))
    session, _ = await say(exchange, form, None)
    with ModelServer(*spoken_formats()) as server:
        elsewhere = replace(exchange, server=server)
        plan(elsewhere, form, reply("Bye."))
        _, events = await say(elsewhere, form, session)
    assert texts(events) == ["Bye."]
    assert server.refusals == []


@pytest.mark.parametrize(("first", "second"), PAIRS)
async def test_a_call_that_waits_is_decided_under_the_other_model(
    first: Format, second: Format, exchange: Exchange
) -> None:
    note = exchange.project / "note.txt"
    write = call("write_file", file_path=str(note), content="tea\n")
    plan(exchange, first, reply(Reasoning("thought 1"), "I'll write it.", write))
    plan(exchange, second, reply(Reasoning("thought 2"), "It is written."))
    asked = asyncio.Event()

    async with exchange.open(first) as conversation:
        running = asyncio.create_task(turn(conversation, Away(asked), "write a note"))
        await asked.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        session = conversation.id
    person = Person()
    async with exchange.open(second, session) as conversation:
        assert conversation.unfinished
        events = await go_on(conversation, person.decide)

    assert [[it.call.id for it in each.calls] for each in person.asked] == [[write.id]]
    assert events[-1] == TurnFinished("It is written.")
    assert note.read_text() == "tea\n"


class Away(Person):
    """Is asked and never answers."""

    def __init__(self, asked: asyncio.Event) -> None:
        super().__init__()
        self._was_asked = asked

    @override
    async def decide(self, request: ApprovalRequested) -> tuple[Decision, ...]:
        self._was_asked.set()
        await asyncio.Event().wait()
        return ()


def texts(events: Sequence[Event]) -> list[str]:
    assert [each for each in only(events, TextFinished) if each.cut] == []
    return [each.text for each in only(events, TextFinished)]
