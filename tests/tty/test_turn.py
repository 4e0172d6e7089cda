"""A whole turn at the keyboard, with the real client and a model service on the loopback."""

import json

import pytest

from tests.support.json_shape import mapping, string
from tests.support.replies import call, reply
from tests.support.scratch import RUN_TESTS, SOURCE
from tests.support.workplace import Workplace

EDIT = {
    "file_path": "shapes.py",
    "old_string": "2 * (width + height)",
    "new_string": "width * height",
}


@pytest.mark.parametrize("columns", [80, 120])
def test_an_edit_and_a_command_are_shown_and_run_when_approved(
    workplace: Workplace, columns: int
) -> None:
    workplace.use_server()
    workplace.server.script(
        reply("It adds where it should multiply.", call("edit_file", **EDIT)),
        reply(call("execute", command=RUN_TESTS)),
        reply("The test passes now."),
    )
    with workplace.open(size=(30, columns)) as terminal:
        terminal.wait_ready()
        terminal.say("fix the failing test")

        terminal.wait_approval("shapes.py")
        assert "2 -     return 2 * (width + height)" in terminal.screen()
        assert "2 +     return width * height" in terminal.screen()
        assert {cell.fg for cell in terminal.emulated.cells("return width * height")} == {"green"}
        assert workplace.repo.source.read_text() == SOURCE
        terminal.answer("y")

        terminal.wait_approval(f"$ {RUN_TESTS}")
        assert workplace.repo.is_fixed()
        terminal.answer("y")

        terminal.wait_for("The test passes now.")
        assert terminal.leave() == 0
    assert "exit 0" in terminal.text()
    assert "OK" in workplace.server.requests[2].results[1]
    assert "[Command succeeded with exit code 0]" in workplace.server.requests[2].results[1]


def test_a_rejection_reaches_the_model_with_its_reason(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(
        reply(call("execute", command="rm -r .git")), reply("I leave it as it is.")
    )
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("clean up")
        terminal.wait_approval("$ rm -r .git")
        terminal.answer("n", "the history is needed")
        terminal.wait_for("I leave it as it is.")
    assert (workplace.repo.root / ".git").is_dir()
    [result] = workplace.server.requests[1].results
    assert "the history is needed" in result


def test_an_edited_command_runs_as_edited_and_the_model_is_told(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(reply(call("execute", command="echo wrong")), reply("Seen."))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("say something")
        terminal.wait_approval("$ echo wrong")
        terminal.answer("e")
        terminal.wait_for("Enter runs it as edited")
        terminal.press("ctrl-w")
        terminal.send("right")
        terminal.wait_for("echo right")
        terminal.press("enter")
        terminal.wait_for("Seen.")
    [result] = workplace.server.requests[1].results
    assert "right\n" in result
    assert "wrong\n" not in result


def test_an_answer_in_the_tools_place_is_all_the_model_gets(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(reply(call("execute", command="touch made")), reply("Thanks."))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("make it")
        terminal.wait_approval("$ touch made")
        terminal.answer("r", "it is there already")
        terminal.wait_for("Thanks.")
    assert not (workplace.repo.root / "made").exists()
    assert workplace.server.requests[1].results == ["it is there already"]


def test_nothing_of_a_message_runs_before_every_call_is_decided(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(
        reply(call("execute", command="touch first"), call("execute", command="touch second")),
        reply("One of them."),
    )
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("make both")
        terminal.wait_approval("$ touch first")
        terminal.answer("y")
        terminal.wait_approval("$ touch second")
        assert not (workplace.repo.root / "first").exists()
        terminal.answer("n", "one is enough")
        terminal.wait_for("One of them.")
    assert (workplace.repo.root / "first").exists()
    assert not (workplace.repo.root / "second").exists()
    first, second = workplace.server.requests[1].results
    assert "[Command succeeded with exit code 0]" in first
    assert "one is enough" in second


def test_what_was_allowed_for_the_session_is_not_asked_again(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(
        reply(call("execute", command="echo again")),
        reply("Once."),
        reply(call("execute", command="echo again")),
        reply("Twice."),
    )
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("run it")
        terminal.wait_approval("$ echo again")
        terminal.answer("s")
        terminal.wait_for("Once.")
        terminal.say("run it once more")
        terminal.wait_for("Twice.")
    first, second = workplace.server.requests[3].results
    assert first == second


def test_letters_typed_before_an_approval_was_drawn_do_not_answer_it(
    workplace: Workplace,
) -> None:
    workplace.use_server()
    workplace.server.script(reply(call("execute", command="touch made")), reply("No then."))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.send("make it\ryyyy")
        terminal.wait_approval("$ touch made")
        assert not (workplace.repo.root / "made").exists()
        terminal.press("esc")
        terminal.wait_for("No then.")
        assert "yyyy" in terminal.screen()


def test_the_tools_are_described_to_the_model(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.script(reply("Hello."))
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("hello")
        terminal.wait_for("Hello.")
    [request] = workplace.server.requests
    tools = json.loads(request.raw)["tools"]
    names = {string(mapping(mapping(tool)["function"])["name"]) for tool in tools}
    assert {"execute", "edit_file", "write_todos", "task"} <= names
