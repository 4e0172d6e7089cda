"""Fixtures that every layer of tests shares."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.model_server import ModelServer
from tests.support.processes import kill_processes_in
from tests.support.scratch import AgentHome, ScratchRepo, make_scratch_repo


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A model service that fails the test when something was refused or its script ran out."""
    with ModelServer() as server:
        yield server
    assert server.errors == []
    assert server.refusals == []


@pytest.fixture
def scratch_repo(tmp_path: Path) -> ScratchRepo:
    return make_scratch_repo(tmp_path / "scratch")


@pytest.fixture
def agent_home(tmp_path: Path) -> Iterator[AgentHome]:
    """A home of its own; whatever still runs from it afterwards is killed."""
    home = AgentHome(tmp_path / "home")
    home.folder.mkdir()
    yield home
    kill_processes_in(str(home.folder))
