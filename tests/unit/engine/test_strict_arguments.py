"""What the model wrote of a call's arguments decides, not what a lenient reader makes of it."""

import pytest
from langchain_core.messages import AIMessage

from handrail.engine.strict_arguments import RawCall, strictly
from tests.support.histories import call


@pytest.mark.parametrize(
    ("args", "whole"),
    [
        ("", True),
        (" ", True),
        ("{}", True),
        ('{"path": "a"}', True),
        ('{"path": "a\nb"}', True),
        ('{"path": "a', False),
        ('{"path": "a"', False),
        ('{"path": ', False),
        ("{", False),
        ('{"path": "a"}}', False),
        ('{"path": "a"} and', False),
        ("[]", False),
        ('"a"', False),
        ("null", False),
        ("[" * 100_000, False),
    ],
)
def test_only_a_whole_object_counts(args: str, whole: bool) -> None:  # a row
    message = AIMessage("", tool_calls=[call("a"), call("b")])
    read = strictly(message, [RawCall(0, "a", "ls", args), RawCall(1, "b", "ls", "{}")])
    assert [it["id"] for it in read.tool_calls] == (["a", "b"] if whole else ["b"])
    assert [it["args"] for it in read.invalid_tool_calls] == ([] if whole else [args])


def test_calls_with_one_id_are_told_apart_by_their_order() -> None:
    message = AIMessage("", tool_calls=[call("a", path="1"), call("a", path="2")])
    read = strictly(message, [RawCall(0, "a", "ls", '{"path": "1"}'), RawCall(1, "a", "ls", "{")])
    assert [it["args"] for it in read.tool_calls] == [{"path": "1"}]


def test_an_answer_that_did_not_stream_is_left_alone() -> None:
    message = AIMessage("", tool_calls=[call("a")])
    assert strictly(message, []) is message
