"""Ctrl-C: it stops what runs, keeps what was finished, and the next turn works."""

from tests.support.json_shape import string
from tests.support.processes import is_running, processes_in
from tests.support.replies import Gate, call, reply
from tests.support.workplace import Workplace

WAITING = "printf 'wai%s\\n' ting; sleep 300; echo never"
"""The command's own text does not hold the word that it prints."""


def test_ctrl_c_in_a_stream_ends_the_request_and_keeps_the_text(workplace: Workplace) -> None:
    gate = Gate()
    workplace.use_server()
    workplace.server.script(reply("The first words.", gate, " Never these."), reply("Going on."))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("tell me a story")
        terminal.wait_for("The first words.")
        terminal.press("ctrl-c")
        terminal.wait_for("Stopped.")
        gate.wait_left()
        terminal.say("go on")
        terminal.wait_for("Going on.")
        assert terminal.leave() == 0
    assert "The first words." in terminal.text()
    asked = workplace.server.requests[1].messages
    assert [string(each["content"]) for each in asked if each["role"] == "user"] == [
        "tell me a story",
        "go on",
    ]


def test_ctrl_c_in_a_command_kills_it_and_all_its_children(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(reply(call("execute", command=WAITING)), reply("Going on."))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("wait for it")
        terminal.wait_approval("sleep 300")
        terminal.answer("y")
        terminal.wait_for("waiting")
        others = [pid for pid in processes_in(workplace.home.folder) if pid != terminal.pid]
        assert others
        terminal.press("ctrl-c")
        terminal.wait_for("Stopped.")
        terminal.wait_for(lambda _: not any(is_running(pid) for pid in others))
        terminal.say("go on")
        terminal.wait_for("Going on.")
        assert terminal.leave() == 0


def test_ctrl_c_at_an_approval_says_no_and_nothing_runs(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(reply(call("execute", command="touch made")), reply("As you wish."))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("make it")
        terminal.wait_approval("$ touch made")
        terminal.press("ctrl-c")
        terminal.wait_for("As you wish.")
    assert not (workplace.repo.root / "made").exists()
