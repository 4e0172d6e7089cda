"""Calls and answers of a history: one answer each, in place and in order, under ids that fit."""

import pytest
from langchain_core.messages import AnyMessage

from handrail.engine.history import GO_ON, LOST, WENT_BEFORE, mended
from handrail.engine.origin import Target
from handrail.engine.sendable import UNREADABLE
from tests.support.histories import (
    ANTHROPIC,
    CHAT,
    STRICT,
    TARGETS,
    answer,
    broken,
    call,
    model,
    person,
    shapes,
)
from tests.support.history_rules import faults

LONG = "x" * 50

PAIRS: dict[str, tuple[list[AnyMessage], list[AnyMessage]]] = {
    "a call without an answer at the end": (
        [person(), model("", call("a"))],
        [person(), model("", call("a")), answer("a", LOST)],
    ),
    "a call without an answer before a person": (
        [person(), model("", call("a")), person("on")],
        [person(), model("", call("a")), answer("a", LOST), person("on")],
    ),
    "the second of two calls without an answer": (
        [person(), model("", call("a"), call("b")), answer("a")],
        [person(), model("", call("a"), call("b")), answer("a"), answer("b", LOST)],
    ),
    "the first of two calls without an answer": (
        [person(), model("", call("a"), call("b")), answer("b")],
        [person(), model("", call("a"), call("b")), answer("a", LOST), answer("b")],
    ),
    "answers in another order": (
        [person(), model("", call("a"), call("b")), answer("b", "2"), answer("a", "1")],
        [person(), model("", call("a"), call("b")), answer("a", "1"), answer("b", "2")],
    ),
    "an answer without a call": ([person(), answer("a")], [person()]),
    "answers whose call went with a summary": (
        [person("summary"), answer("b"), answer("c"), person("on")],
        [person("summary"), person("on")],
    ),
    "an answer to another call": (
        [person(), model("", call("a")), answer("b")],
        [person(), model("", call("a")), answer("a", LOST)],
    ),
    "an answer before its call": (
        [person(), answer("a"), model("", call("a"))],
        [person(), model("", call("a")), answer("a", LOST)],
    ),
    "two answers to one call": (
        [person(), model("", call("a")), answer("a", "1"), answer("a", "2")],
        [person(), model("", call("a")), answer("a", "1")],
    ),
    "an answer behind a person's words": (
        [person(), model("", call("a")), person("on"), answer("a")],
        [person(), model("", call("a")), answer("a"), person("on")],
    ),
    "an answer behind the model's next words": (
        [person(), model("", call("a")), model("well"), answer("a"), person("on")],
        [person(), model("", call("a")), answer("a"), model("well"), person("on")],
    ),
    "one id twice in a message": (
        [person(), model("", call("a", path="1"), call("a", path="2")), answer("a", "1")],
        [
            person(),
            model("", call("a", path="1"), call("a_2", path="2")),
            answer("a", "1"),
            answer("a_2", LOST),
        ],
    ),
    "one id twice in a message, both answered": (
        [person(), model("", call("a"), call("a")), answer("a", "1"), answer("a", "2")],
        [person(), model("", call("a"), call("a_2")), answer("a", "1"), answer("a_2", "2")],
    ),
    "one id again in every message": (
        [person()] + [message for n in "123" for message in (model("", call("a")), answer("a", n))],
        [
            person(),
            model("", call("a")),
            answer("a", "1"),
            model("", call("a_2")),
            answer("a_2", "2"),
            model("", call("a_3")),
            answer("a_3", "3"),
        ],
    ),
    "one id again, the first without an answer": (
        [person(), model("", call("a")), model("", call("a")), answer("a")],
        [
            person(),
            model("", call("a")),
            answer("a", LOST),
            model("", call("a_2")),
            answer("a_2"),
        ],
    ),
    "an id that a new one would take": (
        [person(), model("", call("a"), call("a_2"), call("a"))],
        [
            person(),
            model("", call("a"), call("a_2"), call("a_3")),
            answer("a", LOST),
            answer("a_2", LOST),
            answer("a_3", LOST),
        ],
    ),
    "no id": (
        [person(), model("", call(None), call(""))],
        [
            person(),
            model("", call("call"), call("call_2")),
            answer("call", LOST),
            answer("call_2", LOST),
        ],
    ),
    "an id with other characters": (
        [person(), model("", call("functions.ls:0")), answer("functions.ls:0")],
        [person(), model("", call("functions_ls_0")), answer("functions_ls_0")],
    ),
    "an id that is too long": (
        [person(), model("", call(LONG)), answer(LONG)],
        [person(), model("", call("x" * 32)), answer("x" * 32)],
    ),
    "two long ids with the same beginning": (
        [person(), model("", call(LONG + "1"), call(LONG + "2")), answer(LONG + "2")],
        [
            person(),
            model("", call("x" * 32), call("x" * 32 + "_2")),
            answer("x" * 32, LOST),
            answer("x" * 32 + "_2"),
        ],
    ),
    "a name with other characters": (
        [person(), model("", call("a", "functions.ls")), answer("a")],
        [person(), model("", call("a", "functions_ls")), answer("a")],
    ),
    "no name": (
        [person(), model("", call("a", "")), answer("a")],
        [person(), model("", call("a", "unknown")), answer("a")],
    ),
    "a name that is too long": (
        [person(), model("", call("a", "n" * 70)), answer("a")],
        [person(), model("", call("a", "n" * 64)), answer("a")],
    ),
    "broken arguments without an answer": (
        [person(), model("", broken("a"))],
        [person(), model("", call("a")), answer("a", UNREADABLE)],
    ),
    "broken arguments with an answer": (
        [person(), model("", broken("a")), answer("a", "no JSON")],
        [person(), model("", call("a")), answer("a", "no JSON")],
    ),
    "arguments that were whole but not run": (
        [person(), model("", broken("a", '{"path": "b"}')), answer("a")],
        [person(), model("", call("a", path="b")), answer("a")],
    ),
    "broken arguments beside whole ones": (
        [person(), model("", broken("b"), call("a")), answer("a")],
        [person(), model("", call("a"), call("b")), answer("a"), answer("b", UNREADABLE)],
    ),
    "broken arguments of no tool and no id": (
        [person(), model("", broken(None, "[", None))],
        [person(), model("", call("call", "unknown")), answer("call", UNREADABLE)],
    ),
    "the model speaks first": (
        [model("hello"), person()],
        [person(WENT_BEFORE), model("hello"), person()],
    ),
    "the model speaks last": (
        [person(), model("hello")],
        [person(), model("hello"), person(GO_ON)],
    ),
}


@pytest.mark.parametrize("target", TARGETS, ids=lambda it: it.name)
@pytest.mark.parametrize(("before", "after"), PAIRS.values(), ids=PAIRS)
def test_a_broken_pair_is_mended(
    before: list[AnyMessage], after: list[AnyMessage], target: Target
) -> None:
    stored = shapes(before)
    sent = mended(before, target)
    if not target.alternating:
        assert shapes(sent) == shapes(after)
    assert faults(sent, target) == []
    assert shapes(before) == stored
    assert mended(sent, target) is sent


WHOLE = [
    person(),
    model("I look.", call("a", path="b"), call("c"), by=CHAT),
    answer("a"),
    answer("c", [{"type": "text", "text": "two"}]),
    model("Done.", by=CHAT),
    person("thanks"),
]


@pytest.mark.parametrize("target", TARGETS, ids=lambda it: it.name)
def test_a_whole_history_is_sent_as_it_is(target: Target) -> None:
    assert faults(WHOLE, target) == []
    assert mended(WHOLE, target) is WHOLE


@pytest.mark.parametrize("cut", range(len(WHOLE) + 1))
@pytest.mark.parametrize("target", TARGETS, ids=lambda it: it.name)
def test_wherever_a_summary_cuts_both_ends_are_valid(cut: int, target: Target) -> None:
    assert faults(mended(WHOLE[:cut], target), target) == []
    assert faults(mended([person("summary"), *WHOLE[cut:]], target), target) == []


def test_the_ids_that_a_server_repeats_stay_its_own() -> None:
    messages = [person()]
    for number in range(3):
        messages += [
            model("", call("functions.ls:0"), by=CHAT),
            answer("functions.ls:0", str(number)),
        ]
    sent = mended(messages, CHAT)
    assert [it.tool_calls[0]["id"] for it in sent if it.type == "ai"] == [
        "functions.ls:0",
        "functions.ls:0_2",
        "functions.ls:0_3",
    ]
    assert faults(mended(messages, ANTHROPIC), ANTHROPIC) == []


def test_where_roles_must_alternate_words_are_joined() -> None:
    messages = [person("one"), person("two"), model("a"), model("b", call("c")), answer("c")]
    assert shapes(mended(messages, STRICT)) == shapes(
        [person("one\n\ntwo"), model("a\n\nb", call("c")), answer("c")]
    )
    assert mended(messages, CHAT) is messages
