"""Tests of the Anthropic format of the loopback service through the real client and bare blocks."""

from collections.abc import Mapping, Sequence

import anthropic
import pytest
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from pydantic import SecretStr

from tests.support.anthropic_messages import AnthropicMessages
from tests.support.json_shape import items, mapping, string
from tests.support.model_server import KEY, ModelServer
from tests.support.posting import posted
from tests.support.replies import Reasoning, TokenCount, ToolCall, call, refused, reply

Item = dict[str, object]

TEXT: Item = {"type": "text", "text": "x"}
CALL: Item = {"type": "tool_use", "id": "c1", "name": "ls", "input": {}}
RESULT: Item = {"type": "tool_result", "tool_use_id": "c1", "content": "a"}
AUTHORISED = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
LOOK: Item = {"name": "ls", "description": "lists", "input_schema": {"type": "object"}}


def anthropic_server() -> ModelServer:
    return ModelServer(AnthropicMessages("loopback"))


def client(server: ModelServer, *, key: str = KEY) -> ChatAnthropic:
    return ChatAnthropic(
        model_name="loopback",
        base_url=server.root_url,
        api_key=SecretStr(key),
        max_tokens_to_sample=1000,
        max_retries=0,
        timeout=None,
        stop=None,
    )


async def answer(
    model: ChatAnthropic, messages: Sequence[BaseMessage], *, streaming: bool = True
) -> AIMessage:
    bound = model.bind(tools=[LOOK])
    if not streaming:
        return await bound.ainvoke(list(messages))
    whole: AIMessageChunk | None = None
    async for chunk in bound.astream(list(messages)):
        assert isinstance(chunk, AIMessageChunk)
        whole = chunk if whole is None else whole + chunk
    assert whole is not None
    return whole


@pytest.mark.parametrize("streaming", [True, False])
async def test_a_round_of_thinking_text_and_a_call_goes_on_unaltered(*, streaming: bool) -> None:
    look = call("ls", path="/a/ü b")
    counted = TokenCount(prompt=1200, completion=34, cached=1000)
    asked: list[BaseMessage] = [SystemMessage("Be brief."), HumanMessage("hello")]
    with anthropic_server() as server:
        server.script(
            reply(Reasoning("Let me see."), "I'll  look.", look, usage=counted), reply("so")
        )
        model = client(server)
        first = await answer(model, asked, streaming=streaming)
        result = ToolMessage("a.py", tool_call_id=look.id)
        second = await answer(model, [*asked, first, result], streaming=streaming)
    assert server.refusals == []
    assert [block["type"] for block in first.content_blocks] == ["reasoning", "text", "tool_call"]
    assert first.text == "I'll  look."
    assert [(each["name"], each["args"], each["id"]) for each in first.tool_calls] == [
        ("ls", look.args, look.id)
    ]
    assert first.response_metadata["stop_reason"] == "tool_use"
    usage = first.usage_metadata
    assert usage is not None
    assert (usage["input_tokens"], usage["output_tokens"]) == (1200, 34)
    assert usage.get("input_token_details", {}).get("cache_read") == 1000
    assert second.text == "so"
    assert server.requests[1].system == "Be brief."
    said = items(server.requests[1].messages[1]["content"])
    assert [mapping(block)["type"] for block in said] == ["thinking", "text", "tool_use"]


async def test_arguments_come_in_fragments() -> None:
    with anthropic_server() as server:
        server.script(reply(ToolCall("ls", '{"path": "/aaaaaaaa"}', id="call_1")))
        model = client(server).bind(tools=[LOOK])
        chunks = [chunk async for chunk in model.astream([HumanMessage("hello")])]
    pieces = [
        piece["args"]
        for chunk in chunks
        if isinstance(chunk, AIMessageChunk)
        for piece in chunk.tool_call_chunks
    ]
    assert pieces == ["", "", '{"path"', ': "/aaa', 'aaaaa"}']


async def test_wrong_keys_models_and_loads_have_errors_of_their_own() -> None:
    asked = [HumanMessage("hello")]
    with anthropic_server() as server:
        with pytest.raises(anthropic.AuthenticationError, match="invalid x-api-key"):
            await answer(client(server, key="sk-wrong"), asked)
        other = client(server)
        other.model = "other"
        with pytest.raises(anthropic.NotFoundError, match="model: other"):
            await answer(other, asked)
        server.script(refused(429), refused(529, "Overloaded"))
        with pytest.raises(anthropic.RateLimitError, match="rate_limit_error"):
            await answer(client(server), asked)
        with pytest.raises(anthropic.OverloadedError, match="overloaded_error"):
            await answer(client(server), asked)


@pytest.mark.parametrize(
    ("headers", "status", "said"),
    [
        ({}, 401, "x-api-key header is required"),
        ({"x-api-key": "other"}, 401, "invalid x-api-key"),
        ({"x-api-key": KEY}, 400, "anthropic-version: header is required"),
        ({"x-api-key": KEY, "anthropic-version": "1"}, 400, "not a valid version"),
        ({"Authorization": f"Bearer {KEY}", "anthropic-version": "2026-10-21"}, 200, ""),
    ],
)
def test_the_headers_are_needed(headers: Mapping[str, str], status: int, said: str) -> None:
    with anthropic_server() as server:
        server.script(reply("hi"))
        got, body = posted(server, "/v1/messages", request(user(TEXT)), headers)
    assert got == status
    assert said in string(mapping(body.get("error")).get("message"))


def user(*blocks: Item) -> Item:
    return {"role": "user", "content": list(blocks)}


def model_said(*blocks: Item) -> Item:
    return {"role": "assistant", "content": list(blocks)}


def request(*messages: Item) -> Item:
    return {"model": "loopback", "max_tokens": 10, "messages": list(messages)}


def conversation(*messages: Item) -> Item:
    return {"messages": list(messages)}


MARKED = TEXT | {"cache_control": {"type": "ephemeral"}}
ASKED = (user(TEXT), model_said(CALL))

BAD: Mapping[str, tuple[Item, str]] = {
    "an unknown parameter": ({"seed": 1}, "seed: Extra inputs are not permitted"),
    "a parameter that was removed": ({"temperature": 1}, "temperature: Extra inputs"),
    "no room": ({"max_tokens": 0}, "max_tokens: Input should be greater"),
    "no messages": (conversation(), "at least one message is required"),
    "a system message": (
        conversation({"role": "system", "content": "x"}, user(TEXT)),
        'Unexpected role "system"',
    ),
    "the model first": (conversation(model_said(TEXT), user(TEXT)), 'must use the "user" role'),
    "the model last": (conversation(user(TEXT), model_said(TEXT)), "assistant message prefill"),
    "a blank text": (
        conversation(user(TEXT | {"text": ""})),
        "text content blocks must be non-empty",
    ),
    "white text": (conversation(user(TEXT | {"text": " \n"})), "non-whitespace text"),
    "an empty message": (conversation(user()), "all messages must have non-empty content"),
    "a blank system prompt": ({"system": [TEXT | {"text": ""}]}, "must be non-empty"),
    "a property of the client's own": (
        conversation(user(TEXT | {"index": 0})),
        "messages.0.content.0.text.index: Extra inputs are not permitted",
    ),
    "a block of another format": (
        conversation(user(TEXT), model_said({"type": "reasoning"}), user(TEXT)),
        "Input tag 'reasoning' found using 'type' does not match",
    ),
    "a call of the user": (conversation(user(CALL)), "Input tag 'tool_use'"),
    "a call without a result": (
        conversation(*ASKED, user(TEXT)),
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: c1",
    ),
    "a result behind text": (
        conversation(*ASKED, user(TEXT, RESULT)),
        "`tool_use` ids were found without `tool_result` blocks immediately after: c1",
    ),
    "a result too late": (
        conversation(*ASKED, user(TEXT), model_said(TEXT), user(RESULT)),
        "`tool_use` ids were found without `tool_result` blocks immediately after: c1",
    ),
    "a result without a call": (
        conversation(user(TEXT), model_said(TEXT), user(RESULT)),
        "unexpected `tool_use_id` found in `tool_result` blocks: c1",
    ),
    "two results": (
        conversation(*ASKED, user(RESULT, RESULT)),
        "each tool_use must have a single result",
    ),
    "the same id twice": (
        conversation(*ASKED, user(RESULT), model_said(CALL), user(RESULT)),
        "`tool_use` ids must be unique",
    ),
    "an id with a dot": (
        conversation(user(TEXT), model_said(CALL | {"id": "a.b"}), user(RESULT)),
        "tool_use.id: String should match pattern",
    ),
    "arguments as text": (
        conversation(user(TEXT), model_said(CALL | {"input": "{}"}), user(RESULT)),
        "tool_use.input: Input should be a valid dictionary",
    ),
    "five breakpoints": (
        conversation(user(*[MARKED] * 5)),
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    "a tool with a dotted name": (
        {"tools": [LOOK | {"name": "fs.read"}]},
        "tools.0.custom.name: String should match pattern",
    ),
    "the same tool twice": ({"tools": [LOOK, LOOK]}, "Tool names must be unique"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_malformed_request_is_refused(what: str) -> None:
    change, said = BAD[what]
    with anthropic_server() as server:
        status, body = posted(server, "/v1/messages", request(user(TEXT)) | change, AUTHORISED)
    error = mapping(body["error"])
    assert (status, error["type"]) == (400, "invalid_request_error")
    assert said in string(error["message"])
    assert string(body["request_id"]).startswith("req_")


def ask(server: ModelServer, *messages: Item, **more: object) -> tuple[int, list[Item], str]:
    """The status, the content's blocks and the error's text."""
    sent = request(user(TEXT), *messages) | more
    status, body = posted(server, "/v1/messages", sent, AUTHORISED)
    blocks = [dict(mapping(block)) for block in items(body.get("content"))]
    return status, blocks, string(mapping(body.get("error")).get("message"))


def test_thinking_comes_back_unaltered_or_not_at_all() -> None:
    with anthropic_server() as server:
        server.answer_with(
            lambda _: reply(Reasoning("why"), call("ls"), Reasoning("and"), call("ls"))
        )
        _, [why, first, and_, second], _ = ask(server)
        _, [foreign, *_], _ = ask(server)
        results = user(*[RESULT | {"tool_use_id": each["id"]} for each in (first, second)])
        sent: Mapping[str, tuple[list[Item], int, str]] = {
            "unaltered": ([why, first, and_, second], 200, ""),
            "dropped": ([first, second], 200, ""),
            "half of it dropped": ([why, first, second], 400, "cannot be modified"),
            "reordered": ([why, and_, first, second], 400, "cannot be modified"),
            "of another message": ([foreign, first, second], 400, "cannot be modified"),
            "altered": ([why | {"thinking": "w"}, first, and_, second], 400, "Invalid `signature`"),
            "unsigned": ([why | {"signature": "x"}, first, second], 400, "Invalid `signature`"),
            "at the end": ([first, second, why], 400, "final block in an assistant message"),
        }
        answers = {
            what: ask(server, model_said(*given), results) for what, (given, _, _) in sent.items()
        }
        thinking = {"type": "enabled", "budget_tokens": 1024}
        needed = ask(server, model_said(first, second), results, thinking=thinking)
    assert {what: status for what, (status, _, _) in answers.items()} == {
        what: status for what, (_, status, _) in sent.items()
    }
    assert [what for what, (_, _, said) in sent.items() if said not in answers[what][2]] == []
    assert needed[0] == 400
    assert "a final `assistant` message must start with a thinking block" in needed[2]


def test_a_model_takes_only_its_own_thinking() -> None:
    with ModelServer(AnthropicMessages()) as server:
        server.answer_with(lambda _: reply(Reasoning("why"), call("ls")))
        _, content, _ = ask(server)
        result = user(RESULT | {"tool_use_id": content[1]["id"]})
        assert ask(server, model_said(*content), result)[0] == 200
        status, _, said = ask(server, model_said(*content), result, model="other")
    assert (status, said) == (400, "messages.1.content.0: Invalid `signature` in `thinking` block")
