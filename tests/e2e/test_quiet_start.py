"""What must not be loaded before the prompt is there, and that it is not."""

import fcntl
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.replies import reply
from tests.support.scratch import AGENT, AgentHome
from tests.support.workplace import Workplace

FRAMEWORK = "deepagents langchain langchain_core langchain_openai langgraph openai pydantic"

WATCH = """
import fcntl, os, sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name in os.environ["FRAMEWORK"].split():
            with open(os.environ["IMPORTED"], "a") as file:
                file.write(name + "\\n")
            with open(os.environ["GATE"]) as gate:
                fcntl.flock(gate, fcntl.LOCK_SH)
        return None

sys.meta_path.insert(0, Watch())
"""
"""Writes down every import of a framework package and lets it wait while the test holds GATE."""


def watched(home: AgentHome, folder: Path, **extra: str) -> dict[str, str]:
    """An environment in which the imports of framework packages are written to a file."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WATCH)
    (folder / "gate").touch()
    return home.env(
        PYTHONPATH=str(folder),
        FRAMEWORK=FRAMEWORK,
        IMPORTED=str(folder / "imported"),
        GATE=str(folder / "gate"),
        **extra,
    )


@contextmanager
def held(env: dict[str, str]) -> Generator[None]:
    """No framework package can be imported meanwhile."""
    with Path(env["GATE"]).open() as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        yield


def imported(env: dict[str, str]) -> set[str]:
    file = Path(env["IMPORTED"])
    return set(file.read_text().split()) if file.exists() else set()


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["config", "show"], ["sessions"]])
def test_what_needs_no_model_loads_no_framework(
    agent_home: AgentHome, tmp_path: Path, arguments: list[str]
) -> None:
    env = watched(agent_home, tmp_path / "watch")
    subprocess.run([AGENT, *arguments], env=env, cwd=tmp_path, check=True, capture_output=True)
    assert imported(env) == set()


def test_the_watch_sees_an_import(agent_home: AgentHome, tmp_path: Path) -> None:
    env = watched(agent_home, tmp_path / "watch")
    python = AGENT.with_name("python")
    subprocess.run([python, "-c", "import deepagents"], env=env, check=True)
    assert imported(env) >= {"deepagents", "langchain_core", "langgraph", "pydantic"}


def test_the_prompt_is_there_and_takes_a_message_before_any_framework(
    workplace: Workplace, tmp_path: Path
) -> None:
    workplace.use_server()
    workplace.server.script(reply("Now I am here."))
    env = watched(workplace.home, tmp_path / "watch", OPENAI_API_KEY=workplace.server.key)
    with held(env):
        terminal = workplace.open(env=env)
        terminal.wait_ready()
        terminal.say("typed at once")
        terminal.wait_for("waiting  typed at once")
    terminal.wait_for("Now I am here.")
    assert terminal.leave() == 0
    assert imported(env) >= {"deepagents", "langchain_openai"}
