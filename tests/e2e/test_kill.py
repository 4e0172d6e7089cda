"""`kill -9` while a command runs: the session is there and the next turn works."""

import signal

from tests.support.processes import processes_in
from tests.support.replies import call, reply
from tests.support.workplace import AgentTerminal, Workplace

RUNNING = "echo ran >> runs; printf 'wai%s\\n' ting; sleep 300"


def kill_in_mid_command(workplace: Workplace) -> AgentTerminal:
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("run the long one")
        terminal.wait_approval("sleep 300")
        terminal.answer("y")
        terminal.wait_for("waiting")
        terminal.signal(signal.SIGKILL)
        assert terminal.wait_exit() == -signal.SIGKILL
    return terminal


def test_a_killed_session_goes_on_and_its_command_is_not_run_again(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(reply("I start it.", call("execute", command=RUNNING)))
    kill_in_mid_command(workplace)
    workplace.server.script(reply("Here I am."))
    with workplace.open("--continue") as terminal:
        terminal.wait_for("goes on here")
        terminal.say("are you there")
        terminal.wait_for("Here I am.")
        assert terminal.leave() == 0

    text = terminal.text()
    assert text.index("run the long one") < text.index("I start it.") < text.index("Here I am.")
    _, request = workplace.server.requests
    assert [message["role"] for message in request.messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "user",
    ]
    assert "unknown" in request.results[0]
    assert (workplace.repo.root / "runs").read_text() == "ran\n"


def test_nothing_of_the_killed_program_holds_up_the_next_one(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(reply(call("execute", command=RUNNING)))
    killed = kill_in_mid_command(workplace)
    assert killed.pid not in processes_in(workplace.home.folder)
    with workplace.open() as terminal:
        terminal.wait_ready()
        workplace.server.script(reply("A new one."))
        terminal.say("start afresh")
        terminal.wait_for("A new one.")
        assert terminal.leave() == 0
    assert workplace.server.requests[-1].results == []


def test_an_approval_that_was_open_is_asked_again_and_its_command_runs_once(
    workplace: Workplace,
) -> None:
    workplace.use_server()
    workplace.server.script(reply(call("execute", command="echo ran >> runs")))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("run it")
        terminal.wait_approval("$ echo ran")
        terminal.signal(signal.SIGKILL)
        terminal.wait_exit()
    workplace.server.script(reply("It ran."))
    with workplace.open("--continue") as terminal:
        terminal.wait_approval("$ echo ran")
        assert not (workplace.repo.root / "runs").exists()
        terminal.answer("y")
        terminal.wait_for("It ran.")
        assert terminal.leave() == 0
    assert (workplace.repo.root / "runs").read_text() == "ran\n"
    assert len(workplace.server.requests[-1].results) == 1
