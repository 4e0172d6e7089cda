"""A step that is gone through again: what was answered is not done again and holds nobody up."""

import signal
import sqlite3

import pytest

from tests.support.engine_bed import call
from tests.support.killed_turns import Grave, Kill, lasting

TASK = call("task", description="the work", subagent_type="general-purpose")
EARLIER = {
    "a read": call("ls", path="."),
    "a read that fails": call("read_file", file_path="missing.txt"),
    "a tool that does not exist": call("teleport", to="elsewhere"),
    "wrong arguments": call("read_file", nothing="at all"),
    "a refused call": call("write_file", file_path="/scratch/large_tool_results/x", content="x"),
    "a note": call("write_file", file_path="/scratch/note.md", content="x"),
    "todos": call("write_todos", todos=[{"content": "a", "status": "pending"}]),
}


@pytest.mark.parametrize("earlier", EARLIER.values(), ids=EARLIER.keys())
def test_a_command_behind_a_sub_agent_runs_after_a_kill_at_its_approval(
    grave: Grave, earlier: dict[str, object]
) -> None:
    last = call("execute", command="cat made; echo last >> runs")
    inner = [
        {"calls": [call("execute", command="echo inner >> runs; echo x > made")]},
        {"say": "r"},
    ]
    grave.script(
        {
            "script": 1,
            "turns": [{"rounds": [{"calls": [earlier, TASK, last]}, {"say": "done"}]}],
            "agents": {"general-purpose": [{"rounds": inner}]},
        }
    )
    assert grave.sit(kill=Kill("asked", "inner")).status == -signal.SIGKILL
    again = grave.sit(resume=True, text="")
    assert again.ended == "TurnFinished"
    assert grave.ran() == ["inner", "last"]
    assert again.results()[-1].startswith("x")
    assert again.faults == []


def test_a_second_change_of_a_file_in_one_message_holds_nobody_up(grave: Grave) -> None:
    calls = [
        call("write_file", file_path="a.txt", content="one"),
        call("edit_file", file_path="a.txt", old_string="one", new_string="two"),
        call("execute", command="cat a.txt"),
    ]
    grave.script([{"calls": calls}, {"say": "done"}])
    assert grave.sit().results()[-1].startswith("two")


@pytest.mark.parametrize(
    ("kill", "told"),
    [
        (Kill("after finished", "remember"), "Repeat it."),
        (Kill("after aput_writes", "files"), "Updated file"),
    ],
    ids=["before it was stored", "after it"],
)
def test_a_note_written_beside_a_killed_command_is_kept_or_said_to_be_gone(
    grave: Grave, kill: Kill, told: str
) -> None:
    note = call("write_file", file_path="/scratch/note.md", content="remember")
    read = call("read_file", file_path="/scratch/note.md")
    grave.script(
        {
            "script": 1,
            "turns": [
                {"rounds": [{"calls": [note, call("execute", command=lasting("ran"))]}]},
                {"rounds": [{"calls": [read]}, {"say": "next"}]},
            ],
        }
    )
    assert grave.sit(kill=kill).status == -signal.SIGKILL
    again = grave.sit(resume=True, ignore_unfinished=True, text="and now")
    assert told in again.results()[0]
    assert ("remember" in again.results()[-1]) == (told == "Updated file")


def test_an_answer_that_was_received_but_not_stored_is_kept(grave: Grave) -> None:
    turns = [{"rounds": [{"say": "the answer"}]}, {"rounds": [{"say": "next"}]}]
    grave.script({"script": 1, "turns": turns})
    kill = Kill("before aput", "main", after="chunk")
    assert grave.sit(kill=kill).status == -signal.SIGKILL
    again = grave.sit(resume=True, text="and now")
    assert [text for kind, text in again.requests[-1] if kind == "ai"] == ["the answer"]


def test_calls_of_a_message_that_was_not_stored_never_ran(grave: Grave) -> None:
    rounds = [{"say": "I do it", "calls": [call("execute", command="echo ran >> runs")]}]
    grave.script({"script": 1, "turns": [{"rounds": rounds}, {"rounds": [{"say": "next"}]}]})
    kill = Kill("before aput", "main", after="chunk")
    assert grave.sit(kill=kill).status == -signal.SIGKILL
    again = grave.sit(resume=True, text="and now")
    assert grave.ran() == []
    assert again.faults == []
    assert [kind for kind, _ in again.requests[-1][1:]] == ["human", "ai", "tool", "human"]


LONG = "echo ran >> runs; seq 1 60000; echo has-end"


@pytest.mark.parametrize(
    ("kill", "told"),
    [
        (Kill("after finished", "has-end"), "characters left out"),
        (Kill("after finished", "has-end", nth=2), "/scratch/large_tool_results/"),
    ],
    ids=["before it was moved to a file", "after it"],
)
def test_a_result_too_long_for_the_conversation_is_kept_bounded(
    grave: Grave, kill: Kill, told: str
) -> None:
    turn = {"rounds": [{"calls": [call("execute", command=LONG)]}, {"say": "done"}]}
    grave.script({"script": 1, "turns": [turn, {"rounds": [{"say": "next"}]}]})
    assert grave.sit(kill=kill).status == -signal.SIGKILL
    (database,) = grave.root.rglob("project.db")
    with sqlite3.connect(database) as connection:
        (size,) = connection.execute("SELECT max(length(result)) FROM handrail_journal").fetchone()
    connection.close()
    assert size < 20_000
    again = grave.sit(resume=True, text="and now")
    assert told in again.results()[0]
    assert "has-end" in again.results()[0]
    assert grave.ran() == ["ran"]


@pytest.mark.parametrize("point", ["before _acreate_summary", "after _aoffload_to_backend"])
def test_a_kill_while_the_summary_is_written_costs_nothing(grave: Grave, point: str) -> None:
    grave.bed.write("big.txt", "word " * 4000)
    rounds = [{"calls": [call("read_file", file_path="big.txt")]}] * 6
    grave.script(
        {
            "script": 1,
            "window": 16_000,
            "summary": "what went before",
            "turns": [{"rounds": [*rounds, {"say": "done"}]}, {"rounds": [{"say": "next"}]}],
        }
    )
    assert grave.sit(kill=Kill(point)).status == -signal.SIGKILL
    again = grave.sit(resume=True, text="and now")
    assert again.ended == "TurnFinished"
    assert again.faults == []
