"""Kills turns at random moments and continues their sessions: nothing may run twice or be lost.

`--kills N` sets how many, `--seed N` repeats a run. Ends with 1 when a figure is not 0.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.killed_turns import Nursery
from tests.support.torture import Torture


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    began = time.monotonic()
    with Nursery() as nursery, tempfile.TemporaryDirectory() as folder:
        torture = Torture(nursery, Path(folder).resolve(), options.seed)
        figures = torture.run(options.kills, lambda line: print(line, flush=True))
    print(f"{figures} ({time.monotonic() - began:.0f} s)")
    for failure in figures.failures:
        print(failure)
    return 1 if figures.failures else 0


if __name__ == "__main__":
    sys.exit(main())
