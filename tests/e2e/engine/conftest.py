"""The bed that the engine's tests lie in."""

from pathlib import Path

import pytest

from tests.support.engine_bed import Bed


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    made = Bed(tmp_path)
    made.project.mkdir()
    return made
