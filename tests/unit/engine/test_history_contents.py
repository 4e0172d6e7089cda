"""What a history says: nothing blank or unsendable, reasoning only where it is from."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, SystemMessage

from handrail.engine.history import mended
from handrail.engine.origin import Target
from handrail.engine.sendable import EMPTY, NO_OUTPUT
from tests.support.histories import (
    ANTHROPIC,
    CHAT,
    RESPONSES,
    TARGETS,
    Content,
    answer,
    call,
    model,
    person,
    shapes,
    text,
)
from tests.support.history_rules import faults

IMAGE = {"type": "image", "base64": "AAAA", "mime_type": "image/png"}
THINKING: dict[str, Any] = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
REDACTED = {"type": "redacted_thinking", "data": "c2VhbGVk"}
TOOL_USE: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "ls", "input": {}}
REASONING: dict[str, Any] = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [],
    "encrypted_content": "c2VhbGVk",
}
FUNCTION_CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "ls",
    "arguments": "{}",
}

WORDS: dict[str, tuple[Content, Content]] = {
    "empty": ("", EMPTY),
    "blank": (" \n\t", EMPTY),
    "no blocks": ([], EMPTY),
    "a blank block alone": ([text(" ")], EMPTY),
    "a blank block beside another": ([text(""), text("a")], [text("a")]),
    "a blank text among blocks": (["", text("a")], [text("a")]),
    "a block without a type": ([{}, text("a")], [text("a")]),
    "half of a pair": ("a\ud83d", "a\ufffd"),
    "a split pair": ("\ud83d\ude00", "\U0001f600"),
    "half of a pair in a block": ([text("\udcff")], [text("\ufffd")]),
}


@pytest.mark.parametrize("target", TARGETS, ids=lambda it: it.name)
@pytest.mark.parametrize(("before", "after"), WORDS.values(), ids=WORDS)
def test_nothing_that_is_said_is_blank_or_broken(
    before: Content, after: Content, target: Target
) -> None:
    messages = [person(before), model("", call("a")), answer("a", before)]
    sent = mended(messages, target)
    result = NO_OUTPUT if after == EMPTY else after
    assert shapes(sent) == shapes([person(after), model("", call("a")), answer("a", result)])
    assert faults(sent, target) == []
    assert mended(sent, target) is sent


ANSWERS: dict[str, tuple[AIMessage, Content]] = {
    "empty": (model(""), EMPTY),
    "blank": (model("\n"), EMPTY),
    "blank with a call": (model("\n", call("a")), ""),
    "foreign blocks": (model([text("a"), text("b")]), "ab"),
    "foreign thinking": (model([THINKING, REDACTED, text("a")]), "a"),
    "foreign thinking and a call": (model([THINKING, TOOL_USE], call("toolu_1")), ""),
    "foreign thinking alone": (model([THINKING]), EMPTY),
    "foreign reasoning": (model([REASONING, text("a", id="msg_1")]), "a"),
    "foreign reasoning and a call": (model([REASONING, FUNCTION_CALL], call("call_1")), ""),
    "a foreign refusal": (model([{"type": "refusal", "refusal": "No."}]), "No."),
    "a foreign image": (model([IMAGE, text("a")]), "a"),
    "halves of pairs": (model("a\udcff"), "a\ufffd"),
    "foreign halves of pairs": (model([text("\udcff")]), "\ufffd"),
}


@pytest.mark.parametrize("target", TARGETS, ids=lambda it: it.name)
@pytest.mark.parametrize(("message", "after"), ANSWERS.values(), ids=ANSWERS)
def test_of_a_foreign_answer_the_words_and_calls_are_left(
    message: AIMessage, after: Content, target: Target
) -> None:
    sent = mended([person(), message, person("on")], target)
    assert sent[1].content == after
    assert isinstance(sent[1], AIMessage)
    assert len(sent[1].tool_calls) == len(message.tool_calls)
    assert faults(sent, target) == []


def test_reasoning_beside_the_content_stays_with_its_model() -> None:
    message = model("a", by=CHAT, reasoning_content="Hm.")
    messages: list[AnyMessage] = [person(), message, person("on")]
    assert mended(messages, CHAT) is messages
    assert mended(messages, ANTHROPIC)[1].additional_kwargs == {}
    message.additional_kwargs["reasoning_content"] = "Ha."
    assert mended(messages, CHAT)[1].additional_kwargs == {}


OWN: dict[str, tuple[Target, list[Any], str | None]] = {
    "thinking": (ANTHROPIC, [THINKING, text("a")], None),
    "redacted thinking": (ANTHROPIC, [REDACTED, text("a")], None),
    "thinking and a call": (ANTHROPIC, [THINKING, text("a"), TOOL_USE], "toolu_1"),
    "thinking in between": (ANTHROPIC, [THINKING, text("a"), THINKING, TOOL_USE], "toolu_1"),
    "reasoning": (RESPONSES, [REASONING, text("a", id="msg_1")], None),
    "reasoning and a call": (RESPONSES, [REASONING, FUNCTION_CALL], "call_1"),
}


def own(target: Target, blocks: list[Any], id_: str | None) -> list[AnyMessage]:
    calls = [call(id_)] if id_ else []
    answers = [answer(id_)] if id_ else []
    return [person(), model(blocks, *calls, by=target), *answers, person("on")]


@pytest.mark.parametrize(("target", "blocks", "id_"), OWN.values(), ids=OWN)
def test_a_models_own_reasoning_goes_back_as_it_came(
    target: Target, blocks: list[Any], id_: str | None
) -> None:
    messages = own(target, blocks, id_)
    assert mended(messages, target) is messages
    other = Target(target.name + "-mini", target.format)
    for foreign in (other, CHAT):
        sent = mended(messages, foreign)
        assert isinstance(sent[1].content, str)
        assert faults(sent, foreign) == []


@pytest.mark.parametrize(("target", "blocks", "id_"), OWN.values(), ids=OWN)
def test_altered_reasoning_is_left_out(target: Target, blocks: list[Any], id_: str | None) -> None:
    messages = own(target, blocks, id_)
    messages[1] = messages[1].model_copy(
        update={"content": [{**blocks[0], "more": 1}, *blocks[1:]]}
    )
    sent = mended(messages, target)
    content = sent[1].content
    assert isinstance(content, list)
    kinds = [block["type"] for block in content if isinstance(block, dict)]
    assert not {"thinking", "redacted_thinking", "reasoning"} & set(kinds)
    if target is RESPONSES:
        assert all("id" not in block for block in content)
    assert faults(sent, target) == []


@pytest.mark.parametrize("target", [ANTHROPIC, RESPONSES], ids=lambda it: it.name)
def test_reasoning_that_led_to_nothing_is_left_out(target: Target) -> None:
    block = THINKING if target is ANTHROPIC else REASONING
    messages = [person(), model([text("a", id="msg_1"), block], by=target), person("on")]
    content = mended(messages, target)[1].content
    assert [it["type"] for it in content if isinstance(it, dict)] == ["text"]


def test_the_block_of_a_call_follows_its_call() -> None:
    message = model([REASONING, FUNCTION_CALL], call("call_1"), by=RESPONSES)
    message.tool_calls = [call("call_1_2", path="/p")]
    sent = mended([person(), message, answer("call_1_2"), person("on")], RESPONSES)
    block = {**FUNCTION_CALL, "call_id": "call_1_2", "arguments": '{"path": "/p"}'}
    assert sent[1].content == [REASONING, block]


def test_a_broken_call_leaves_no_broken_block() -> None:
    block = {**FUNCTION_CALL, "arguments": '{"path": "a'}
    message = model([block], by=RESPONSES)
    message.invalid_tool_calls = [
        {"type": "invalid_tool_call", "id": "call_1", "name": "ls", "args": "{", "error": None}
    ]
    sent = mended([person(), message, person("on")], RESPONSES)
    assert sent[1].content == [FUNCTION_CALL]
    assert faults(sent, RESPONSES) == []


def test_raw_calls_of_another_provider_are_not_sent_again() -> None:
    raw = [{"id": "a", "type": "function", "function": {"name": "ls", "arguments": "{"}}]
    sent = mended([person(), model("a", tool_calls=raw), person("on")], CHAT)
    assert sent[1].additional_kwargs == {}


def test_marks_for_a_cache_stay_with_the_provider_that_knows_them() -> None:
    marked = text("a", cache_control={"type": "ephemeral"})
    messages: list[AnyMessage] = [person([marked])]
    assert mended(messages, ANTHROPIC) is messages
    assert mended(messages, CHAT)[0].content == [text("a")]


def test_an_image_is_left_to_those_who_know_the_model() -> None:
    messages: list[AnyMessage] = [person([text("look"), IMAGE])]
    assert mended(messages, CHAT) is messages


def test_an_empty_system_message_is_left_out() -> None:
    assert shapes(mended([SystemMessage(" "), person()], CHAT)) == shapes([person()])


def test_halves_of_pairs_in_arguments_are_replaced() -> None:
    sent = mended([person(), model("", call("a", path={"b": ["\udcff"]})), answer("a")], CHAT)
    assert shapes(sent)[1] == ("model", "", [("a", "ls", {"path": {"b": ["\ufffd"]}})])
