"""However the program ends, the terminal is as it was."""

import signal
from collections.abc import Callable, Mapping

import pytest

from handrail.exit_codes import ExitCode
from tests.support.replies import Gate, reply
from tests.support.terminal import fresh_line_modes
from tests.support.workplace import AgentTerminal, Workplace


def leave_by_ctrl_c(terminal: AgentTerminal) -> None:
    terminal.press("ctrl-c")
    terminal.wait_for("again leaves")
    terminal.press("ctrl-c")


WAYS: Mapping[str, tuple[Callable[[AgentTerminal], None], int]] = {
    "ctrl-d": (lambda terminal: terminal.press("ctrl-d"), ExitCode.OK),
    "/exit": (lambda terminal: terminal.say("/exit"), ExitCode.OK),
    "ctrl-c twice": (leave_by_ctrl_c, ExitCode.OK),
    "SIGTERM": (lambda terminal: terminal.signal(signal.SIGTERM), ExitCode.INTERRUPTED),
    "SIGHUP": (lambda terminal: terminal.signal(signal.SIGHUP), ExitCode.INTERRUPTED),
}


def assert_restored(terminal: AgentTerminal) -> None:
    assert terminal.line_modes() == fresh_line_modes()
    assert terminal.emulated.cursor_shown
    assert not terminal.emulated.bracketed_paste
    assert "openai:loopback" not in terminal.screen(), "the status line was left behind"


@pytest.mark.parametrize("way", WAYS)
def test_the_terminal_is_restored_when_idle(workplace: Workplace, way: str) -> None:
    act, expected = WAYS[way]
    workplace.use_server()
    with workplace.open() as terminal:
        terminal.wait_ready()
        assert terminal.line_modes() != fresh_line_modes()
        act(terminal)
        assert terminal.wait_exit() == expected
    assert_restored(terminal)


@pytest.mark.parametrize("way", ["SIGTERM", "/exit"])
def test_the_terminal_is_restored_in_the_middle_of_a_turn(workplace: Workplace, way: str) -> None:
    act, expected = WAYS[way]
    gate = Gate()
    workplace.use_server()
    workplace.server.script(reply("The first words.", gate))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("tell me a story")
        terminal.wait_for("The first words.")
        act(terminal)
        assert terminal.wait_exit() == expected
    assert_restored(terminal)
    assert "agent --resume " in terminal.text()
