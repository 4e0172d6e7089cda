"""Whole sessions on the screen at 80 and 120 columns, live and reprinted."""

from collections.abc import Sequence

from handrail.events import (
    MAIN,
    ApprovalAnswered,
    ApprovalRequested,
    Call,
    CallFinished,
    CallOutput,
    CallProposed,
    CallStarted,
    ContextMeasured,
    Decision,
    Event,
    HistoryOffloaded,
    Notice,
    PendingCall,
    ResultOffloaded,
    Source,
    SubagentFinished,
    SubagentStarted,
    SummaryFinished,
    SummaryStarted,
    TextDelta,
    TextFinished,
    Todo,
    TodosChanged,
    TurnFinished,
    TurnStarted,
)
from handrail.render.console import to_ansi
from handrail.render.renderer import Renderer

LOG = "import re\n\n\ndef parse(line):\n    return line\n\n\nz = parse('[/]')\n"
EDIT = Call(
    "c3",
    "edit_file",
    {
        "file_path": "/p/src/log.py",
        "old_string": "def parse(line):\n",
        "new_string": "def parse_line(line):\n",
    },
)
TESTS = Call("c4", "execute", {"command": "pytest -q"})
REMOVE = Call("c5", "execute", {"command": "rm -rf build"})
TESTED = "".join(f"tests/test_{n}.py .\n" for n in range(9)) + "1 failed, 8 passed"
EXPLORE = Source("explore", "t1")

SESSION: Sequence[Event] = (
    TurnStarted("rename parse() to parse_line() in pages/[slug].tsx everywhere\nand run the tests"),
    ContextMeasured(MAIN, 10, 100),
    TextDelta(MAIN, "m1", "I'll look"),
    TextFinished(MAIN, "m1", "I'll look where it is used, change both files and run the suite."),
    CallFinished(
        MAIN,
        Call("c1", "grep", {"pattern": "parse(", "path": "/p/src", "output_mode": "content"}),
        True,
        "/p/src/a.py:\n  1: parse(\n  3: parse(\n/p/src/b.py:\n  1: parse(",
    ),
    CallFinished(
        MAIN,
        Call("c2", "read_file", {"file_path": "/p/src/log.py", "limit": 60}),
        True,
        "@@ lines 1-60 of 212 | next offset 60 @@\nimport re",
    ),
    TodosChanged(
        MAIN,
        (Todo("find uses", "completed"), Todo("edit", "in_progress"), Todo("run tests", "pending")),
    ),
    CallProposed(MAIN, EDIT),
    ApprovalRequested(MAIN, "a1", (PendingCall(EDIT, "changes a file"),)),
    ApprovalAnswered("a1", (EDIT,), (Decision("approve"),)),
    CallStarted(MAIN, EDIT),
    CallFinished(MAIN, EDIT, True, "Successfully replaced 1 instance(s) of the string"),
    ApprovalAnswered(
        "a2",
        (TESTS, REMOVE),
        (Decision("approve", grant="session"), Decision("reject", "build/ is needed [/]")),
    ),
    CallStarted(MAIN, TESTS),
    CallOutput("c4", "tests"),
    CallFinished(MAIN, TESTS, True, f"{TESTED}\n[Command failed with exit code 1]", 1),
    CallFinished(MAIN, REMOVE, False, "The person rejected this call: build/ is needed [/]"),
    CallFinished(
        MAIN,
        Call("c6", "read_file", {"file_path": "/p/" + "deep/" * 20 + "file.py"}),
        False,
        "Error: [Errno 2] there is no such file",
    ),
    SubagentStarted(EXPLORE, "look for the cause\nin the tests"),
    CallFinished(EXPLORE, Call("c7", "ls", {"path": "/p"}), True, "['/p/a', '/p/b']"),
    TextFinished(EXPLORE, "m2", "It is test_3."),
    SubagentFinished(EXPLORE),
    CallFinished(MAIN, Call("t1", "task", {"description": "look"}), True, "It is test_3."),
    SummaryStarted(MAIN, 41),
    HistoryOffloaded(MAIN, 41, "/scratch/conversation_history/session_ab12cd34.md"),
    SummaryFinished(MAIN, 41, "The person wants a rename."),
    ResultOffloaded(MAIN, "c9", "/scratch/large_tool_results/c9", 212_000),
    Notice("The model answered after 2 tries."),
    TextFinished(
        MAIN, "m3", "The rename is done:\n\n- `parse_line` in **src/log.py**\n- one test fails"
    ),
    TurnFinished("The rename is done."),
)


def renderer() -> Renderer:
    ticks = iter([10.0, 10.4, 20.0, 23.25])
    return Renderer("/p", {"/p/src/log.py": LOG}.get, lambda: next(ticks))


def shown(events: Sequence[Event], width: int, on: Renderer | None = None) -> str:
    on = on or renderer()
    return "".join(to_ansi(on.render(event), width, "plain") for event in events)


SCREEN_80 = """\

> rename parse() to parse_line() in pages/[slug].tsx everywhere
  and run the tests

  I'll look where it is used, change both files and run the suite.
  grep  parse( in src                           3 matches in 2 files
  read  src/log.py 1-60                         60 of 212 lines
  todos 1 of 3  ✓ find uses  ▸ edit  · run tests
  approved edit src/log.py
  edit  src/log.py                              +1 -1
    1   import re
    2
    3
    4 - def parse(line):
    4 + def parse_line(line):
    5       return line
    6
    7
  approved run pytest -q for this session
  rejected run rm -rf build: build/ is needed [/]
  run   pytest -q                               exit 1 in 3.2 s
    … 4 more lines, 180 bytes in all
    tests/test_4.py .
    tests/test_5.py .
    tests/test_6.py .
    tests/test_7.py .
    tests/test_8.py .
    1 failed, 8 passed
  read  deep/deep/deep/deep/de…/file.py  failed: [Errno 2] there is no such file
  agent explore: look for the cause
  │ ls    .                                       2 entries
  │ It is test_3.
  agent explore finished
  summarised 41 messages -> /scratch/conversation_history/session_ab12cd34.md
  offloaded 212 kB -> /scratch/large_tool_results/c9
  The model answered after 2 tries.

  The rename is done:

   • parse_line in src/log.py
   • one test fails
"""

DEEP_80 = "deep/deep/deep/deep/de…/file.py"
DEEP_120 = "deep/" * 12 + "de…/file.py"


def test_a_session_at_80_columns() -> None:
    assert shown(SESSION, 80) == SCREEN_80


def test_a_session_at_120_columns_shows_more_of_a_path() -> None:
    assert shown(SESSION, 120) == SCREEN_80.replace(DEEP_80, DEEP_120)


def test_a_reprint_is_the_same_but_for_line_numbers_and_times() -> None:
    def known_from_the_file(line: str) -> bool:
        return line[4:5].isdigit() or line[4:5] in "-+"

    live = SCREEN_80.replace(" in 3.2 s", "").replace("+1 -1", "1 replacement").splitlines()
    again = shown(SESSION, 80, Renderer("/p")).splitlines()

    assert [line for line in again if line[4:6] in {"- ", "+ "}] == [
        "    - def parse(line):",
        "    + def parse_line(line):",
    ]
    assert [line for line in again if not known_from_the_file(line)] == [
        line for line in live if not known_from_the_file(line)
    ]
