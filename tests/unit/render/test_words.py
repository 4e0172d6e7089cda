"""Calls and their outcomes in words."""

import pytest

from handrail.events import MAIN, Call, CallFinished
from handrail.render.amounts import size, tokens
from handrail.render.outcome import outcome
from handrail.render.words import Described, describe

ROOT = "/home/x/p"

CALLS: list[tuple[str, dict[str, object], str, str]] = [
    ("execute", {"command": "pytest -q"}, "run", "pytest -q"),
    ("execute", {"command": "cd a\nmake\nmake test\n"}, "run", "cd a … 2 more lines"),
    ("execute", {"command": "printf '\x1b[2J'\t[bold]"}, "run", "printf '␛[2J'␉[bold]"),
    ("execute", {"command": 3}, "run", "command=3"),
    ("read_file", {"file_path": f"{ROOT}/src/a.py"}, "read", "src/a.py"),
    ("read_file", {"file_path": f"{ROOT}/a", "offset": 20, "limit": 40}, "read", "a 21-60"),
    ("read_file", {"file_path": f"{ROOT}/a", "limit": 60}, "read", "a 1-60"),
    ("read_file", {"file_path": f"{ROOT}/a", "offset": 20}, "read", "a 21-"),
    ("read_file", {"file_path": "/home/x/pq/a"}, "read", "/home/x/pq/a"),
    ("edit_file", {"file_path": "/memories/user/me.md"}, "edit", "/memories/user/me.md"),
    ("write_file", {"content": "x"}, "write", "content=x"),
    ("delete", {"file_path": f"{ROOT}/pages/[slug].tsx"}, "delete", "pages/[slug].tsx"),
    ("grep", {"pattern": "parse("}, "grep", "parse("),
    ("grep", {"pattern": "a", "path": ROOT, "glob": "*.py"}, "grep", "a (*.py)"),
    ("grep", {"pattern": "a", "path": f"{ROOT}/src"}, "grep", "a in src"),
    ("glob", {"pattern": "**/*.py", "path": f"{ROOT}/src"}, "glob", "**/*.py in src"),
    ("ls", {"path": ROOT}, "ls", "."),
    ("ls", {"path": "/scratch"}, "ls", "/scratch"),
    ("task", {"description": "find it", "subagent_type": "explore"}, "task", "explore: find it"),
    ("write_todos", {"todos": []}, "todos", ""),
    ("mcp\x07tool", {"a": 1, "b": "x\ny"}, "mcp␇tool", "a=1 b=x␊y"),
]

GREP_CONTENT = "/p/a.py:\n  1: parse(\n  --\n  9: parse(\n/p/b:\n  3- before\n  4: parse("
EXECUTE: dict[str, object] = {"command": "x"}

OUTCOMES: list[tuple[str, dict[str, object], bool, str, int | None, str]] = [
    ("execute", EXECUTE, True, "ok\n[Command succeeded with exit code 0]", 0, "exit 0"),
    ("execute", EXECUTE, True, "[Command failed with exit code 2]", 2, "exit 2"),
    ("execute", EXECUTE, False, "Error: no shell\nmore", None, "failed: no shell"),
    ("read_file", {}, True, "@@ lines 1-60 of 212 | next offset 60 @@\nx", None, "60 of 212 lines"),
    ("read_file", {}, True, "@@ lines 1-3 of 3 @@\na\nb\nc", None, "3 lines"),
    ("read_file", {}, True, "[note]\n@@ lines 9-9 @@\na", None, "1 line"),
    ("read_file", {}, True, "", None, "0 bytes"),
    ("read_file", {}, False, "\n[Errno 2] no [/] file", None, "failed: [Errno 2] no [/] file"),
    ("read_file", {}, False, "", None, "failed: no reason given"),
    ("grep", {}, True, "/p/a.py\n/p/b.py\n\nSome results were left out", None, "2 files"),
    ("grep", {}, True, "No matches found", None, "no matches"),
    ("grep", {"output_mode": "count"}, True, "/a: 3\n/b: 1", None, "4 matches in 2 files"),
    ("grep", {"output_mode": "content"}, True, GREP_CONTENT, None, "3 matches in 2 files"),
    ("glob", {}, True, "['/p/a', \"/p/b'\"]", None, "2 entries"),
    ("ls", {}, True, "['/p/a']\n\nnote", None, "1 entry"),
    ("ls", {}, True, "No files found", None, "nothing"),
    ("ls", {}, True, "[" * 5000, None, "done"),
    ("write_file", {"content": "a\nb"}, True, "Updated file x", None, "2 lines written"),
    ("edit_file", {}, True, "Successfully replaced 3 instance(s) of x", None, "3 replacements"),
    ("delete", {}, True, "Deleted x", None, "deleted"),
    ("other", {}, True, "anything", None, "done"),
]


@pytest.mark.parametrize(("name", "args", "tool", "what"), CALLS)
def test_a_call_is_described_by_what_matters(
    name: str, args: dict[str, object], tool: str, what: str
) -> None:
    assert describe(Call("c1", name, args), ROOT) == Described(tool, what)


@pytest.mark.parametrize(("name", "args", "ok", "text", "code", "words"), OUTCOMES)
def test_an_outcome_is_told_in_words(
    name: str, args: dict[str, object], ok: bool, text: str, code: int | None, words: str
) -> None:
    assert outcome(CallFinished(MAIN, Call("c1", name, args), ok, text, code)) == words


def test_amounts_are_short_and_rounded() -> None:
    counts = (1, 999, 1000, 9949, 9951, 212_345, 999_499, 999_500, 1_400_000)

    assert [size(count) for count in counts] == [
        "1 byte",
        "999 bytes",
        "1.0 kB",
        "9.9 kB",
        "10 kB",
        "212 kB",
        "999 kB",
        "1.0 MB",
        "1.4 MB",
    ]
    assert [tokens(count) for count in (0, 950, 1000, 12_345, 200_000, 1_200_000)] == [
        "0",
        "950",
        "1k",
        "12.3k",
        "200k",
        "1.2M",
    ]
