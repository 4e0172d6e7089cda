"""What the model is sent first: our own words, the project's context, and not much of it."""

import subprocess

import pytest

from handrail.events import TurnFinished
from handrail.sessions.conversation import SessionChoice
from handrail.sessions.opening import opener
from handrail.settings import ModelSettings, Settings
from tests.support.engine_bed import Bed, Person, turn
from tests.support.json_shape import items, mapping
from tests.support.model_server import ModelServer
from tests.support.replies import Reply, call, reply


def make_repository(bed: Bed) -> None:
    """A project with notes, a commit on a branch and a change after it."""
    bed.write("AGENTS.md", "Run the tests with nox.\n")
    bed.write("src/app.py", "x = 1\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(bed.project)]
    subprocess.run([*git, "init", "-q", "-b", "trunk"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "start"], check=True)
    bed.write("src/app.py", "x = 2\n")


async def ask(bed: Bed, server: ModelServer, *replies: Reply) -> None:
    server.script(*replies)
    model = ModelSettings(name="openai:loopback", base_url=server.base_url)
    settings = Settings(model=model)
    conversation = await opener(bed.project, settings, bed.places)(SessionChoice())
    try:
        events = await turn(conversation, Person(), "hello")
    finally:
        await conversation.close()
    assert isinstance(events[-1], TurnFinished), events[-1]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch, model_server: ModelServer) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", model_server.key)


async def test_the_first_request_in_an_empty_project_stays_under_20_kb(
    bed: Bed, model_server: ModelServer
) -> None:
    await ask(bed, model_server, reply("hi"))
    (request,) = model_server.requests
    assert len(request.raw) < 20_000


async def test_tools_and_prompt_are_in_our_own_words(bed: Bed, model_server: ModelServer) -> None:
    await ask(bed, model_server, reply("hi"))
    (request,) = model_server.requests
    functions = [mapping(mapping(tool)["function"]) for tool in items(request.body["tools"])]
    tools = {str(it["name"]): str(it["description"]) for it in functions}
    assert sorted(tools) == [
        "delete",
        "edit_file",
        "execute",
        "glob",
        "grep",
        "ls",
        "read_file",
        "task",
        "write_file",
        "write_todos",
    ]
    assert tools["execute"].startswith("Run a shell command in the project's folder")
    assert tools["task"].startswith("Give a piece of work to a sub-agent")
    assert "general-purpose: Does a self-contained piece" in tools["task"]
    assert request.system.startswith("You are Handrail")


async def test_the_prompt_tells_of_the_project_and_its_notes(
    bed: Bed, model_server: ModelServer
) -> None:
    make_repository(bed)
    await ask(bed, model_server, reply("hi"))
    prompt = model_server.requests[0].system
    for expected in (
        f"The project is {bed.project}.",
        "Git branch: trunk.",
        "M src/app.py",
        "Languages: Python.",
        "Run the tests with nox.",
    ):
        assert expected in prompt


async def test_what_is_remembered_is_told_at_once_in_a_later_session(
    bed: Bed, model_server: ModelServer
) -> None:
    write = call("write_file", file_path="/memories/user/preferences.md", content="Prefers tabs.\n")
    await ask(bed, model_server, reply(write), reply("noted"))
    await ask(bed, model_server, reply("hi"))
    first, *_, later = model_server.requests
    remembered = "/memories/user/preferences.md:\nPrefers tabs."
    assert remembered not in first.system
    assert remembered in later.system


async def test_every_request_pairs_its_calls_with_their_results(
    bed: Bed, model_server: ModelServer
) -> None:
    bed.write("a.txt", "text\n")
    await ask(
        bed,
        model_server,
        reply(call("read_file", file_path="a.txt"), call("ls", path=".")),
        reply(call("execute", command="true")),
        reply("done"),
    )
    assert len(model_server.requests) == 3
