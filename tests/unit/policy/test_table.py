"""The built-in verdicts, whole."""

import pytest

from handrail.policy import Policy, Verdict
from handrail.policy.table import grant_key, may_change

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


@pytest.mark.parametrize(
    ("tool", "args", "verdict"),
    [
        ("ls", {"path": "/p"}, ALLOW),
        ("read_file", {"file_path": "/p/a"}, ALLOW),
        ("glob", {"pattern": "*"}, ALLOW),
        ("grep", {"pattern": "x"}, ALLOW),
        ("write_todos", {"todos": []}, ALLOW),
        ("task", {"description": "x"}, ALLOW),
        ("write_file", {"file_path": "/p/a"}, ASK),
        ("edit_file", {"file_path": "/p/a"}, ASK),
        ("delete", {"file_path": "/p/a"}, ASK),
        ("write_file", {"file_path": "/memories/user/p.md"}, ASK),
        ("write_file", {"file_path": "/scratch/notes.md"}, ALLOW),
        ("delete", {"file_path": "/scratch/notes.md"}, ALLOW),
        ("write_file", {"file_path": "/scratch/../p/a"}, ASK),
        ("write_file", {"file_path": "/scratchy/a"}, ASK),
        ("write_file", {"file_path": "/scratch/large_tool_results/c1"}, DENY),
        ("edit_file", {"file_path": "/scratch/conversation_history/s.md"}, DENY),
        ("delete", {"file_path": "/scratch/tasks/t"}, DENY),
        ("delete", {"file_path": "/scratch/tasks"}, DENY),
        ("write_file", {}, ASK),
        ("execute", {"command": "ls"}, ASK),
        ("execute", {}, ASK),
        ("unheard_of", {}, ASK),
    ],
)
def test_verdict(tool: str, args: dict[str, object], verdict: Verdict) -> None:
    assert Policy().judge(tool, args).verdict is verdict


def test_a_grant_covers_its_own_call_and_no_other() -> None:
    policy = Policy(frozenset({grant_key("execute", {"command": "make"})}))
    assert policy.judge("execute", {"command": "make"}).verdict is ALLOW
    assert policy.judge("execute", {"command": "make "}).verdict is ASK
    assert policy.judge("execute", {"command": "make; rm -rf x"}).verdict is ASK


def test_a_grant_for_a_file_covers_writing_and_editing_but_not_deleting_it() -> None:
    policy = Policy(frozenset({grant_key("edit_file", {"file_path": "/p/a"})}))
    assert policy.judge("write_file", {"file_path": "/p/a"}).verdict is ALLOW
    assert policy.judge("edit_file", {"file_path": "/p/b"}).verdict is ASK
    assert policy.judge("delete", {"file_path": "/p/a"}).verdict is ASK


def test_no_grant_loosens_a_denial() -> None:
    args = {"file_path": "/scratch/tasks/t"}
    policy = Policy(frozenset({grant_key("write_file", args)}))
    assert policy.judge("write_file", args).verdict is DENY


def test_the_strictest_verdict_wins() -> None:
    assert max([ALLOW, DENY, ASK]) is DENY


def test_what_only_looks_keeps_no_place_in_the_order() -> None:
    tools = ("ls", "grep", "task", "write_todos", "execute", "write_file", "unheard_of")
    assert [may_change(tool) for tool in tools] == [False] * 4 + [True] * 3
