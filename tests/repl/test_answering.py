"""One approval from its first call to its last decision, without a screen."""

import pytest

from handrail.events import MAIN, ApprovalRequested, Call, Decision, PendingCall
from handrail.repl.amend import AmendError, amendment
from handrail.repl.approval import Approval, Asking
from handrail.repl.arming import QUIET_S, TYPING_QUIET_S, Arming
from handrail.repl.burst import PAUSE_S, Burst

NO = Decision("reject")


def approval(*names: str) -> Approval:
    calls = (Call(name, "execute", {"command": f"make {name}"}) for name in names)
    pending = tuple(PendingCall(call, "runs a command") for call in calls)
    return Approval(ApprovalRequested(MAIN, "a", pending))


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_decisions_are_kept_in_the_order_of_the_calls() -> None:
    asked = approval("one", "two", "three")

    asked.approve_once()
    assert (asked.position, asked.done) == ((2, 3), False)
    asked.approve_for_session()
    asked.begin(Asking.REASON)
    asked.confirm("  no  ")

    assert asked.done
    assert asked.decisions == (
        Decision("approve"),
        Decision("approve", grant="session"),
        Decision("reject", "no"),
    )


def test_rejecting_the_rest_keeps_what_was_decided_before() -> None:
    asked = approval("one", "two", "three")
    asked.approve_once()
    asked.reject_rest()

    assert asked.decisions == (Decision("approve"), NO, NO)


def test_an_edit_that_changes_nothing_is_an_approval_of_these_bytes() -> None:
    asked = approval("one")

    assert asked.begin(Asking.EDIT) == "make one"
    asked.confirm("make one")

    assert asked.decisions == (Decision("approve"),)


def test_an_empty_command_is_no_edit() -> None:
    asked = approval("one")
    asked.begin(Asking.EDIT)
    asked.confirm("  \n")

    assert not asked.done
    assert asked.problem
    asked.back()
    assert (asked.asking, asked.problem) == (Asking.CHOICE, "")


def test_the_reason_is_hidden_again_for_the_next_call() -> None:
    asked = approval("one", "two")
    asked.explain()
    assert asked.explained
    asked.approve_once()

    assert not asked.explained


@pytest.mark.parametrize(
    ("call", "text", "edited", "arguments"),
    [
        (
            Call("1", "execute", {"command": "ls", "timeout": 5}),
            "ls",
            "ls -l",
            {"command": "ls -l", "timeout": 5},
        ),
        (
            Call("1", "edit_file", {"file_path": "/a", "old_string": "x", "new_string": "y"}),
            "y",
            "",
            {"file_path": "/a", "old_string": "x", "new_string": ""},
        ),
        (
            Call("1", "write_file", {"file_path": "/a", "content": "c\n"}),
            "c\n",
            "d\n",
            {"file_path": "/a", "content": "d\n"},
        ),
        (Call("1", "fetch", {"url": "ü"}), '{\n  "url": "ü"\n}', '{"url": "a"}', {"url": "a"}),
        (Call("1", "execute", {"command": 7}), '{\n  "command": 7\n}', '{"a": 1}', {"a": 1}),
    ],
    ids=["command", "new text", "content", "json", "command that is no text"],
)
def test_the_part_of_a_call_a_person_would_change_is_edited(
    call: Call, text: str, edited: str, arguments: dict[str, object]
) -> None:
    edit = amendment(call)

    assert (edit.text, edit.arguments(edited)) == (text, arguments)


@pytest.mark.parametrize("text", ["{", "[1]", '"x"'])
def test_arguments_must_be_a_json_object(text: str) -> None:
    with pytest.raises(AmendError):
        amendment(Call("1", "fetch", {})).arguments(text)


def test_keys_count_after_the_drawing_and_a_quiet_moment() -> None:
    clock = Clock()
    arming = Arming(clock)
    arming.panel_changed()
    clock.time += 60
    assert not arming.armed

    assert arming.panel_drawn()
    assert arming.wait_s() == pytest.approx(QUIET_S)
    assert not arming.armed
    clock.time += QUIET_S
    assert arming.wait_s() == 0
    assert arming.armed


def test_a_person_in_the_middle_of_typing_gets_more_time() -> None:
    clock = Clock()
    arming = Arming(clock)
    arming.key_pressed()
    clock.time += 0.3
    arming.panel_changed()
    arming.panel_drawn()

    assert arming.wait_s() == pytest.approx(TYPING_QUIET_S)
    clock.time += 0.4
    arming.key_pressed()
    assert arming.wait_s() == pytest.approx(TYPING_QUIET_S)


def test_a_new_panel_is_not_armed_by_the_quiet_before_it_was_drawn() -> None:
    clock = Clock()
    arming = Arming(clock)
    arming.panel_changed()
    arming.panel_drawn()
    clock.time += 10
    arming.wait_s()
    assert arming.armed

    arming.panel_changed(answering=True)
    assert not arming.armed
    clock.time += 10
    arming.panel_drawn()
    assert arming.wait_s() == pytest.approx(QUIET_S)


def test_only_a_key_that_comes_by_itself_is_a_pressed_one() -> None:
    clock = Clock()
    burst = Burst(clock)

    burst.key_pressed(behind=1)
    assert not burst.lone
    burst.key_pressed(behind=0)
    assert not burst.lone
    clock.time += 1
    burst.key_pressed(behind=0)
    assert burst.lone


def test_keys_right_behind_a_paste_belong_to_it_until_there_is_a_pause() -> None:
    clock = Clock()
    burst = Burst(clock)
    burst.pasted()

    for _ in range(5):
        clock.time += PAUSE_S / 2
        burst.key_pressed(behind=0)
        assert not burst.lone
    clock.time += PAUSE_S * 2
    assert not burst.after_paste
    burst.key_pressed(behind=0)
    assert burst.lone
