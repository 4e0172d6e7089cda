"""The first screen: what a person sees before typing anything."""

import pytest

from handrail import __version__
from handrail.exit_codes import ExitCode
from tests.support.workplace import Workplace


@pytest.mark.parametrize("columns", [80, 120])
def test_the_first_screen_is_header_prompt_and_status(workplace: Workplace, columns: int) -> None:
    workplace.use_server()
    with workplace.open(size=(24, columns)) as terminal:
        terminal.wait_ready()
        terminal.send("typed at once")  # read after the answer to the first cursor question
        terminal.wait_for("> typed at once")
        header, blank, prompt, status = terminal.screen().splitlines()
    assert header == f"Handrail {__version__}  {workplace.repo.root}"
    assert (blank, prompt) == ("", "> typed at once")
    assert status.split()[:3] == ["ask", "openai:loopback", "host"]


def test_with_nothing_configured_one_screen_says_what_to_set(workplace: Workplace) -> None:
    with workplace.open(env=workplace.home.env()) as terminal:
        assert terminal.wait_exit() == ExitCode.NOT_CONFIGURED
    assert terminal.emulated.above() == []
    for needed in ("ANTHROPIC_API_KEY", "--base-url", "[model]", "agent demo"):
        assert needed in terminal.screen()


@pytest.mark.parametrize("columns", [60, 120])
def test_another_width_is_taken_at_once(workplace: Workplace, columns: int) -> None:
    workplace.use_server()
    with workplace.open(size=(24, 80)) as terminal:
        terminal.wait_ready()
        terminal.send("x" * 200)
        terminal.wait_for(lambda t: t.screen().count("x" * 70) == 2)
        terminal.resize(24, columns)
        rows = -(-(200 + 2) // columns)
        terminal.wait_for(lambda t: t.screen().count("x" * (columns - 5)) >= rows - 1)
        typed = [line for line in terminal.screen().splitlines() if "xx" in line]
        assert sum(line.count("x") for line in typed) == 200
        assert terminal.prompt_row() is not None
