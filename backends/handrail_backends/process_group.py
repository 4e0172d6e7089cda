"""The processes a command started: who of them still runs, and how they are all ended."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
SHORTEST_PAUSE_S = 0.005
LONGEST_PAUSE_S = 0.1
KILLS = 10


@dataclass(frozen=True, slots=True)
class Member:
    pid: int
    name: str
    """Empty where the system does not tell."""


class Session:
    """What runs in the session that `leader` opened. A process that opened its own is not found."""

    def __init__(self, leader: int, *, proc: Path = PROC) -> None:
        self._leader = leader
        self._proc = proc if (proc / "self" / "stat").exists() else None

    def members(self) -> list[Member]:
        """With `/proc` the whole session; without, one nameless member for the leader's group."""
        if self._proc is not None:
            return list(_members_in(self._proc, self._leader))
        try:
            os.killpg(self._leader, 0)
        except OSError:
            return []
        return [Member(self._leader, "")]

    async def is_over(self, within_s: float) -> bool:
        """Waits until no member is left."""
        end = time.monotonic() + within_s
        pause = SHORTEST_PAUSE_S
        while self.members():
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
        return True

    async def end(self, grace_s: float) -> None:
        """Asks every member to end, then kills. Cancelling it kills at once."""
        if not self.members():
            return
        try:
            self.send(signal.SIGTERM)
            if not await self.is_over(grace_s):
                await self._kill()
        finally:
            self.send(signal.SIGKILL)

    async def _kill(self) -> None:
        """More than once: a process may start another while it is looked for."""
        for _ in range(KILLS):
            self.send(signal.SIGKILL)
            if await self.is_over(LONGEST_PAUSE_S):
                return

    def send(self, number: signal.Signals) -> None:
        for member in self.members():
            with contextlib.suppress(OSError):
                os.kill(member.pid, number)
            with contextlib.suppress(OSError):
                os.killpg(member.pid, number)


def _members_in(proc: Path, session: int) -> Iterator[Member]:
    for entry in os.scandir(proc):
        if not entry.name.isdecimal():
            continue
        try:
            stat = (proc / entry.name / "stat").read_bytes()
        except OSError:
            continue
        name, _, rest = stat.partition(b"(")[2].rpartition(b") ")
        state, _, _, found = rest.split()[:4]
        if int(found) == session and state not in {b"Z", b"X"}:
            yield Member(int(entry.name), name.decode("utf-8", "replace"))
