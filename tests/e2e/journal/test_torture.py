"""A few kills at random moments; `make torture` makes many."""

from pathlib import Path

from tests.support.killed_turns import Nursery
from tests.support.torture import Figures, Torture


def test_turns_killed_at_random_moments_go_on_without_loss(
    nursery: Nursery, tmp_path: Path
) -> None:
    figures = Torture(nursery, tmp_path, seed=1).run(12)
    assert figures == Figures(kills=12, spared=figures.spared)
