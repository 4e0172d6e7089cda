"""Every provider's words for an answer that did not end by itself."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage

from handrail.engine.endings import Ending, ending_of


@pytest.mark.parametrize(
    ("metadata", "ending"),
    [
        ({}, "complete"),
        ({"finish_reason": "stop"}, "complete"),
        ({"finish_reason": "tool_calls"}, "complete"),
        ({"finish_reason": "length"}, "cut"),
        ({"finish_reason": "lengthlength"}, "cut"),
        ({"finish_reason": "content_filter"}, "declined"),
        ({"finish_reason": "MAX_TOKENS"}, "cut"),
        ({"finish_reason": "SAFETY"}, "declined"),
        ({"finish_reason": "PROHIBITED_CONTENT"}, "declined"),
        ({"finish_reason": None}, "complete"),
        ({"stop_reason": "end_turn"}, "complete"),
        ({"stop_reason": "tool_use"}, "complete"),
        ({"stop_reason": "max_tokens"}, "cut"),
        ({"stop_reason": "model_context_window_exceeded"}, "cut"),
        ({"stop_reason": "refusal"}, "declined"),
        ({"done_reason": "length"}, "cut"),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "cut"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "declined"),
        ({"status": "completed", "incomplete_details": None}, "complete"),
    ],
)
def test_an_ending_is_known_by_its_provider(metadata: dict[str, Any], ending: Ending) -> None:
    assert ending_of(AIMessage("a", response_metadata=metadata)) == ending


def test_a_refusal_is_known_by_its_text() -> None:
    assert ending_of(AIMessage([{"type": "refusal", "refusal": "No."}])) == "declined"
    assert ending_of(AIMessage("", additional_kwargs={"refusal": "No."})) == "declined"
