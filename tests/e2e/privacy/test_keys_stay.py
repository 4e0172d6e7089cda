"""A key is in its file and in the header of a request, and nowhere else."""

import os
import sys
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from handrail.prompt_files import read_prompt
from tests.support.model_server import ModelServer
from tests.support.replies import Fault, Reply, call, refused, reply
from tests.support.workplace import AgentTerminal, Workplace, make_workplace

SUBAGENT = read_prompt("subagent")[:60]
MARK = "hidden-MARK-of-the-key"
KEY = f"sk-test-{MARK}"


@dataclass(frozen=True, slots=True)
class EventThatEchoes(Fault):
    """An error inside the stream, of a kind nobody knows, whose words hold the key."""

    async def passing(self, stream: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        del stream
        yield b'data: {"error": {"message": "odd %s", "code": "invalid_odd"}}\n\n' % KEY.encode()


@pytest.fixture
def place() -> Iterator[Workplace]:
    with (
        ModelServer(key=KEY) as server,
        tempfile.TemporaryDirectory(prefix="") as folder,
        make_workplace(Path(folder).resolve(), server) as workplace,
    ):
        workplace.use_server()
        yield workplace
        assert server.errors == []
        assert server.refusals == []


def key_in_variable(place: Workplace) -> dict[str, str]:
    return place.home.env(OPENAI_API_KEY=KEY)


def key_in_file(place: Workplace) -> dict[str, str]:
    origin = place.server.base_url.removesuffix("/v1")
    name = origin.replace(":", "%3A").replace("/", "%2F")
    folder = place.home.data / "keys"
    folder.mkdir(mode=0o700)
    (folder / name).touch(mode=0o600)
    (folder / name).write_text(KEY)
    return place.home.env()


STORED = {"variable": key_in_variable, "file": key_in_file}


def holding_mark(*folders: Path) -> list[Path]:
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if MARK.encode() in path.read_bytes()]


def sent_beside_the_header(place: Workplace) -> list[str]:
    """What requests held besides the one header."""
    found: list[str] = []
    for request in place.server.requests:
        assert request.headers["Authorization"] == f"Bearer {KEY}"
        others = {k: v for k, v in request.headers.items() if k != "Authorization"}
        found += [request.raw.decode(), request.path, str(others)]
    return found


@pytest.mark.parametrize("stored", STORED)
def test_commands_errors_refusals_and_reports_hold_no_key(place: Workplace, stored: str) -> None:
    env = STORED[stored](place)
    asked = "env; cat /proc/self/environ; cat nothing-here"
    place.server.script(
        reply("Looking.", call("execute", command=asked), call("read_file", file_path="none")),
        reply("Seen."),
        refused(400, f"bad header: Bearer {KEY}"),
        refused(401, f"Incorrect API key provided: {KEY}"),
        Reply((), fault=EventThatEchoes()),
        reply(call("task", description="Do it", subagent_type="general-purpose")),
        reply("Done."),
    )
    place.server.script(refused(400, f"of a sub-agent: {KEY}"), when=SUBAGENT)
    with place.open(env=env, size=(40, 100)) as terminal:
        terminal.wait_ready()
        terminal.say("look around")
        terminal.wait_approval("cat /proc/self/environ")
        terminal.answer("y")
        terminal.wait_for("Seen.")
        for message, expected in (
            ("first failure", "bad header: Bearer [key]"),
            ("second failure", "refused the key of"),
            ("third failure", "A report for the developers"),
            ("once more", "Done."),
        ):
            terminal.say(message)
            terminal.wait_for(expected)
        assert terminal.leave() == 0
        assert MARK.encode() not in bytes(terminal.raw)

    (report,) = (place.home.data / "crashes").iterdir()
    assert "odd [key]" in report.read_text()
    assert "of a sub-agent: [key]" in place.server.requests[-1].results[-1]
    assert "PATH=" in place.server.requests[1].results[0]
    assert [text for text in sent_beside_the_header(place) if MARK in text] == []
    key_files = [*(place.home.data / "keys").iterdir()] if stored == "file" else []
    assert holding_mark(place.home.folder, place.repo.root) == key_files


def test_a_key_that_a_command_prints_is_in_no_file_at_all(place: Workplace, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.write_text(KEY)
    address = place.server.base_url
    place.home.configure(f'[keys]\nopenai_command = ["cat", "{vault}"]\n')
    place.server.script(reply(call("execute", command="env")), reply("Seen."))
    # Only the provider's own address gets what the command prints.
    code = (
        "import dataclasses\n"
        "from handrail.credentials import providers\n"
        "own = providers.PROVIDERS['openai']\n"
        f"moved = dataclasses.replace(own, address={address!r})\n"
        "providers.PROVIDERS['openai'] = moved\n"
        "from handrail.main import run\n"
        "run()\n"
    )
    started = tmp_path / "moved.py"
    started.write_text(code)
    argv = ["--model", "openai:loopback", "--base-url", address]
    argv = [sys.executable, str(started), *argv]
    with AgentTerminal(argv, env=place.home.env(), cwd=place.repo.root) as terminal:
        terminal.wait_ready()
        terminal.say("look around")
        terminal.wait_approval("$ env")
        terminal.answer("y")
        terminal.wait_for("Seen.")
        assert terminal.leave() == 0
        assert MARK.encode() not in bytes(terminal.raw)
    assert [text for text in sent_beside_the_header(place) if MARK in text] == []
    assert holding_mark(place.home.folder, place.repo.root) == []
    assert MARK not in str(os.environ)
