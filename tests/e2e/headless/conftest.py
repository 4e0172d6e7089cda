"""Where runs without a screen take place."""

import pytest

from tests.support.workplace import Workplace


@pytest.fixture
def place(workplace: Workplace) -> Workplace:
    workplace.use_server()
    return workplace
