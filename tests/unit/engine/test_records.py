"""What the journal keeps of an answer is bounded and gives the answer again."""

import json

from langchain_core.messages import ToolMessage
from langchain_core.messages.tool import tool_call
from langgraph.types import Command

from handrail.engine.records import as_json, message_in, record, restored

CALL = tool_call(name="execute", args={"command": "make"}, id="call_1")


def answer(text: str, artifact: object = None) -> ToolMessage:
    return ToolMessage(text, tool_call_id="call_1", name="execute", artifact=artifact)


def test_a_short_answer_is_given_again_as_it_was() -> None:
    before = answer("ok", {"exit_code": 0})
    kept, is_cut = record(before, "execute", 1_000)
    assert not is_cut
    assert restored(json.loads(as_json(kept)), CALL) == before


def test_a_long_answer_keeps_its_ends_and_its_exit_code() -> None:
    kept, is_cut = record(answer("a" + "." * 1_000_000 + "z", {"exit_code": 2}), "execute", 80_000)
    assert is_cut
    assert len(as_json(kept)) < 10_000
    again = restored(kept, CALL)
    assert again.text.startswith("a")
    assert again.text.endswith("z")
    assert again.artifact == {"exit_code": 2}


def test_an_artifact_that_is_no_json_hinders_nothing() -> None:
    kept, _ = record(answer("ok", object()), "execute", 1_000)
    assert json.loads(as_json(kept))["content"] == "ok"


def test_a_huge_artifact_is_left_out() -> None:
    kept, is_cut = record(answer("ok", "x" * 100_000), "execute", 1_000)
    assert is_cut
    assert restored(kept, CALL) == answer("ok")


def test_a_sub_agents_report_is_found_in_its_command() -> None:
    report = ToolMessage("did it", tool_call_id="call_1")
    assert message_in(Command(update={"files": {}, "messages": [report]}), "call_1") == report
    assert message_in(Command(update={"messages": [report]}), "call_2") is None
    assert message_in(Command(goto="somewhere"), "call_1") is None


def test_an_answer_that_was_not_kept_is_said_to_be_gone() -> None:
    assert "not kept" in restored({}, CALL).text
