"""Tests of the Responses format of the loopback service through the real client and bare items."""

from collections.abc import Mapping, Sequence

import openai
import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.support.json_shape import items, mapping, string
from tests.support.model_server import KEY, ModelServer
from tests.support.openai_responses import OpenAIResponses
from tests.support.posting import posted
from tests.support.replies import Reasoning, TokenCount, ToolCall, call, reply

Item = dict[str, object]

SEALED = "reasoning.encrypted_content"
USER: Item = {"type": "message", "role": "user", "content": "x"}
CALL: Item = {"type": "function_call", "call_id": "c1", "name": "ls", "arguments": "{}"}
RESULT: Item = {"type": "function_call_output", "call_id": "c1", "output": "a"}
AUTHORISED = {"Authorization": f"Bearer {KEY}"}


def responses_server() -> ModelServer:
    return ModelServer(OpenAIResponses("loopback"))


def client(server: ModelServer, *, streaming: bool, key: str = KEY) -> ChatOpenAI:
    return ChatOpenAI(
        model="loopback",
        base_url=server.base_url,
        api_key=SecretStr(key),
        use_responses_api=True,
        store=False,
        include=[SEALED],
        max_retries=0,
        streaming=streaming,
    )


async def answer(model: BaseChatModel, messages: Sequence[BaseMessage]) -> AIMessage:
    whole: AIMessageChunk | None = None
    async for chunk in model.astream(list(messages)):
        assert isinstance(chunk, AIMessageChunk)
        whole = chunk if whole is None else whole + chunk
    assert whole is not None
    return whole


@pytest.mark.parametrize("streaming", [True, False])
async def test_a_round_of_reasoning_text_and_a_call_goes_on_unaltered(*, streaming: bool) -> None:
    look = call("ls", path="/a/ü b")
    counted = TokenCount(prompt=1200, completion=34, cached=1000)
    asked: list[BaseMessage] = [SystemMessage("Be brief."), HumanMessage("hello")]
    with responses_server() as server:
        server.script(
            reply(Reasoning("Let me see."), "I'll  look. ", look, usage=counted), reply("so")
        )
        model = client(server, streaming=streaming)
        ask = answer if streaming else _whole
        first = await ask(model, asked)
        second = await ask(model, [*asked, first, ToolMessage("a.py", tool_call_id=look.id)])
    assert server.refusals == []
    assert [block["type"] for block in first.content_blocks] == ["reasoning", "text", "tool_call"]
    assert first.text == "I'll  look. "
    assert [(each["name"], each["args"], each["id"]) for each in first.tool_calls] == [
        ("ls", look.args, look.id)
    ]
    usage = first.usage_metadata
    assert usage is not None
    assert (usage["input_tokens"], usage["output_tokens"]) == (1200, 34)
    assert usage.get("input_token_details", {}).get("cache_read") == 1000
    assert second.text == "so"
    assert server.requests[1].system == "Be brief."
    sent = [mapping(item) for item in items(server.requests[1].body["input"])]
    assert [string(item.get("type")) for item in sent[2:]] == [
        "reasoning",
        "message",
        "function_call",
        "function_call_output",
    ]


async def _whole(model: BaseChatModel, messages: Sequence[BaseMessage]) -> AIMessage:
    return await model.ainvoke(list(messages))


async def test_arguments_come_in_fragments() -> None:
    with responses_server() as server:
        server.script(reply(ToolCall("ls", '{"path": "/aaaaaaaa"}', id="call_1")))
        model = client(server, streaming=True)
        chunks = [chunk async for chunk in model.astream([HumanMessage("hello")])]
    pieces = [piece["args"] for chunk in chunks for piece in chunk.tool_call_chunks]
    assert pieces == ["", '{"path"', ': "/aaa', 'aaaaa"}']


async def test_a_cut_answer_says_why() -> None:
    with responses_server() as server:
        server.script(reply("half", finish_reason="length"))
        said = await answer(client(server, streaming=True), [HumanMessage("hello")])
    assert said.response_metadata["status"] == "incomplete"
    assert said.response_metadata["incomplete_details"] == {"reason": "max_output_tokens"}


async def test_a_wrong_key_is_refused() -> None:
    with (
        responses_server() as server,
        pytest.raises(openai.AuthenticationError, match="Incorrect API key"),
    ):
        await answer(client(server, streaming=True, key="sk-wrong"), [HumanMessage("hello")])


def tool(name: str) -> Mapping[str, object]:
    return {"type": "function", "name": name, "parameters": {"type": "object"}}


def message(role: str, *content: Item) -> Item:
    return {"type": "message", "role": role, "content": list(content)}


BAD: Mapping[str, tuple[Item, str]] = {
    "an unknown parameter": ({"seed": 1}, "Unknown parameter: 'seed'."),
    "an unknown model": ({"model": "other"}, "The requested model 'other' does not exist."),
    "no input": ({"input": None}, "Invalid 'input': empty array"),
    "too few tokens": ({"max_output_tokens": 7}, "Expected a value >= 16"),
    "an earlier response": ({"previous_response_id": "resp_1"}, "'resp_1' not found"),
    "a tool without a name": ({"tools": [{"type": "function"}]}, "'tools[0].name'"),
    "a tool with a dotted name": ({"tools": [tool("fs.read")]}, "tools[0].name"),
    "a call without a result": (
        {"input": [USER, CALL]},
        "No tool output found for function call c1.",
    ),
    "a result without a call": (
        {"input": [USER, RESULT]},
        "No tool call found for function call output with call_id c1.",
    ),
    "two results": (
        {"input": [USER, CALL, RESULT, RESULT]},
        "No tool call found for function call output with call_id c1.",
    ),
    "a blank message": ({"input": [message("user", {"type": "input_text", "text": " "})]}, "short"),
    "a blank result": ({"input": [USER, CALL, RESULT | {"output": ""}]}, "string too short"),
    "a block of the other format": (
        {"input": [message("user", {"type": "text", "text": "x"})]},
        "Invalid value: 'text'",
    ),
    "a user's block for the assistant": (
        {"input": [USER, message("assistant", {"type": "input_text", "text": "x"})]},
        "Supported values are: 'output_text' and 'refusal'",
    ),
    "an unknown role": ({"input": [message("robot")]}, "Invalid value: 'robot'"),
    "an unknown item": ({"input": [{"type": "thinking"}]}, "Invalid value: 'thinking'"),
    "a property of the client's own": (
        {"input": [USER, CALL | {"index": 1}, RESULT]},
        "Unknown parameter: 'input[1].index'.",
    ),
    "a foreign id": (
        {"input": [USER, CALL | {"id": "call_9"}, RESULT]},
        "Expected an ID that begins with 'fc'",
    ),
    "a long call id": (
        {"input": [USER, CALL | {"call_id": "c" * 65}, RESULT]},
        "maximum length 64",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_a_malformed_request_is_refused(what: str) -> None:
    change, said = BAD[what]
    with responses_server() as server:
        status, body = posted(server, "/v1/responses", request([USER]) | change, AUTHORISED)
    error = mapping(body["error"])
    assert (status, error["type"]) == (400, "invalid_request_error")
    assert said in string(error["message"])


def request(sent: Sequence[Item]) -> Item:
    return {"model": "loopback", "store": False, "include": [SEALED], "input": list(sent)}


def ask(server: ModelServer, sent: Sequence[Item]) -> tuple[int, list[Item], str]:
    """The status, the output's items and the error's text."""
    status, body = posted(server, "/v1/responses", request(sent), AUTHORISED)
    output = [dict(mapping(item)) for item in items(body.get("output"))]
    return status, output, string(mapping(body.get("error")).get("message"))


def without(item: Item, *names: str) -> Item:
    return {name: value for name, value in item.items() if name not in names}


def test_reasoning_comes_back_unaltered_or_not_at_all() -> None:
    with responses_server() as server:
        server.answer_with(lambda _: reply(Reasoning("why"), call("ls")))
        _, [thought, asked], _ = ask(server, [USER])
        _, [other, _], _ = ask(server, [USER])
        result = RESULT | {"call_id": asked["call_id"]}
        unnamed = without(asked, "id")
        told = [{"type": "summary_text", "text": "whi"}]
        sent: Mapping[str, tuple[list[Item], int, str]] = {
            "unaltered": ([thought, asked, result], 200, ""),
            "dropped with the names": ([unnamed, result], 200, ""),
            "dropped": ([asked, result], 400, "was provided without its required 'reasoning' item"),
            "behind": ([unnamed, thought, result], 400, "without its required following item"),
            "before another's": ([other, asked, result], 400, "required following item"),
            "altered": ([thought | {"summary": told}, asked, result], 400, "could not be verified"),
            "renamed": ([thought | {"id": "rs_9"}, asked, result], 400, "did not match the target"),
            "resealed": ([thought | {"encrypted_content": "x"}, asked, result], 400, "decrypted"),
            "unsealed": (
                [without(thought, "encrypted_content"), asked, result],
                404,
                "Items are not persisted when `store` is set to false.",
            ),
        }
        answers = {what: ask(server, [USER, *given]) for what, (given, _, _) in sent.items()}
    assert {what: status for what, (status, _, _) in answers.items()} == {
        what: status for what, (_, status, _) in sent.items()
    }
    assert [what for what, (_, _, said) in sent.items() if said not in answers[what][2]] == []


def test_a_model_takes_only_its_own_reasoning() -> None:
    with ModelServer(OpenAIResponses()) as server:
        server.answer_with(lambda _: reply(Reasoning("why"), call("ls")))
        _, output, _ = ask(server, [USER])
        result = RESULT | {"call_id": output[1]["call_id"]}
        sent = request([USER, *output, result])
        assert posted(server, "/v1/responses", sent, AUTHORISED)[0] == 200
        status, body = posted(server, "/v1/responses", sent | {"model": "other"}, AUTHORISED)
    assert (status, mapping(body["error"])["code"]) == (400, "invalid_encrypted_content")
