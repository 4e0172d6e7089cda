"""Measures how soon the prompt is ready and how soon a message typed then reaches the model.

Each run of `agent` is paired with an `import deepagents` of the same moment, because the machine's
speed changes more from minute to minute than the programs do. `--runs N` sets the repetitions.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.model_server import ModelServer
from tests.support.replies import reply
from tests.support.scratch import (
    AGENT,
    AgentHome,
    ScratchRepo,
    make_scratch_repo,
    server_env,
    server_settings,
)
from tests.support.terminal import Terminal

READY_RATIO = 0.35
ENTER_S = 0.100
TYPED_AFTER_S = 3.0

BASELINE = "import time; t = time.perf_counter(); import deepagents; print(time.perf_counter() - t)"
CURSOR_QUESTION = b"\x1b[6n"


@dataclass(frozen=True, slots=True)
class Desk:
    """Where `agent` is started: a home, a repository and a model."""

    home: AgentHome
    repo: ScratchRepo
    server: ModelServer

    @contextmanager
    def agent(self) -> Generator[tuple[Terminal, float]]:
        """A started `agent` and the moment before its start."""
        env = self.home.env(**server_env(self.server))
        began = time.monotonic()
        with Terminal([str(AGENT)], env=env, cwd=self.repo.root) as terminal:
            yield terminal, began


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds of one round."""

    baseline: float
    ready: float
    enter: float

    @property
    def ratio(self) -> float:
        return self.ready / self.baseline


@contextmanager
def make_desk() -> Generator[Desk]:
    with tempfile.TemporaryDirectory() as folder, ModelServer() as server:
        home = AgentHome(Path(folder) / "home")
        home.folder.mkdir()
        home.configure(server_settings(server))
        server.answer_with(lambda _: reply("Done."))
        yield Desk(home, make_scratch_repo(Path(folder) / "scratch"), server)


def is_ready(terminal: Terminal) -> bool:
    """The prompt is drawn and the program has asked for the cursor, which is answered at once."""
    lines = terminal.screen().splitlines()
    return CURSOR_QUESTION in terminal.raw and any(line.startswith(">") for line in lines)


def measure_baseline(desk: Desk) -> float:
    argv = [sys.executable, "-c", BASELINE]
    done = subprocess.run(argv, env=desk.home.env(), stdout=subprocess.PIPE, check=True)
    return float(done.stdout)


def measure_agent(desk: Desk) -> tuple[float, float]:
    """Seconds from start to prompt, and from Enter to the request."""
    requests = len(desk.server.requests)
    with desk.agent() as (terminal, began):
        terminal.wait_for(is_ready)
        ready = time.monotonic() - began
        terminal.wait_for(lambda _: time.monotonic() - began >= TYPED_AFTER_S)
        terminal.send("rename it")
        terminal.wait_for("rename it")
        entered = time.monotonic()
        terminal.press("enter")
        terminal.wait_for(lambda _: len(desk.server.requests) > requests)
        received = desk.server.requests[requests].at
        terminal.wait_for("Done.")
        terminal.press("ctrl-d")
        terminal.wait_exit()
    return ready, received - entered


def measure_round(desk: Desk) -> Start:
    baseline = measure_baseline(desk)
    ready, enter = measure_agent(desk)
    return Start(baseline, ready, enter)


def report(starts: Sequence[Start]) -> bool:
    """Prints medians beside their aims; False when one is missed."""
    ratio = statistics.median(start.ratio for start in starts)
    enter = statistics.median(start.enter for start in starts)
    ready = statistics.median(start.ready for start in starts)
    baseline = statistics.median(start.baseline for start in starts)
    print(f"{'':38}{'measured':>10}{'aim':>8}")
    print_row("prompt ready / import deepagents", f"{ratio:.2f}", f"{READY_RATIO:.2f}")
    print_row("  prompt ready", f"{ready:.3f} s", "")
    print_row("  import deepagents", f"{baseline:.3f} s", "")
    print_row("Enter to request", f"{enter * 1000:.0f} ms", f"{ENTER_S * 1000:.0f} ms")
    missed = [ratio > READY_RATIO, enter > ENTER_S]
    print(
        f"medians of {len(starts)} runs; {sum(missed) or 'no'} aim{'s'[: sum(missed) != 1]} missed"
    )
    return not any(missed)


def print_row(name: str, measured: str, aim: str) -> None:
    print(f"{name:38}{measured:>10}{aim:>8}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="repetitions (default: 7)")
    runs = parser.parse_args().runs
    with make_desk() as desk:
        measure_round(desk)  # compiles what was not compiled, makes the databases
        starts = [measure_round(desk) for _ in range(runs)]
    return 0 if report(starts) else 1


if __name__ == "__main__":
    sys.exit(main())
