"""The recorded person of the demo: what was recorded happens, nothing else does."""

from pathlib import Path

import pytest

from handrail.demo.person import (
    NOT_RECORDED,
    Message,
    RecordedDecision,
    RecordedPerson,
    read_messages,
)
from handrail.errors import UsageError
from handrail.events import MAIN, ApprovalRequested, Call, Decision, PendingCall

TESTS = RecordedDecision("execute", "make test", "approve", "only tests")
EDIT = RecordedDecision("edit_file", "/p/a.py", "reject", "too long")


def request(*calls: tuple[str, dict[str, object]]) -> ApprovalRequested:
    pending = tuple(
        PendingCall(Call(str(index), name, args), "") for index, (name, args) in enumerate(calls)
    )
    return ApprovalRequested(MAIN, "id", pending)


async def test_recorded_decisions_are_followed_in_order_and_told() -> None:
    told: list[str] = []
    person = RecordedPerson(Message("do it", (TESTS, EDIT, TESTS)), told.append)
    first = await person.decide(
        request(("execute", {"command": "make test"}), ("edit_file", {"file_path": "/p/a.py"}))
    )
    second = await person.decide(request(("execute", {"command": "make test"})))
    assert (first, second) == (
        (Decision("approve"), Decision("reject", message="too long")),
        (Decision("approve"),),
    )
    assert told == [
        "  recorded decision: approve (only tests)",
        "  recorded decision: reject (too long)",
        "  recorded decision: approve (only tests)",
    ]


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("execute", {"command": "make test\nrm -rf /"}),
        ("execute", {"command": "make"}),
        ("execute", {}),
        ("edit_file", {"file_path": "/p/a.py"}),
        ("write_file", {"file_path": "make test"}),
    ],
)
async def test_what_is_not_recorded_next_is_refused(tool: str, args: dict[str, object]) -> None:
    told: list[str] = []
    person = RecordedPerson(Message("do it", (TESTS, EDIT)), told.append)
    assert await person.decide(request((tool, args))) == (Decision("reject", message=NOT_RECORDED),)
    assert told == [f"  recorded decision: none for {tool}, so it is refused"]
    assert await person.decide(request(("execute", {"command": "make test"}))) == (
        Decision("approve"),
    )


async def test_a_decision_is_used_once() -> None:
    person = RecordedPerson(Message("do it", (TESTS,)), print)
    twice = request(("execute", {"command": "make test"}), ("execute", {"command": "make test"}))
    assert [it.kind for it in await person.decide(twice)] == ["approve", "reject"]


def test_messages_and_decisions_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "decisions.yaml"
    file.write_text(
        """
messages:
  - says: >-
      Mend
      it.
    decides:
      - {tool: edit_file, about: "${project}/a.py", decision: reject, because: too long}
  - says: Thanks.
""",
        "utf-8",
    )
    assert list(read_messages(file, Path("/p"))) == [
        Message("Mend it.", (EDIT,)),
        Message("Thanks.", ()),
    ]


def test_a_decision_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "decisions.yaml"
    file.write_text(
        "messages: [{says: a, decides: [{tool: b, about: c, decision: maybe, because: d}]}]",
        "utf-8",
    )
    with pytest.raises(UsageError) as caught:
        read_messages(file, Path("/p"))
    assert caught.value.paragraph == (
        f"{file}, line 1, messages.decides.decision: must be one of approve, reject."
    )
