"""A whole turn in every format: what the person is told is the same in all of them."""

from itertools import pairwise

import pytest

from handrail.events import (
    ApprovalAnswered,
    ApprovalRequested,
    Call,
    CallFinished,
    CallProposed,
    CallStarted,
    Event,
    ReasoningDelta,
    TextDelta,
    TextFinished,
    TurnFinished,
    TurnStarted,
    UsageCounted,
)
from tests.e2e.formats.conftest import FORMATS, Exchange, Format
from tests.support.engine_bed import Person, only, turn
from tests.support.json_shape import Json, items, mapping
from tests.support.replies import Reasoning, TokenCount, call, reply

CONTENT = "tea, ümlaut\n" * 3

STORY = (
    TurnStarted,
    ReasoningDelta,
    TextDelta,
    TextFinished,
    UsageCounted,
    CallProposed,
    ApprovalRequested,
    ApprovalAnswered,
    CallStarted,
    CallFinished,
    TextDelta,
    TextFinished,
    UsageCounted,
    TurnFinished,
)


def story(events: list[Event]) -> list[type[Event]]:
    """The kinds of events in their order, what repeats told once."""
    kinds = [type(event) for event in events if type(event) in STORY]
    return [
        kind for number, kind in enumerate(kinds) if number == 0 or kind is not kinds[number - 1]
    ]


@pytest.mark.parametrize("form", FORMATS)
async def test_a_whole_turn_is_told_alike(form: Format, exchange: Exchange) -> None:
    note = exchange.project / "note.txt"
    wanted = call("write_file", file_path=str(note), content=CONTENT)
    exchange.server.script(
        reply(
            Reasoning("A note  is wanted."),
            "I'll write it.",
            wanted,
            usage=TokenCount(5000, 40, 4000),
        ),
        reply("It is written.", usage=TokenCount(5100, 10, 5000)),
    )
    person = Person()

    async with exchange.open(form) as conversation:
        events = await turn(conversation, person, "write a note")

    assert story(events) == list(STORY)
    assert "".join(each.text for each in only(events, ReasoningDelta)) == "A note  is wanted."
    assert [(each.text, each.cut) for each in only(events, TextFinished)] == [
        ("I'll write it.", False),
        ("It is written.", False),
    ]
    assert "".join(each.text for each in only(events, TextDelta)) == "I'll write it.It is written."
    proposed = Call(
        wanted.id, "write_file", {"file_path": str(note), "content": "tea, ümlaut\n" * 3}
    )
    assert [each.call for each in only(events, CallProposed)] == [proposed]
    assert [[it.call for it in each.calls] for each in person.asked] == [[proposed]]
    assert [(each.call, each.ok) for each in only(events, CallFinished)] == [(proposed, True)]
    assert [(each.input, each.output, each.cached) for each in only(events, UsageCounted)] == [
        (5000, 40, 4000),
        (5100, 10, 5000),
    ]
    assert note.read_text() == CONTENT
    assert len(exchange.server.requests) == len(exchange.asked(form)) == 2


async def test_anthropic_is_told_what_to_cache(exchange: Exchange) -> None:
    exchange.server.script(reply("hi"))
    async with exchange.open("anthropic") as conversation:
        await turn(conversation, Person(), "hello")
    body = exchange.server.requests[0].body
    mark = {"type": "ephemeral", "ttl": "5m"}
    assert marks(mapping(items(body["system"])[-1])) == [mark]
    assert [marks(mapping(tool)) for tool in items(body["tools"])][-2:] == [[], [mark]]
    assert body["cache_control"] == mark


LISTS = {"chat": "messages", "responses": "input", "anthropic": "messages"}


@pytest.mark.parametrize("form", FORMATS)
async def test_each_request_only_adds_to_the_one_before_so_that_caches_hold(
    form: Format, exchange: Exchange
) -> None:
    ls = call("ls", path=".")
    exchange.server.script(
        reply(Reasoning("I look."), ls), reply("Empty."), reply("Still empty."), reply("Bye.")
    )
    async with exchange.open(form) as conversation:
        await turn(conversation, Person(), "what is here?")
        await turn(conversation, Person(), "and now?")
        session = conversation.id
    async with exchange.open(form, session) as conversation:
        await turn(conversation, Person(), "thanks")

    bodies = [received.body for received in exchange.server.requests]
    assert len(bodies) == 4
    for earlier, later in pairwise(bodies):
        rest = {name for name in earlier if name != LISTS[form]}
        assert {name: later[name] for name in rest} == {name: earlier[name] for name in rest}
        said = items(earlier[LISTS[form]])
        assert list(items(later[LISTS[form]])[: len(said)]) == list(said)


def marks(block: Json) -> list[object]:
    return [block[name] for name in ("cache_control",) if name in block]
