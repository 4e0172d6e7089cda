"""What the packaging tests share: one uv cache, and machines to install on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaging.machine import Machine, make_machine, uv_cache


@pytest.fixture(scope="session")
def cache() -> str:
    return uv_cache()


@pytest.fixture
def machine(tmp_path: Path, cache: str) -> Machine:
    return make_machine(tmp_path, cache=cache)


@pytest.fixture(scope="module")
def new_machine(tmp_path_factory: pytest.TempPathFactory, cache: str) -> Callable[[], Machine]:
    return lambda: make_machine(tmp_path_factory.mktemp("machine"), cache=cache)
