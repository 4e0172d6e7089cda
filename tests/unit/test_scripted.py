"""The scripted model, driven through the interface that every chat model has."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelInvalidRequestError,
    ModelRateLimitError,
)
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    ToolMessage,
)
from langchain_core.messages.utils import count_tokens_approximately
from typing_extensions import override

from handrail.engine.script_errors import ScriptedError
from handrail.engine.scripted import ScriptedChatModel, load_scripted_model

HEAD = "script: 1\n"


class Talk:
    """A conversation as an agent keeps it: every answer is stored and sent again."""

    def __init__(self, model: ScriptedChatModel) -> None:
        self.model = model
        self.messages: list[AnyMessage] = []

    async def says(self, text: str) -> str:
        self.messages.append(HumanMessage(text, id=str(uuid4())))
        return await self.goes_on()

    async def gets(self, result: str) -> str:
        last = self.messages[-1]
        assert isinstance(last, AIMessage)
        self.messages += [ToolMessage(result, tool_call_id=it["id"]) for it in last.tool_calls]
        return await self.goes_on()

    async def goes_on(self) -> str:
        answer = await self.model.ainvoke(self.messages)
        self.messages.append(answer)
        return answer.text


def scripted(folder: Path, text: str) -> ScriptedChatModel:
    file = folder / "story.yaml"
    file.write_text(HEAD + text, encoding="utf-8")
    return load_scripted_model(file, {})


LOOP = """
turns:
  - rounds:
      - {say: first, calls: [{tool: execute, args: {command: test}}]}
      - choose:
          - when: ^FAILED
            rounds:
              - {say: mending, calls: [{tool: edit_file}]}
              - {say: testing, calls: [{tool: execute}]}
            repeat: true
          - when: rejected
            say: as you like
          - say: green
      - say: not reached without a call
  - rounds:
      - say: second
"""


async def test_rounds_follow_the_requests_and_turns_the_messages(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, LOOP))
    heard = [await talk.says("go"), await talk.gets("OK"), await talk.says("more")]
    assert heard == ["first", "green", "second"]


async def test_a_choice_repeats_until_the_results_are_as_hoped(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, LOOP))
    heard = [await talk.says("go"), await talk.gets("..\nFAILED (failures=1)")]
    heard += [await talk.gets("edited"), await talk.gets("FAILED again"), await talk.gets("edited")]
    heard += [await talk.gets("OK")]
    assert heard == ["first", "mending", "testing", "mending", "testing", "green"]


async def test_a_choice_sees_the_results_since_the_last_answer_only(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, LOOP))
    await talk.says("go")
    await talk.gets("FAILED")
    await talk.gets("rejected")
    assert await talk.gets("fine") == "green"


async def test_a_finished_script_says_so(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, "turns: [{rounds: [{say: a, calls: [{tool: ls}]}]}]"))
    heard = [await talk.says("go"), await talk.gets("."), await talk.says("and?")]
    assert heard == [
        "a",
        "The script story has nothing more to say in this turn.",
        "The script story has ended: there are no more turns in it.",
    ]


async def test_turns_with_a_pattern_wait_for_their_message(tmp_path: Path) -> None:
    text = "turns: [{user: '^a', rounds: [{say: A}]}, {user: b$, rounds: [{say: B}]}]"
    talk = Talk(scripted(tmp_path, text))
    heard = [await talk.says(it) for it in ("hello", "apple", "what?", "crab", "crab")]
    assert heard == [
        "The script story has no answer to this message.",
        "A",
        "The script story has no answer to this message.",
        "B",
        "The script story has ended: there are no more turns in it.",
    ]


async def test_a_stored_conversation_goes_on_in_a_new_process(tmp_path: Path) -> None:
    before = Talk(scripted(tmp_path, LOOP))
    await before.says("go")
    await before.gets("FAILED")
    after = Talk(scripted(tmp_path, LOOP))
    after.messages = before.messages
    assert [await after.gets("edited"), await after.gets("OK")] == ["testing", "green"]


async def test_a_turn_goes_on_when_its_message_is_summarised_away(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, LOOP))
    await talk.says("go")
    await talk.gets("FAILED")
    talk.messages = [_summary(), talk.messages[-1]]
    assert await talk.gets("edited") == "testing"


async def test_the_next_turn_is_found_when_all_answers_are_summarised_away(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, LOOP))
    await talk.says("go")
    talk.messages = [_summary()]
    assert await talk.says("more") == "second"


async def test_a_new_conversation_starts_the_script_anew(tmp_path: Path) -> None:
    model = scripted(tmp_path, LOOP)
    assert [await Talk(model).says("go"), await Talk(model).says("go")] == ["first", "first"]


async def test_answers_of_another_script_do_not_count(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(HEAD + LOOP, encoding="utf-8")
    talk = Talk(load_scripted_model(other, {}))
    await talk.says("go")
    await talk.gets("OK")
    talk.model = scripted(tmp_path, LOOP)
    assert await talk.says("more") == "first"


async def test_a_script_that_became_shorter_ends_the_turn(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, LOOP))
    await talk.says("go")
    await talk.gets("FAILED")
    talk.model = scripted(tmp_path, "turns: [{rounds: [{say: a}]}]")
    assert await talk.gets("edited") == "The script story has nothing more to say in this turn."


FAILING = """
turns:
  - rounds:
      - {say: [half, ' a wo'], error: {status: 529, message: overloaded}}
      - {error: {message: connection reset}}
      - say: recovered
  - rounds:
      - {error: {status: 429, message: slow down}}
  - rounds:
      - say: next
"""


async def test_a_retry_of_a_failed_request_gets_the_next_round(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, FAILING))
    with pytest.raises(ModelAPIError, match="overloaded"):
        await talk.says("go")
    with pytest.raises(ModelConnectionError, match="connection reset"):
        await talk.goes_on()
    assert await talk.goes_on() == "recovered"


async def test_a_message_after_a_failed_turn_gets_the_next_turn(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, FAILING))
    for attempt in range(2):
        with pytest.raises(ScriptedError):
            await (talk.goes_on() if attempt else talk.says("go"))
    await talk.goes_on()
    with pytest.raises(ModelRateLimitError) as caught:
        await talk.says("more")
    assert isinstance(caught.value, ScriptedError)
    assert (caught.value.status_code, caught.value.is_retryable) == (429, True)
    assert await talk.says("again") == "next"


async def test_a_lost_answer_is_given_again_and_its_turn_is_used_up(tmp_path: Path) -> None:
    talk = Talk(scripted(tmp_path, LOOP))
    await talk.says("go")
    talk.messages.pop()
    again = await talk.goes_on()
    talk.messages.pop()
    assert (again, await talk.says("never mind")) == ("first", "second")


async def test_what_was_streamed_before_a_failure_was_seen(tmp_path: Path) -> None:
    model = scripted(tmp_path, FAILING)
    seen: list[str] = []

    async def listen() -> None:
        async for chunk in model.astream([HumanMessage("go")]):
            seen.append(chunk.text)  # noqa: PERF401  # a comprehension would lose them

    with pytest.raises(ScriptedError):
        await listen()
    assert seen == ["half", " a wo"]


async def test_other_statuses_are_bad_requests(tmp_path: Path) -> None:
    text = "turns: [{rounds: [{error: {status: 413, message: prompt is too long}}]}]"
    with pytest.raises(ModelInvalidRequestError) as caught:
        await Talk(scripted(tmp_path, text)).says("go")
    assert getattr(caught.value, "status_code", None) == 413


PIECES = """
turns:
  - rounds:
      - think: two words
        say: Let me  look.
        calls:
          - {tool: grep, id: one, args: {pattern: "took=", path: /a/rather/long/path/to/see}}
          - {tool: ls}
"""


async def test_pieces_are_streamed_alike_with_and_without_asyncio(tmp_path: Path) -> None:
    seen = [it async for it in scripted(tmp_path, PIECES).astream([HumanMessage("go")])]
    same = list(scripted(tmp_path, PIECES).stream([HumanMessage("go")]))
    assert [_piece(it) for it in same if "ls" not in str(it.tool_call_chunks)] == [
        _piece(it) for it in seen if "ls" not in str(it.tool_call_chunks)
    ]
    assert [it.text for it in seen if it.text] == ["Let ", "me  ", "look."]
    thoughts = [it.additional_kwargs.get("reasoning_content") for it in seen]
    assert [it for it in thoughts if it] == ["two ", "words"]
    parts = [part for it in seen for part in it.tool_call_chunks if part["index"] == 0]
    assert [part["args"] for part in parts] == [
        "",
        '{"pattern": "took=", "pa',
        'th": "/a/rather/long/pat',
        'h/to/see"}',
    ]


async def test_the_pieces_add_up_to_the_message(tmp_path: Path) -> None:
    model = scripted(tmp_path, PIECES)
    streamed = AIMessageChunk(content="")
    async for chunk in model.astream([HumanMessage("go")]):
        streamed += chunk
    calls = [(it["name"], it["args"]) for it in streamed.tool_calls]
    assert calls == [
        ("grep", {"pattern": "took=", "path": "/a/rather/long/path/to/see"}),
        ("ls", {}),
    ]
    assert streamed.tool_calls[0]["id"] == "one"
    assert streamed.content_blocks[0] == {"type": "reasoning", "reasoning": "two words"}
    assert streamed.text == "Let me  look."
    assert streamed.response_metadata == {
        "model_provider": "script",
        "model_name": "story",
        "finish_reason": "tool_calls",
        "script": {"name": "story", "role": "main", "turn": 0, "path": [0]},
    }


async def test_made_up_call_ids_differ_from_request_to_request(tmp_path: Path) -> None:
    model = scripted(tmp_path, PIECES)
    ids = set[str | None]()
    for _ in range(3):
        answer = await model.ainvoke([HumanMessage("go")])
        ids.add(answer.tool_calls[1]["id"])
    assert len(ids) == 3


async def test_usage_is_as_stated(tmp_path: Path) -> None:
    text = "turns: [{rounds: [{say: a, usage: {input: 100, output: 7, cached: 60}}]}]"
    answer = await scripted(tmp_path, text).ainvoke([HumanMessage("go")])
    assert answer.usage_metadata == {
        "input_tokens": 100,
        "output_tokens": 7,
        "total_tokens": 107,
        "input_token_details": {"cache_read": 60},
    }


def look(path: str) -> str:
    """Look at a path."""
    return path


async def test_usage_is_estimated_with_the_tools_where_none_is_stated(tmp_path: Path) -> None:
    model = scripted(tmp_path, "turns: [{rounds: [{say: Sixteen letters.}]}]")
    asked: list[AnyMessage] = [HumanMessage("go " * 100)]
    bare = await model.ainvoke(asked)
    with_tools = await model.bind_tools([look]).ainvoke(asked)
    assert bare.usage_metadata is not None
    assert with_tools.usage_metadata is not None
    assert bare.usage_metadata["input_tokens"] == count_tokens_approximately(asked)
    assert bare.usage_metadata["output_tokens"] == 4
    assert with_tools.usage_metadata["input_tokens"] > bare.usage_metadata["input_tokens"] + 20


class Introduction(BaseCallbackHandler):
    def __init__(self) -> None:
        self.heard: dict[str, object] = {}

    @override
    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self.heard = {name: it for name, it in (metadata or {}).items() if name.startswith("ls_")}


def test_the_model_introduces_itself(tmp_path: Path) -> None:
    model = scripted(tmp_path, "window: 900\nturns: [{rounds: [{say: a}]}]")
    introduction = Introduction()
    model.invoke("go", config={"callbacks": [introduction]})
    assert model.profile == {"max_input_tokens": 900, "tool_calling": True}
    assert model.asdict()["_type"] == "scripted"
    assert introduction.heard["ls_provider"] == "script"
    assert introduction.heard["ls_model_name"] == "story"


AGENTS = """
turns: [{rounds: [{say: main}]}]
agents:
  reader:
    - user: second
      rounds: [{say: two, calls: [{tool: ls}]}, {say: two ends}]
    - rounds: [{say: one, calls: [{tool: ls}]}, {say: one ends}]
summary: [early, late]
"""


async def test_sub_agents_that_run_at_once_each_keep_their_place(tmp_path: Path) -> None:
    model = scripted(tmp_path, AGENTS)
    first, second = Talk(model.for_role("reader")), Talk(model.for_role("reader"))
    heard = [await first.says("first task"), await second.says("second task")]
    heard += [await first.gets("."), await second.gets("."), await Talk(model).says("go")]
    assert heard == ["one", "two", "one ends", "two ends", "main"]


async def test_a_sub_agent_without_turns_says_so(tmp_path: Path) -> None:
    model = scripted(tmp_path, AGENTS)
    for task in ("a", "second"):
        await model.for_role("reader").ainvoke([HumanMessage(task)])
    heard = [
        (await model.for_role(role).ainvoke([HumanMessage("c")])).text
        for role in ("reader", "writer")
    ]
    assert heard == [
        "The script story has no turn left for the sub-agent reader.",
        "The script story has no turn left for the sub-agent writer.",
    ]


async def test_summaries_come_in_order_and_the_last_one_stays(tmp_path: Path) -> None:
    summariser = scripted(tmp_path, AGENTS).for_role("summary")
    heard = [(await summariser.ainvoke([HumanMessage("sum up")])).text for _ in range(3)]
    assert heard == ["early", "late", "late"]
    silent = scripted(tmp_path, "turns: [{rounds: [{say: a}]}]").for_role("summary")
    assert (await silent.ainvoke("sum up")).text == "The script story has no summary text."


async def test_others_run_while_the_model_paces_its_words(tmp_path: Path) -> None:
    model = scripted(tmp_path, "pace: 1\nturns: [{rounds: [{say: one two three four}]}]")
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(count())
    seen = [turns async for _ in model.astream([HumanMessage("go")])]
    other.cancel()
    assert seen == sorted(set(seen))


def _summary() -> HumanMessage:
    return HumanMessage(
        "what was before", id="summary", additional_kwargs={"lc_source": "summarization"}
    )


def _piece(chunk: AIMessageChunk) -> tuple[str, str, str]:
    return chunk.text, str(chunk.additional_kwargs), str(chunk.tool_call_chunks)
