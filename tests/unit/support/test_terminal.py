"""Tests of the emulated terminal that the terminal tests stand on."""

import sys
from pathlib import Path

import pytest

from tests.support.processes import is_running, kill_processes_in, processes_in
from tests.support.terminal import Terminal, fresh_line_modes

TOOLBAR = """
from prompt_toolkit import PromptSession
session = PromptSession("ask> ", bottom_toolbar="the toolbar")
print("answer:", session.prompt())
"""


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "TERM": "xterm-256color",
    }


def test_a_line_that_is_typed_comes_back_with_the_exit_status(
    env: dict[str, str], tmp_path: Path
) -> None:
    script = 'read word; echo "got $word"; exit 7'
    with Terminal(["/bin/sh", "-c", script], env=env, cwd=tmp_path) as terminal:
        terminal.send_line("apple")
        terminal.wait_for("got apple")
        assert terminal.wait_exit() == 7
    assert terminal.screen() == "apple\ngot apple"
    assert bytes(terminal.raw) == b"apple\r\ngot apple\r\n"


def test_lines_that_scrolled_off_stay_readable(env: dict[str, str], tmp_path: Path) -> None:
    with Terminal(["seq", "100"], env=env, cwd=tmp_path, size=(10, 40)) as terminal:
        terminal.wait_exit()
    assert terminal.text().split() == [str(number) for number in range(1, 101)]
    assert terminal.screen().split() == [str(number) for number in range(92, 101)]
    assert terminal.status_line() == "100"


def test_a_smaller_window_keeps_what_it_no_longer_shows(
    env: dict[str, str], tmp_path: Path
) -> None:
    script = "seq 8; read _; stty size"
    with Terminal(["/bin/sh", "-c", script], env=env, cwd=tmp_path, size=(12, 40)) as terminal:
        terminal.wait_for("8")
        terminal.resize(6, 30)
        terminal.press("enter")
        terminal.wait_exit()
    assert terminal.text().split() == [*"12345678", "6", "30"]


def test_the_cursor_question_is_answered_so_a_toolbar_is_drawn(
    env: dict[str, str], tmp_path: Path
) -> None:
    argv = [sys.executable, "-c", TOOLBAR]
    with Terminal(argv, env=env, cwd=tmp_path) as terminal:
        terminal.wait_for("the toolbar")
        assert terminal.emulated.bracketed_paste
        assert terminal.line_modes() != fresh_line_modes()
        terminal.paste("one\ntwo")
        terminal.wait_for("two")
        terminal.press("enter")
        assert terminal.wait_exit() == 0
    assert "answer: one" in terminal.text()
    assert terminal.line_modes() == fresh_line_modes()
    assert terminal.emulated.cursor_shown
    assert not terminal.emulated.bracketed_paste


def test_a_terminal_left_raw_is_noticed(env: dict[str, str], tmp_path: Path) -> None:
    leave_raw = "stty raw -echo; printf '\\033[?25l\\033[?2004h'"
    with Terminal(["/bin/sh", "-c", leave_raw], env=env, cwd=tmp_path) as terminal:
        assert terminal.wait_exit() == 0
    assert terminal.line_modes() != fresh_line_modes()
    assert not terminal.emulated.cursor_shown
    assert terminal.emulated.bracketed_paste


def test_a_wait_that_fails_shows_the_screen_and_the_scrollback(
    env: dict[str, str], tmp_path: Path
) -> None:
    script = "seq 30; read _"
    with (
        Terminal(["/bin/sh", "-c", script], env=env, cwd=tmp_path, size=(5, 40)) as terminal,
        pytest.raises(AssertionError, match=r"(?s)waited 0.2 s for 'never'.*\n3\n.*\n30\n"),
    ):
        terminal.wait_for("never", timeout=0.2)


def test_a_wait_ends_at_once_when_the_program_ends(env: dict[str, str], tmp_path: Path) -> None:
    with (
        Terminal(["/bin/sh", "-c", "echo bye"], env=env, cwd=tmp_path) as terminal,
        pytest.raises(AssertionError, match=r"(?s)the program ended \(0\) before 'never'.*bye"),
    ):
        terminal.wait_for("never")


def test_the_signal_that_ended_a_program_is_its_status(env: dict[str, str], tmp_path: Path) -> None:
    with Terminal(["cat"], env=env, cwd=tmp_path) as terminal:
        terminal.press("ctrl-c")
        assert terminal.wait_exit() == -2


def test_the_environment_is_exactly_the_given_one(env: dict[str, str], tmp_path: Path) -> None:
    with Terminal(["/usr/bin/env"], env=env, cwd=tmp_path) as terminal:
        terminal.wait_exit()
    assert dict(line.split("=", 1) for line in terminal.screen().splitlines()) == env


def test_colours_can_be_asked_for(env: dict[str, str], tmp_path: Path) -> None:
    script = "printf 'plain \\033[31mred\\033[0m'"
    with Terminal(["/bin/sh", "-c", script], env=env, cwd=tmp_path) as terminal:
        terminal.wait_exit()
    assert {cell.fg for cell in terminal.emulated.cells("red")} == {"red"}
    assert {cell.fg for cell in terminal.emulated.cells("plain")} == {"default"}


def test_closing_ends_children_that_left_the_process_group(
    env: dict[str, str], tmp_path: Path
) -> None:
    script = "setsid sleep 300 & echo child $!; read _"
    with Terminal(["/bin/sh", "-c", script], env=env, cwd=tmp_path) as terminal:
        terminal.wait_for("child ")
        terminal.wait_for(lambda t: bool(t.screen().split()[1:]))
        child = int(terminal.screen().split()[1])
        terminal.wait_for(lambda _: is_running(child))
    assert not is_running(child)


def test_an_orphan_is_found_by_its_home(env: dict[str, str], tmp_path: Path) -> None:
    script = "setsid sh -c 'echo up; exec sleep 300' & read _"
    with Terminal(["/bin/sh", "-c", script], env=env, cwd=tmp_path) as terminal:
        terminal.wait_for("up")
        terminal.press("enter")
        terminal.wait_exit()
    assert len(processes_in(tmp_path)) == 1
    kill_processes_in(tmp_path)
    assert [pid for pid in processes_in(tmp_path) if is_running(pid)] == []
