"""Tests of the loopback model service through the product's own client and through bare HTTP."""

import asyncio
import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import openai
import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.messages.tool import tool_call as create_tool_call
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.support.json_shape import items, mapping
from tests.support.model_server import KEY, ModelServer, Received
from tests.support.replies import (
    CutAfter,
    Gate,
    Reply,
    TokenCount,
    ToolCall,
    call,
    refused,
    reply,
)

HELLO: Sequence[BaseMessage] = [HumanMessage("hello")]
USER: Mapping[str, object] = {"role": "user", "content": "x"}
AUTHORISED = {"Authorization": f"Bearer {KEY}"}


def connect(server: ModelServer) -> HTTPConnection:
    return HTTPConnection(urlsplit(server.base_url).netloc)


def chat(server: ModelServer, *, model: str = "loopback", key: str = KEY) -> ChatOpenAI:
    return ChatOpenAI(
        model=model,
        base_url=server.base_url,
        api_key=SecretStr(key),
        stream_usage=True,
        max_retries=0,
    )


async def streamed(model: ChatOpenAI, messages: Sequence[BaseMessage]) -> AIMessageChunk:
    whole = AIMessageChunk(content="")
    async for chunk in model.astream(list(messages)):
        assert isinstance(chunk, AIMessageChunk)
        whole += chunk
    return whole


def post(
    server: ModelServer,
    body: object,
    *,
    path: str = "/v1/chat/completions",
    headers: Mapping[str, str] = AUTHORISED,
    method: str = "POST",
) -> tuple[int, Mapping[str, object]]:
    connection = connect(server)
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        connection.request(method, path, sent, dict(headers))
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


async def test_text_and_calls_arrive_in_pieces_and_add_up(model_server: ModelServer) -> None:
    edit = call("edit_file", path="/a/ü.py", old="x = 1", new="x = 2")
    look = call("ls", path="/")
    counted = TokenCount(prompt=1200, completion=34, cached=1000)
    model_server.script(reply("I'll  change\nit → now. ", edit, look, usage=counted))

    answer = await streamed(chat(model_server), HELLO)

    assert answer.text == "I'll  change\nit → now. "
    assert [(each["name"], each["args"], each["id"]) for each in answer.tool_calls] == [
        ("edit_file", edit.args, edit.id),
        ("ls", look.args, look.id),
    ]
    assert answer.response_metadata["finish_reason"] == "tool_calls"
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["input_tokens"] == 1200
    assert answer.usage_metadata["output_tokens"] == 34
    assert answer.usage_metadata.get("input_token_details", {}).get("cache_read") == 1000


async def test_text_really_comes_in_several_deltas(model_server: ModelServer) -> None:
    model_server.script(reply("one two  three"))
    pieces = [chunk.text async for chunk in chat(model_server).astream(list(HELLO))]
    assert [piece for piece in pieces if piece] == ["one", " two", "  three"]


async def test_usage_is_only_streamed_to_those_who_ask(model_server: ModelServer) -> None:
    model_server.answer_with(lambda _: reply("hi"))
    quiet = chat(model_server)
    quiet.stream_usage = False
    assert (await streamed(quiet, HELLO)).usage_metadata is None
    assert (await streamed(chat(model_server), HELLO)).usage_metadata is not None


async def test_a_reply_in_one_body_says_the_same(model_server: ModelServer) -> None:
    look = call("ls", path="/")
    model_server.script(reply("Looking.", look, usage=TokenCount(10, 5)))
    answer = await chat(model_server).ainvoke(list(HELLO))
    assert isinstance(answer, AIMessage)
    assert answer.text == "Looking."
    assert [(each["name"], each["args"], each["id"]) for each in answer.tool_calls] == [
        ("ls", look.args, look.id)
    ]
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["total_tokens"] == 15


async def test_arguments_that_are_no_json_are_sent_as_they_stand(
    model_server: ModelServer,
) -> None:
    model_server.script(reply(ToolCall("ls", '{"path": "/', id="call_1")))
    answer = await streamed(chat(model_server), HELLO)
    assert [each["args"] for each in answer.tool_call_chunks] == ['{"path": "/']


async def test_requests_are_recorded_as_they_came(model_server: ModelServer) -> None:
    model_server.script(reply("hi"))
    await streamed(chat(model_server), [SystemMessage("Be brief."), HumanMessage("hello")])
    [received] = model_server.requests
    assert (received.method, received.path) == ("POST", "/v1/chat/completions")
    assert received.headers["Authorization"] == f"Bearer {KEY}"
    assert received.system == "Be brief."
    assert received.messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hello"},
    ]
    assert received.body == json.loads(received.raw)


async def test_conversations_have_scripts_of_their_own(model_server: ModelServer) -> None:
    def echo(received: Received) -> Reply:
        return reply(f"helping with {received.messages[-1]['content']}")

    model_server.script(reply("first"), reply("second"))
    model_server.answer_with(echo, when="a helper")
    model = chat(model_server)
    helper: list[BaseMessage] = [SystemMessage("You are a helper."), HumanMessage("tests")]
    asked = [HELLO, helper, HELLO, helper]
    answers = [(await streamed(model, each)).text for each in asked]
    assert answers == ["first", "helping with tests", "second", "helping with tests"]


async def test_a_gate_holds_the_stream_until_it_is_opened(model_server: ModelServer) -> None:
    gate = Gate()
    model_server.script(reply("before", gate, " after"))
    seen = ""
    async for chunk in chat(model_server).astream(list(HELLO)):
        seen += chunk.text
        if seen == "before":
            await asyncio.to_thread(gate.wait_reached)
            gate.open()
    assert seen == "before after"


@contextmanager
def held_stream(server: ModelServer) -> Generator[Gate]:
    gate = Gate()
    server.script(reply("before", gate, " after"), reply("next"))
    connection = connect(server)
    body = {"model": "loopback", "stream": True, "messages": [USER]}
    connection.request("POST", "/v1/chat/completions", json.dumps(body).encode(), AUTHORISED)
    gate.wait_reached()
    yield gate
    connection.close()


async def test_a_gate_notices_that_the_client_left(model_server: ModelServer) -> None:
    with held_stream(model_server) as gate:
        pass
    gate.wait_left()
    assert (await streamed(chat(model_server), HELLO)).text == "next"


def test_closing_does_not_wait_for_a_held_stream() -> None:
    server = ModelServer()
    server.start()
    with held_stream(server) as gate:
        server.close()
        gate.wait_left(timeout=0)


async def test_a_status_reaches_the_client_with_its_headers(model_server: ModelServer) -> None:
    model_server.script(refused(429, "Slow down.", retry_after="7"), refused(503))
    with pytest.raises(openai.RateLimitError, match="Slow down") as limited:
        await streamed(chat(model_server), HELLO)
    assert limited.value.response.headers["retry-after"] == "7"
    with pytest.raises(openai.InternalServerError):
        await streamed(chat(model_server), HELLO)


async def test_a_connection_can_break_in_mid_stream(model_server: ModelServer) -> None:
    model_server.script(reply("one two three", fault=CutAfter(600)))
    seen = ""

    async def read() -> None:
        nonlocal seen
        async for chunk in chat(model_server).astream(list(HELLO)):
            seen += chunk.text

    with pytest.raises(openai.APIConnectionError):
        await read()
    assert seen == "one"


async def test_a_script_that_runs_out_is_the_tests_error() -> None:
    with ModelServer() as server:
        server.script(reply("only one"))
        assert (await streamed(chat(server), HELLO)).text == "only one"
        with pytest.raises(openai.BadRequestError, match="no reply is left"):
            await streamed(chat(server), HELLO)
    assert [str(error) for error in server.errors] == ["no reply is left in the script for ''"]


def test_the_models_are_listed(model_server: ModelServer) -> None:
    status, body = post(model_server, None, path="/v1/models", method="GET")
    assert status == 200
    assert [mapping(entry)["id"] for entry in items(body["data"])] == ["loopback"]


def ai(text: str, *ids: str) -> AIMessage:
    calls = [create_tool_call(name="ls", args={}, id=each) for each in ids]
    return AIMessage(content=text, tool_calls=calls)


UNPAIRED: Mapping[str, tuple[list[BaseMessage], str]] = {
    "a call without a result": (
        [*HELLO, ai("", "c1"), HumanMessage("and?")],
        "did not have response messages: c1",
    ),
    "a call at the end": ([*HELLO, ai("", "c1")], "did not have response messages: c1"),
    "one of two calls without a result": (
        [*HELLO, ai("", "c1", "c2"), ToolMessage("x", tool_call_id="c2")],
        "did not have response messages: c1",
    ),
    "a result that comes late": (
        [*HELLO, ai("", "c1"), HumanMessage("and?"), ToolMessage("x", tool_call_id="c1")],
        "did not have response messages: c1",
    ),
    "a result without a call": (
        [*HELLO, ToolMessage("x", tool_call_id="c1")],
        "must be a response to a preceeding message",
    ),
    "two results of one call": (
        [*HELLO, ai("", "c1"), *[ToolMessage("x", tool_call_id="c1")] * 2],
        "must be a response to a preceeding message",
    ),
    "a blank message": ([HumanMessage(" \n")], "string too short"),
    "a blank block": (
        [HumanMessage([{"type": "text", "text": ""}])],
        r"'messages\[0\].content\[0\].text': string too short",
    ),
    "a blank answer": ([*HELLO, ai(""), HumanMessage("and?")], "string too short"),
    "a blank result": (
        [*HELLO, ai("", "c1"), ToolMessage("", tool_call_id="c1")],
        "string too short",
    ),
    "a long id": (
        [*HELLO, ai("", "c" * 41), ToolMessage("x", tool_call_id="c" * 41)],
        "maximum length 40",
    ),
}


@pytest.mark.parametrize("what", UNPAIRED)
async def test_a_history_the_service_would_not_take_is_refused(what: str) -> None:
    messages, message = UNPAIRED[what]
    with ModelServer() as server:
        server.answer_with(lambda _: reply("taken"))
        with pytest.raises(openai.BadRequestError, match=message):
            await streamed(chat(server), messages)
        with pytest.raises(openai.BadRequestError, match=message):
            await chat(server).ainvoke(messages)
    assert len(server.refusals) == 2


async def test_a_paired_history_is_taken(model_server: ModelServer) -> None:
    model_server.script(reply("taken"))
    results = [ToolMessage("x", tool_call_id=each) for each in ("c2", "c1")]
    history = [*HELLO, ai("", "c1", "c2"), *results, ai("so"), HumanMessage("and?")]
    assert (await streamed(chat(model_server), history)).text == "taken"


async def test_a_wrong_key_and_an_unknown_model_are_refused() -> None:
    with ModelServer() as server:
        with pytest.raises(openai.AuthenticationError, match="Incorrect API key"):
            await streamed(chat(server, key="sk-wrong"), HELLO)
        with pytest.raises(openai.NotFoundError, match="`other` does not exist"):
            await streamed(chat(server, model="other"), HELLO)


def tool(name: str, parameters: object = None) -> Mapping[str, object]:
    function = {"name": name, "parameters": parameters or {"type": "object"}}
    return {"type": "function", "function": function}


BAD_BODIES: Mapping[str, tuple[object, tuple[int, str | None, str | None]]] = {
    "no json": (b"{", (400, None, None)),
    "no object": ([], (400, None, None)),
    "no model": ({"messages": [USER]}, (400, None, None)),
    "no messages": ({"model": "loopback"}, (400, "messages", "missing_required_parameter")),
    "empty messages": ({"model": "loopback", "messages": []}, (400, "messages", "empty_array")),
    "an unknown role": (
        {"model": "loopback", "messages": [{"role": "robot", "content": "x"}]},
        (400, "messages[0].role", "invalid_value"),
    ),
    "an unknown argument": ({"model": "loopback", "messages": [USER], "x": 1}, (400, None, None)),
    "stream options without a stream": (
        {"model": "loopback", "messages": [USER], "stream_options": {"include_usage": True}},
        (400, "stream_options", None),
    ),
    "no content": (
        {"model": "loopback", "messages": [{"role": "user", "content": None}]},
        (400, "messages[0].content", None),
    ),
    "an empty list of tools": (
        {"model": "loopback", "messages": [USER], "tools": []},
        (400, "tools", "empty_array"),
    ),
    "a tool with a dotted name": (
        {"model": "loopback", "messages": [USER], "tools": [tool("ok"), tool("fs.read")]},
        (400, "tools[1].function.name", "invalid_value"),
    ),
    "a tool with a long name": (
        {"model": "loopback", "messages": [USER], "tools": [tool("x" * 65)]},
        (400, "tools[0].function.name", "string_above_max_length"),
    ),
    "a tool whose arguments are no object": (
        {"model": "loopback", "messages": [USER], "tools": [tool("x", {"type": "array"})]},
        (400, "tools[0].function.parameters", "invalid_function_parameters"),
    ),
}


@pytest.mark.parametrize("what", BAD_BODIES)
def test_a_malformed_request_is_refused(what: str) -> None:
    body, expected = BAD_BODIES[what]
    with ModelServer() as server:
        server.answer_with(lambda _: reply("taken"))
        status, answer = post(server, body)
    error = answer["error"]
    assert isinstance(error, dict)
    assert (status, error["param"], error["code"]) == expected
    assert error["type"] == "invalid_request_error"
    assert error["message"]


def test_other_paths_methods_and_a_missing_key_are_refused() -> None:
    good = {"model": "loopback", "messages": [USER]}
    with ModelServer() as server:
        assert post(server, good, path="/v1/nothing")[0] == 404
        assert post(server, None, method="GET")[0] == 405
        assert post(server, good, headers={})[0] == 401
        assert post(server, None, path="/v1/models", method="GET", headers={})[0] == 401
