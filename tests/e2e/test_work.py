"""The main job with the real engine and client: edit, test, delegate, and remember."""

from handrail.prompt_files import read_prompt
from tests.support.replies import call, reply
from tests.support.scratch import RUN_TESTS
from tests.support.workplace import Workplace

SUBAGENT = read_prompt("subagent")[:60]
PREFERENCE = "Always write metric units in docstrings."


def test_a_model_named_on_the_command_line_fixes_the_failing_test(workplace: Workplace) -> None:
    workplace.server.script(
        reply(
            "Let me look.",
            call("grep", pattern="def area"),
            call("read_file", file_path="shapes.py"),
        ),
        reply(call("execute", command=RUN_TESTS)),
        reply(
            call(
                "edit_file",
                file_path="shapes.py",
                old_string="2 * (width + height)",
                new_string="width * height",
            ),
            call("execute", command=RUN_TESTS),
        ),
        reply("Fixed."),
    )
    url = workplace.server.base_url
    with workplace.open("--model", "openai:loopback", "--base-url", url) as terminal:
        terminal.wait_ready()
        terminal.say("make the tests pass")
        terminal.wait_approval(f"$ {RUN_TESTS}")
        terminal.answer("s")
        terminal.wait_approval("shapes.py")
        terminal.answer("y")
        terminal.wait_for("Fixed.")
        assert terminal.leave() == 0

    search, source, failing, edited, passing = workplace.server.requests[-1].results
    assert workplace.repo.is_fixed()
    assert "shapes.py" in search
    assert "return 2 * (width + height)" in source
    assert "AssertionError: 14 != 12" in failing
    assert "replaced" in edited
    assert "OK" in passing
    assert {request.path for request in workplace.server.requests} == {"/v1/chat/completions"}


def test_a_sub_agents_command_asks_like_any_other_and_names_the_sub_agent(
    workplace: Workplace,
) -> None:
    workplace.use_server()
    task = call("task", description="Make the file", subagent_type="general-purpose")
    workplace.server.script(reply(task), reply("It is made."))
    workplace.server.script(
        reply(call("execute", command="touch made")),
        reply(call("execute", command="touch never")),
        reply("Made the one, not the other."),
        when=SUBAGENT,
    )
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("have it made")
        terminal.wait_approval("$ touch made")
        assert "general-purpose asks" in terminal.screen()
        assert not (workplace.repo.root / "made").exists()
        terminal.answer("y")
        terminal.wait_approval("$ touch never")
        assert "general-purpose asks" in terminal.screen()
        terminal.answer("n", "one is enough")
        terminal.wait_for("It is made.")

    assert (workplace.repo.root / "made").exists()
    assert not (workplace.repo.root / "never").exists()
    *_, last_of_subagent, last = workplace.server.requests
    assert "one is enough" in last_of_subagent.results[1]
    assert last.results == ["Made the one, not the other."]


def test_a_preference_saved_in_one_process_is_read_in_another_session(
    workplace: Workplace,
) -> None:
    workplace.use_server()
    file = "/memories/user/preferences.md"
    workplace.server.script(
        reply(call("write_file", file_path=file, content=PREFERENCE)),
        reply("I will remember that."),
        reply(call("read_file", file_path=file)),
        reply("I know."),
    )
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("remember to write metric units")
        terminal.wait_approval(file)
        terminal.answer("y")
        terminal.wait_for("I will remember that.")
        assert terminal.leave() == 0
    with workplace.open() as terminal:
        terminal.wait_ready()
        terminal.say("what do I like")
        terminal.wait_for("I know.")
        assert terminal.leave() == 0

    last = workplace.server.requests[-1]
    assert [message["role"] for message in last.messages] == ["system", "user", "assistant", "tool"]
    assert PREFERENCE in last.results[0]
    assert list(workplace.repo.root.rglob("preferences.md")) == []
