"""A refused request in a real terminal: the countdown runs, and Ctrl-C ends it."""

import re

from tests.support.replies import refused, reply
from tests.support.terminal import Terminal
from tests.support.workplace import Workplace

_COUNTDOWN = re.compile(r"retry 1 of 4 in (\d+) s: the server limits requests")


def _left(terminal: Terminal) -> int | None:
    found = _COUNTDOWN.search(terminal.screen())
    return int(found[1]) if found else None


def _counted_down(terminal: Terminal) -> bool:
    left = _left(terminal)
    return left is not None and left <= 198


def test_the_countdown_runs_and_ctrl_c_ends_it_and_keeps_the_message(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(refused(429, retry_after="200"), reply("Going on."))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("tell me a story")
        terminal.wait_for(lambda it: _left(it) is not None)
        terminal.wait_for(_counted_down)
        terminal.press("ctrl-c")
        terminal.wait_for("Stopped.")
        assert _left(terminal) is None
        terminal.say("go on")
        terminal.wait_for("Going on.")
        assert terminal.leave() == 0
    asked = str(workplace.server.requests[1].messages)
    assert "tell me a story" in asked
    assert "go on" in asked


def test_a_wait_that_is_asked_for_is_kept_and_the_answer_comes(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(refused(529, retry_after="1"), reply("Here I am."))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("hello there")
        terminal.wait_for("Here I am.")
        assert terminal.leave() == 0
    assert "retry 1 of 4" not in terminal.text()
    first, second = workplace.server.requests
    assert second.at - first.at >= 1
