"""What the journal knows survives the process and is bound to exact arguments."""

from pathlib import Path

from handrail.engine.calls import CallKey, hash_of
from handrail.engine.journal import Entry, Journal, Step
from handrail.events import Decision
from handrail.policy import Judgement, Verdict

KEY = CallKey("thread", "", "message", "call_1")
ARGS = {"command": "make"}
HASH = hash_of("execute", ARGS)
ASKS = Judgement(Verdict.ASK, "runs a command")


def test_a_call_is_followed_from_its_verdict_to_its_result(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "project.db")
    assert journal.find(KEY, HASH) is None
    journal.judged(KEY, "execute", HASH, ASKS)
    assert journal.find(KEY, HASH) == Entry(ASKS, None, None, "judged", None)
    edit = Decision("edit", args={"command": "make -n"})
    journal.decided([(KEY, "execute", ARGS, edit)])
    journal.started(KEY, HASH)
    decided = hash_of("execute", {"command": "make -n"})
    assert journal.find(KEY, HASH) == Entry(ASKS, edit, decided, "started", None)
    journal.finished(KEY, HASH, {"content": "ok"})
    journal.close()
    again = Journal(tmp_path / "project.db")
    assert again.find(KEY, HASH) == Entry(ASKS, edit, decided, "finished", {"content": "ok"})
    again.close()


def test_a_verdict_is_given_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "project.db")
    journal.judged(KEY, "execute", HASH, ASKS)
    journal.judged(KEY, "execute", HASH, Judgement(Verdict.ALLOW, "a rule added later"))
    entry = journal.find(KEY, HASH)
    assert entry is not None
    assert entry.judgement == ASKS
    journal.close()


def test_the_same_id_in_another_message_or_agent_is_another_call(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "project.db")
    journal.judged(KEY, "execute", HASH, ASKS)
    for other in (
        CallKey("thread", "", "message 2", "call_1"),
        CallKey("thread", "tools:1", "message", "call_1"),
        CallKey("thread 2", "", "message", "call_1"),
    ):
        assert journal.find(other, HASH) is None
    assert journal.find(KEY, hash_of("execute", {"command": "make all"})) is None
    journal.close()


def test_the_steps_of_a_sub_agent_are_found_under_the_call_it_works_for(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "project.db")
    task, inner = CallKey("thread", "", "message", "task_1"), CallKey("thread", "tools:1", "m", "c")
    journal.judged(task, "task", HASH, ASKS, "sub-agent: look")
    assert journal.steps_below(task, HASH) == []
    journal.entered(task, HASH, "tools:1")
    journal.judged(inner, "execute", HASH, ASKS, "run make")
    journal.judged(KEY, "execute", HASH, ASKS, "run make of the main agent")
    journal.finished(inner, HASH, {"content": "ok"})
    assert journal.steps_below(task, HASH) == [
        Step("execute", "run make", "finished", {"content": "ok"})
    ]
    assert journal.places("thread") == {"tools:1": "task_1"}
    journal.close()


def test_a_thread_is_forgotten_and_others_stay(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "project.db")
    other = CallKey("other", "", "message", "call_1")
    for key in (KEY, other):
        journal.judged(key, "execute", HASH, ASKS)
    journal.forget("thread")
    assert journal.find(KEY, HASH) is None
    assert journal.find(other, HASH) is not None
    journal.close()
