"""Measures how soon the prompt is ready and how soon a message typed then reaches the model.

Each run of `agent` is paired with an `import deepagents` of the same moment, because the machine's
speed changes more from minute to minute than the programs do. `--runs N` sets the repetitions.
"""

import argparse
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.model_server import ModelServer
from tests.support.replies import reply
from tests.support.workplace import AgentTerminal, Workplace, make_workplace

READY_RATIO = 0.35
ENTER_S = 0.100
TYPED_AFTER_S = 3.0
WINDOW = 100_000

BASELINE = "import time; t = time.perf_counter(); import deepagents; print(time.perf_counter() - t)"


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds of one round."""

    baseline: float
    ready: float
    agent: float
    """When the agent behind the prompt was built."""
    enter: float

    @property
    def ratio(self) -> float:
        return self.ready / self.baseline


class Watch:
    """Notes when a picture first showed something; asked of every picture."""

    def __init__(self, shows: Callable[[AgentTerminal], bool]) -> None:
        self._shows = shows
        self.at = math.inf

    def seen(self, terminal: AgentTerminal) -> bool:
        if self.at == math.inf and self._shows(terminal):
            self.at = time.monotonic()
        return self.at < math.inf


def shows_prompt(terminal: AgentTerminal) -> bool:
    """Prompt and status line are drawn and the cursor stands in the prompt."""
    row = terminal.prompt_row()
    in_prompt = row is not None and row == terminal.emulated.cursor.y
    return in_prompt and terminal.status_line().startswith(" ask")


def shows_window(terminal: AgentTerminal) -> bool:
    """The size of the context is known once the agent is built."""
    return f"of {WINDOW // 1000}k" in terminal.status_line()


def has_passed(began: float) -> bool:
    return time.monotonic() - began >= TYPED_AFTER_S


def measure_baseline(place: Workplace) -> float:
    argv = [sys.executable, "-c", BASELINE]
    done = subprocess.run(argv, env=place.env(), stdout=subprocess.PIPE, check=True)
    return float(done.stdout)


def measure_round(place: Workplace) -> Start:
    baseline = measure_baseline(place)
    requests = len(place.server.requests)
    prompt, agent = Watch(shows_prompt), Watch(shows_window)
    began = time.monotonic()
    with place.open() as terminal:
        terminal.wait_for(lambda _: prompt.seen(terminal))
        terminal.wait_for(lambda _: agent.seen(terminal) or has_passed(began))
        terminal.wait_for(lambda _: has_passed(began))
        terminal.send("rename it")
        terminal.wait_for("rename it")
        entered = time.monotonic()
        terminal.press("enter")
        received = place.server.wait_for_requests(requests + 1)[requests].at
        terminal.wait_for("Done.")
        agent.seen(terminal)
        terminal.leave()
    return Start(baseline, prompt.at - began, agent.at - began, received - entered)


def report(starts: Sequence[Start]) -> bool:
    """Prints medians beside their aims; False when one is missed."""
    ratio = statistics.median(start.ratio for start in starts)
    enter = statistics.median(start.enter for start in starts)
    ready = statistics.median(start.ready for start in starts)
    agent = statistics.median(start.agent for start in starts)
    baseline = statistics.median(start.baseline for start in starts)
    print(f"{'':38}{'measured':>10}{'aim':>8}")
    print_row("prompt ready / import deepagents", f"{ratio:.2f}", f"{READY_RATIO:.2f}")
    print_row("  prompt ready", f"{ready:.3f} s", "")
    print_row("  import deepagents", f"{baseline:.3f} s", "")
    print_row("  agent built behind the prompt", f"{agent:.3f} s", "")
    print_row("Enter to request", f"{enter * 1000:.0f} ms", f"{ENTER_S * 1000:.0f} ms")
    missed = [ratio > READY_RATIO, enter > ENTER_S]
    print(f"medians of {len(starts)} runs, {sum(missed)} of {len(missed)} aims missed")
    return not any(missed)


def print_row(name: str, measured: str, aim: str) -> None:
    print(f"{name:38}{measured:>10}{aim:>8}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="repetitions (default: 7)")
    runs = parser.parse_args().runs
    with (
        tempfile.TemporaryDirectory() as folder,
        ModelServer() as server,
        make_workplace(Path(folder), server) as place,
    ):
        server.answer_with(lambda _: reply("Done."))
        place.use_server(window=WINDOW)
        measure_round(place)  # compiles what was not compiled, makes the databases
        starts = [measure_round(place) for _ in range(runs)]
    return 0 if report(starts) else 1


if __name__ == "__main__":
    sys.exit(main())
