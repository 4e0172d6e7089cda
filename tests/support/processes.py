"""Finds and ends the processes a test started, also those that left their process group."""

import contextlib
import os
import signal
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path


def descendants(pid: int) -> list[int]:
    """Every process below `pid`, parents before children."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for line in _ps("-A", "-o", "pid=,ppid=").splitlines():
        child, parent = line.split()
        children[int(parent)].append(int(child))
    found = [pid]
    for each in found:
        found += children[each]
    return found[1:]


def kill_tree(pid: int) -> None:
    """Kills `pid` and everything below it, which is stopped first so that nothing slips away."""
    stopped: set[int] = set()
    while new := {pid, *descendants(pid)} - stopped:
        _signal(new, signal.SIGSTOP)
        stopped |= new
    _signal(stopped, signal.SIGKILL)


def processes_in(home: Path) -> list[int]:
    """Every process whose environment says `HOME=<home>`, wherever it hangs in the tree."""
    entry = f" HOME={home} "
    lines = (f"{line} ".split(maxsplit=1) for line in _ps("axeww", "-o", "pid=,args=").splitlines())
    return [int(pid) for pid, rest in lines if entry in rest and int(pid) != os.getpid()]


def kill_processes_in(home: Path) -> None:
    while found := [pid for pid in processes_in(home) if is_running(pid)]:
        _signal(found, signal.SIGKILL)


def is_running(pid: int) -> bool:
    """Whether `pid` is there and not merely waiting to be reaped."""
    state = _ps("-o", "stat=", "-p", str(pid)).strip()
    return bool(state) and not state.startswith("Z")


def _ps(*args: str) -> str:
    return subprocess.run(["ps", *args], capture_output=True, text=True, check=False).stdout


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
