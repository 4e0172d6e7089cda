"""Fixtures that every layer of tests shares."""

from collections.abc import Iterator

import pytest

from tests.support.model_server import ModelServer


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A model service that fails the test when something was refused or its script ran out."""
    with ModelServer() as server:
        yield server
    assert server.errors == []
    assert server.refusals == []
