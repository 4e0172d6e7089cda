"""The screen over a scripted session in a real terminal: what only a terminal can show."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.terminal import Terminal

ROOT = Path(__file__).parents[2]


def play(
    name: str,
    folder: Path,
    *,
    size: tuple[int, int] = (24, 80),
    env: Mapping[str, str] | None = None,
) -> Terminal:
    argv = [sys.executable, "-m", "tests.support.played_session", name, str(folder)]
    own = {
        "TERM": "xterm-256color",
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(folder),
    }
    return Terminal(argv, env={**own, **(env or {})}, cwd=ROOT, size=size)


@pytest.mark.parametrize("columns", [80, 120])
def test_each_line_of_a_long_reply_is_once_in_the_scrollback(tmp_path: Path, columns: int) -> None:
    with play("long-reply", tmp_path, size=(24, columns)) as terminal:
        terminal.wait_for("fake:model")
        terminal.send_line("tell me")
        terminal.wait_for("Paragraph 99 says")
        terminal.wait_for(lambda _: terminal.screen().count("Paragraph 99") == 1)

        found = [line for line in terminal.text().splitlines() if "Paragraph" in line]
        assert found == [f"  Paragraph {n} says something of its own." for n in range(100)]


def test_a_line_typed_while_the_agent_works_does_not_answer_the_approval(tmp_path: Path) -> None:
    with play("asking", tmp_path) as terminal:
        terminal.wait_for("fake:model")
        terminal.send_line("go")
        terminal.wait_for("working")
        terminal.send("yes please\rand y")
        terminal.wait_for("y once")

        assert "waiting  yes please" in terminal.screen()
        assert "> and y" in terminal.screen()
        terminal.press("esc")
        terminal.wait_for("rejected run make deploy")


def test_an_approval_is_drawn_again_after_the_window_changed(tmp_path: Path) -> None:
    with play("asking", tmp_path) as terminal:
        terminal.wait_for("fake:model")
        terminal.send_line("go")
        terminal.wait_for("y once")
        for lines, columns in ((10, 50), (40, 120), (12, 40), (24, 80)):
            terminal.resize(lines, columns)
        terminal.wait_for(lambda _: "y once" in terminal.screen())
        terminal.send("y")
        terminal.wait_for("approved run make deploy")


def test_a_message_typed_before_the_first_drawing_is_sent(tmp_path: Path) -> None:
    with play("asking", tmp_path) as terminal:
        terminal.send("go\r")
        terminal.wait_for("make deploy")


def test_no_color_means_no_colour(tmp_path: Path) -> None:
    with play("asking", tmp_path, env={"NO_COLOR": "1"}) as terminal:
        terminal.wait_for("fake:model")
        terminal.send_line("go")
        terminal.wait_for("y once")
        terminal.send("y")
        terminal.wait_for("approved run make deploy")

        colours = [f"[{code}m".encode() for code in (31, 32, 33, 34, 35, 36, 90)]
        assert not any(colour in terminal.raw for colour in colours)


def test_a_simple_terminal_shows_plain_text(tmp_path: Path) -> None:
    with play("asking", tmp_path, env={"TERM": "dumb"}) as terminal:
        terminal.wait_for("fake:model")
        terminal.send_line("go")
        terminal.wait_for("y once")
        terminal.send("y")
        terminal.wait_for("approved run make deploy")

        assert b"\x1b[?2026h" not in terminal.raw
