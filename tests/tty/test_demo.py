"""The demo at a real terminal: its messages send themselves and the person decides."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.scratch import AGENT, AgentHome
from tests.support.workplace import AgentTerminal


@pytest.fixture
def terminal(agent_home: AgentHome, tmp_path: Path) -> Iterator[AgentTerminal]:
    env = agent_home.env(TMPDIR=str(tmp_path))
    with AgentTerminal([str(AGENT), "demo"], env=env, cwd=tmp_path, size=(40, 100)) as terminal:
        yield terminal


def test_approving_everything_ends_with_green_tests(terminal: AgentTerminal) -> None:
    for asked in ("$ python3 -m unittest", "+         return float(duration[:-2])"):
        terminal.wait_approval(asked)
        terminal.answer("y")
    terminal.wait_for("And the tests once more.")
    terminal.wait_approval("$ python3 -m unittest")
    terminal.answer("y")
    terminal.wait_approval("$ python3 -m logbook.year")
    terminal.answer("y")
    terminal.wait_approval("write /memories/user/preferences.md")
    assert "offloaded 93 kB -> /scratch/large_tool_results/sample_year" in terminal.status_line()
    terminal.answer("y")
    terminal.wait_approval("$ git diff --stat")
    assert "summarised" in terminal.status_line()
    assert ".md" in terminal.status_line()
    terminal.answer("y")
    assert terminal.wait_exit() == 0
    assert terminal.screen().endswith("\nsample tests: 6 passed, 0 failed")
    assert "agent --resume" not in terminal.text()


def test_refusing_the_change_ends_with_the_failing_test(terminal: AgentTerminal) -> None:
    terminal.wait_approval("$ python3 -m unittest")
    terminal.answer("y")
    terminal.wait_approval("+         return float(duration[:-2])")
    terminal.answer("n", "leave it")
    for asked in ("$ python3 -m logbook.year", "preferences.md", "$ git diff --stat"):
        terminal.wait_approval(asked)
        terminal.answer("y")
    assert terminal.wait_exit() == 1
    assert terminal.screen().endswith("\nsample tests: 5 passed, 1 failed")


def test_a_stopped_story_waits_for_the_person_and_ends_with_the_report(
    terminal: AgentTerminal,
) -> None:
    terminal.wait_approval("$ python3 -m unittest")
    terminal.answer("y")
    terminal.wait_for("approved run python3 -m unittest")
    terminal.press("ctrl-c")
    terminal.wait_for("The story stops here.")
    assert terminal.leave() == 1
    assert terminal.screen().endswith("\nsample tests: 5 passed, 1 failed")
