"""Ids that servers repeat are told apart as the message comes in."""

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.messages.tool import tool_call

from handrail.engine.call_ids import make_unique


def message(id_: str | None, *call_ids: str | None) -> AIMessage:
    calls = [tool_call(name="ls", args={}, id=call_id) for call_id in call_ids]
    return AIMessage("", id=id_, tool_calls=calls)


def ids(answer: AIMessage) -> list[str | None]:
    return [call["id"] for call in answer.tool_calls]


def test_ids_that_are_new_stay_as_they_are() -> None:
    answer = message("m2", "a", "b")
    make_unique([answer], [HumanMessage("go", id="m0"), message("m1", "c")])
    assert answer == message("m2", "a", "b")


def test_repeated_ids_get_numbers_within_a_message_and_over_several() -> None:
    answer = message("m2", "call_0", "call_0", "call_1")
    make_unique([answer], [message("m1", "call_0")])
    assert ids(answer) == ["call_0_2", "call_0_3", "call_1"]


def test_a_call_without_an_id_gets_one() -> None:
    answer = message("m1", None, "")
    make_unique([answer], [])
    first, second = ids(answer)
    assert first
    assert second
    assert first != second


def test_a_message_never_takes_the_place_of_an_earlier_one() -> None:
    answer, nameless = message("m1"), message(None)
    make_unique([answer, nameless], [message("m1")])
    assert answer.id not in (None, "m1")
    assert nameless.id
