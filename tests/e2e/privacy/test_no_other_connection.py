"""Whatever tracing the environment asks the libraries for, only the model's address is called."""

import json
import socket
import subprocess
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from handrail.prompt_files import read_prompt
from tests.support.replies import call, reply
from tests.support.scratch import AGENT
from tests.support.workplace import Workplace

RECORDER = """\
import json, os, sys

def record(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"):
        what = arguments[:2] if event == "socket.getaddrinfo" else arguments[1]
        with open(os.environ["RECORD"], "a") as file:
            file.write(json.dumps([event, what], default=str) + "\\n")

sys.addaudithook(record)
with open(os.environ["RECORD"], "a") as file:
    file.write('["started"]\\n')
"""


@dataclass
class Listener:
    """Takes connections and notes each one."""

    address: str
    connections: list[object] = field(default_factory=list[object])


@contextmanager
def listening() -> Generator[Listener]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = Listener(f"http://127.0.0.1:{server.getsockname()[1]}")

        def take() -> None:
            while True:
                try:
                    connection, whose = server.accept()
                except OSError:
                    return
                listener.connections.append(whose)
                connection.close()

        thread = threading.Thread(target=take)
        thread.start()
        yield listener
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


@dataclass
class Watched:
    """A workplace whose environment asks for every kind of tracing."""

    place: Workplace
    env: Mapping[str, str]
    record: Path
    listener: Listener

    def calls(self) -> list[object]:
        """What every interpreter that was started called, without its own start."""
        lines = [json.loads(line) for line in self.record.read_text().splitlines()]
        assert ["started"] in lines
        return [line for line in lines if line != ["started"]]

    def assert_only_the_model(self) -> None:
        host, port = self.place.server.base_url.removesuffix("/v1").rpartition("/")[2].split(":")
        allowed = [["socket.connect", [host, int(port)]], ["socket.getaddrinfo", [host, int(port)]]]
        calls = self.calls()
        assert allowed[0] in calls
        assert [call for call in calls if call not in allowed] == []
        assert self.listener.connections == []

    def assert_nothing(self) -> None:
        assert self.calls() == []
        assert self.listener.connections == []


def tracing_to(address: str) -> dict[str, str]:
    switches = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2")
    return {
        **dict.fromkeys((*switches, "LANGCHAIN_TRACING", "LANGSMITH_OTEL_ENABLED"), "true"),
        **dict.fromkeys(("LANGSMITH_ENDPOINT", "LANGCHAIN_ENDPOINT"), address),
        **dict.fromkeys(("LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"), "lsv2_made_up"),
        "LANGSMITH_GATEWAY": address,
        "LANGSMITH_GATEWAY_API_KEY": "lsv2_made_up",
        "LANGSMITH_RUNS_ENDPOINTS": json.dumps({address: "lsv2_made_up"}),
        "OTEL_EXPORTER_OTLP_ENDPOINT": address,
        "OTEL_TRACES_EXPORTER": "otlp",
        "OTEL_METRICS_EXPORTER": "otlp",
        "OTEL_LOGS_EXPORTER": "otlp",
        "OTEL_PYTHON_AUTO_INSTRUMENTATION_EXPERIMENTAL_GEVENT_PATCH": "patch_all",
        "OPENAI_LOG": "debug",
        "ANTHROPIC_LOG": "debug",
    }


@pytest.fixture
def watched(workplace: Workplace, tmp_path: Path) -> Iterator[Watched]:
    workplace.use_server()
    (tmp_path / "sitecustomize.py").write_text(RECORDER)
    record = tmp_path / "record"
    record.touch()
    with listening() as listener:
        env = {
            **workplace.env(),
            **tracing_to(listener.address),
            "PYTHONPATH": str(tmp_path),
            "RECORD": str(record),
        }
        yield Watched(workplace, env, record, listener)


def script(place: Workplace) -> None:
    place.server.script(
        reply("Let me see.", call("ls", path="."), call("execute", command="echo made")),
        reply(call("task", description="Count", subagent_type="general-purpose")),
        reply("Finished it."),
    )
    place.server.script(reply("Counted."), when=read_prompt("subagent")[:60])


def test_a_turn_at_the_screen_calls_the_model_alone(watched: Watched) -> None:
    script(watched.place)
    with watched.place.open(env=watched.env) as terminal:
        terminal.wait_ready()
        terminal.say("look around")
        terminal.wait_approval("$ echo made")
        terminal.answer("y")
        terminal.wait_for("Finished it.")
        assert terminal.leave() == 0
        assert b"DEBUG" not in bytes(terminal.raw)
    assert len(watched.place.server.requests) == 4
    watched.assert_only_the_model()


def run(watched: Watched, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [AGENT, *arguments],
        cwd=watched.place.repo.root,
        env=watched.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def test_a_run_without_a_screen_calls_the_model_alone(watched: Watched) -> None:
    script(watched.place)
    done = run(watched, "-p", "look around")
    assert done.stdout == "Finished it.\n"
    assert "DEBUG" not in done.stderr
    watched.assert_only_the_model()


@pytest.mark.parametrize(
    "arguments",
    [["demo"], ["sessions", "--all"], ["config", "show"], ["auth", "--list"], ["--version"]],
    ids=" ".join,
)
def test_what_needs_no_model_calls_nobody(watched: Watched, arguments: list[str]) -> None:
    assert run(watched, *arguments).returncode == 0
    watched.assert_nothing()
