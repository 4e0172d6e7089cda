"""Whatever is wrong with a history: what is sent keeps the rules, also those of the services."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    InvalidToolCall,
    SystemMessage,
    ToolCall,
    ToolMessage,
)
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from handrail.engine.history import mended
from handrail.engine.origin import Target, stamp
from tests.support.anthropic_refusals import first_refusal as anthropic_refusal
from tests.support.anthropic_thinking import Signed
from tests.support.histories import ANTHROPIC, CHAT, RESPONSES, TARGETS
from tests.support.history_rules import faults
from tests.support.json_shape import Json
from tests.support.openai_items import Given
from tests.support.openai_items import first_refusal as responses_refusal
from tests.support.openai_refusals import first_refusal as chat_refusal

KEY = SecretStr("none")
CHAT_MODEL = ChatOpenAI(model="model-1", api_key=KEY, use_responses_api=False)
RESPONSES_MODEL = ChatOpenAI(model="model-1", api_key=KEY, use_responses_api=True)
ANTHROPIC_MODEL = ChatAnthropic(model_name="model-1", api_key=KEY, timeout=None, stop=None)

texts = st.sampled_from(["", " ", "\n", "a", "two words", "\ud83d", "\udcff x", "\ud83d\ude00"])
ids = st.sampled_from([None, "", "a", "b", "a_2", "functions.ls:0", "x" * 60, "x" * 61, "é"])
names = st.sampled_from(["ls", "", "functions.ls", "n" * 80, "d\u00e9j\u00e0"])
ARGUMENTS: list[dict[str, Any]] = [{}, {"path": "a"}, {"b": ["\ud83d", {"\udcff": 1}]}]
RAW = [None, "", "{", '{"a": 1}', "[]", '"\\ud83d"']
FOREIGN: list[Any] = [
    {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
    {"type": "thinking", "thinking": "cut"},
    {"type": "redacted_thinking", "data": "c2VhbGVk"},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2Vh"},
    {"type": "tool_use", "id": "a", "name": "ls", "input": {}},
    {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "ls", "arguments": "{"},
    {"type": "refusal", "refusal": "No."},
    {},
    "",
    "a",
]


def _text(words: str) -> Any:  # noqa: ANN401  # a block
    return {"type": "text", "text": words}


def _call(id_: str | None, name: str, args: dict[str, Any]) -> ToolCall:
    return ToolCall(type="tool_call", id=id_, name=name, args=args)


def _broken(id_: str | None, name: str | None, args: str | None) -> InvalidToolCall:
    return InvalidToolCall(type="invalid_tool_call", id=id_, name=name, args=args, error=None)


def _model(content: Any, calls: list[ToolCall], broken: list[InvalidToolCall]) -> AIMessage:  # noqa: ANN401  # generated
    return AIMessage(content, tool_calls=calls, invalid_tool_calls=broken)


def _answer(content: Any, id_: str | None) -> ToolMessage:  # noqa: ANN401  # generated
    return ToolMessage(content, tool_call_id=id_ or "")


blocks: st.SearchStrategy[Any] = st.builds(_text, texts)
said: st.SearchStrategy[Any] = st.one_of(texts, st.lists(blocks, max_size=3))
answered: st.SearchStrategy[Any] = st.one_of(
    texts, st.lists(st.one_of(blocks, st.sampled_from(FOREIGN)), max_size=4)
)
calls = st.lists(st.builds(_call, ids, names, st.sampled_from(ARGUMENTS)), max_size=3)
broken_calls = st.lists(
    st.builds(_broken, ids, st.one_of(st.none(), names), st.sampled_from(RAW)), max_size=2
)
messages: st.SearchStrategy[list[AnyMessage]] = st.lists(
    st.one_of(
        st.builds(HumanMessage, said),
        st.builds(_model, answered, calls, broken_calls),
        st.builds(_answer, said, ids),
        st.builds(SystemMessage, texts),
    ),
    max_size=8,
)


@pytest.mark.parametrize("target", TARGETS, ids=lambda it: it.name)
@given(history=messages)
def test_whatever_is_broken_is_mended(history: list[AnyMessage], target: Target) -> None:
    sent = mended(history, target)
    assert faults(sent, target) == []
    assert mended(sent, target) is sent


@given(history=messages)
def test_the_models_own_broken_history_is_mended(history: list[AnyMessage]) -> None:
    for target in TARGETS:
        for message in history:
            if isinstance(message, AIMessage):
                stamp(message, target)
        assert faults(mended(history, target), target) == []


def _payload(model: Any, sent: list[AnyMessage]) -> Json:  # noqa: ANN401  # partly untyped
    """What the client sends over the wire."""
    return model._get_request_payload(sent)


def _spoken(history: list[AnyMessage]) -> list[AnyMessage]:
    """The services' clients put a system message in front; histories of the agent have none."""
    return [
        HumanMessage("go"),
        *(message for message in history if not isinstance(message, SystemMessage)),
    ]


@given(history=messages)
def test_chat_completions_takes_every_mended_history(history: list[AnyMessage]) -> None:
    sent = mended(_spoken(history), CHAT)
    body = _payload(CHAT_MODEL, sent)
    assert chat_refusal(body, ()) is None


@given(history=messages)
def test_responses_takes_every_mended_history(history: list[AnyMessage]) -> None:
    sent = mended(_spoken(history), RESPONSES)
    body = _payload(RESPONSES_MODEL, sent)
    assert responses_refusal(body, (), Given()) is None


@given(history=messages)
def test_anthropic_takes_every_mended_history(history: list[AnyMessage]) -> None:
    sent = mended(_spoken(history), ANTHROPIC)
    body = _payload(ANTHROPIC_MODEL, sent)
    assert anthropic_refusal(body, (), Signed()) is None
