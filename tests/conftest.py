"""Fixtures that every layer of tests shares."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.model_server import ModelServer
from tests.support.scratch import AgentHome, ScratchRepo, make_scratch_repo
from tests.support.workplace import Workplace, make_workplace


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
    home = AgentHome(tmp_path / "home")
    home.folder.mkdir()
    yield home
    home.end_processes()


@pytest.fixture
def workplace(model_server: ModelServer) -> Iterator[Workplace]:
    """A repository, a home and a model service; whatever was started there is ended.

    Its path is short, so that screens look the same wherever the tests run.
    """
    with (
        tempfile.TemporaryDirectory(prefix="") as folder,
        make_workplace(Path(folder).resolve(), model_server) as place,
    ):
        yield place
