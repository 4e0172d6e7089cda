"""A nursery for each file of tests, a project for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.killed_turns import Grave, Nursery


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as made:
        yield made


@pytest.fixture
def grave(nursery: Nursery, tmp_path: Path) -> Grave:
    return Grave(tmp_path, nursery)
