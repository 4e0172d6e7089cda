"""Each provider's client is built by one path and really asks the address of the settings."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, HumanMessage
from pydantic import SecretStr

from handrail.credentials.keyring import Keyring
from handrail.engine.models import UNKNOWN_WINDOW, load_models
from handrail.engine.reasoning_chat import ReasoningChatOpenAI
from handrail.settings import ModelSettings
from tests.support.anthropic_messages import AnthropicMessages
from tests.support.model_server import KEY, ModelServer
from tests.support.openai_chat import OpenAIChat
from tests.support.openai_responses import OpenAIResponses
from tests.support.plain_server import PlainServer
from tests.support.replies import reply

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY")
ADDRESSES = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL", "OLLAMA_HOST")
PRIVATE = {"store": False, "include": ["reasoning.encrypted_content"]}

needs_ollama = pytest.mark.skipif(
    find_spec("langchain_ollama") is None, reason="the extra `ollama` is not installed"
)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, KEY)
    for name in ADDRESSES:
        monkeypatch.delenv(name, raising=False)


def load(settings: ModelSettings) -> BaseChatModel:
    keyring = Keyring(Path("/nowhere"), {}, os.environ)
    return load_models(settings, keyring, project=Path("/p")).main


def told(model: BaseChatModel, *names: str) -> Mapping[str, Any]:
    return {name: getattr(model, name) for name in names}


@pytest.mark.parametrize(
    ("settings", "responses"),
    [
        (ModelSettings("openai:x"), True),
        (ModelSettings("openai:x", api="responses"), True),
        (ModelSettings("openai:x", api="chat"), False),
        (ModelSettings("openai:x", "http://localhost:1/v1"), False),
        (ModelSettings("openai:x", "http://localhost:1/v1", api="responses"), True),
        (ModelSettings("openai:x", "http://localhost:1/v1", api="chat"), False),
    ],
)
def test_openai_is_asked_by_responses_and_other_servers_by_chat(
    settings: ModelSettings, *, responses: bool
) -> None:
    assert told(load(settings), "use_responses_api", "max_retries") == {
        "use_responses_api": responses,
        "max_retries": 0,
    }


@pytest.mark.parametrize(
    ("name", "sealed"), [("gpt-5.4", True), ("some-new-model", True), ("gpt-4o", False)]
)
def test_reasoning_comes_sealed_unless_the_model_has_none(name: str, *, sealed: bool) -> None:
    model = load(ModelSettings(f"openai:{name}"))
    assert told(model, "store", "include") == PRIVATE | ({} if sealed else {"include": None})


async def test_a_request_of_the_responses_api_leaves_nothing_at_the_service() -> None:
    with ModelServer(OpenAIResponses("loopback")) as server:
        server.script(reply("hi"))
        model = load(ModelSettings("openai:loopback", server.base_url, api="responses"))
        await model.ainvoke([HumanMessage("hello")])
    [received] = server.requests
    assert {name: received.body[name] for name in PRIVATE} == PRIVATE


async def test_chat_completions_know_nothing_of_it() -> None:
    with ModelServer(OpenAIChat("loopback")) as server:
        server.script(reply("hi"))
        await load(ModelSettings("openai:loopback", server.base_url)).ainvoke("hello")
    assert PRIVATE.keys() & server.requests[0].body.keys() == set()


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
async def test_anthropic_is_asked_at_the_address_of_the_settings(path: str) -> None:
    with ModelServer(AnthropicMessages("loopback")) as server:
        server.script(reply("hi"))
        settings = ModelSettings("anthropic:loopback", server.root_url + path, max_output_tokens=77)
        model = load(settings)
        assert (await model.ainvoke("hello")).text == "hi"
    assert told(model, "max_retries") == {"max_retries": 0}
    assert server.requests[0].body["max_tokens"] == 77


@needs_ollama
async def test_ollama_is_told_how_much_it_must_hold() -> None:
    line = {"model": "x", "message": {"role": "assistant", "content": "hi"}, "done": True}
    with PlainServer("application/x-ndjson", line) as server:
        small = load(ModelSettings("ollama:x", server.url, 9000, 77))
        assert (await small.ainvoke("hello")).text == "hi"
        careful = load(ModelSettings("ollama:x", server.url))
        await careful.ainvoke("hello")
    assert [path for path, _ in server.requests] == ["/api/chat", "/api/chat"]
    options = [dict(body["options"]) for _, body in server.requests]
    assert options == [{"num_ctx": 9000, "num_predict": 77}, {"num_ctx": UNKNOWN_WINDOW}]


async def test_google_is_asked_once_at_the_address_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Only the tests bring aiohttp along; installed Handrail has the client without it.
    monkeypatch.setattr("google.genai._api_client.has_aiohttp", False)
    content = {"role": "model", "parts": [{"text": "hi"}]}
    whole = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}
    with PlainServer("application/json", whole) as server:
        settings = ModelSettings("google_genai:gemini-3.5-flash", server.url, max_output_tokens=77)
        assert (await load(settings).ainvoke("hello")).text == "hi"
        server.status = 503
        with pytest.raises(Exception, match="503"):
            await load(settings).ainvoke("hello")
    asked = [path.rpartition("/")[2] for path, _ in server.requests]
    assert asked == ["gemini-3.5-flash:generateContent"] * 2
    assert server.requests[0][1]["generationConfig"]["maxOutputTokens"] == 77


@pytest.mark.parametrize(
    ("delta", "kept"),
    [
        ({"reasoning_content": "why"}, {"reasoning_content": "why"}),
        ({"reasoning": "why"}, {"reasoning_content": "why"}),
        ({"reasoning_content": "", "reasoning": "why"}, {"reasoning_content": "why"}),
        ({"reasoning": None}, {}),
    ],
)
def test_the_reasoning_of_other_servers_is_kept(
    delta: Mapping[str, object], kept: Mapping[str, object]
) -> None:
    client = ReasoningChatOpenAI(model="x", api_key=SecretStr("k"))
    chunk = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "", **delta}}]}
    made = client._convert_chunk_to_generation_chunk(chunk, AIMessageChunk, None)  # pyright: ignore[reportPrivateUsage]  # where the client takes a chunk apart
    assert made is not None
    assert made.message.additional_kwargs == kept
