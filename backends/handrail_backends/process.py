"""Runs one command to its end, time-out or cancellation, and leaves nothing of it behind."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from handrail_backends.process_group import Member, Session

GRACE_S = 1.0
"""What a process gets to tidy up in after SIGTERM."""

SETTLE_S = 0.2
"""What outlives its command by more than this counts as running in the background."""

DRAIN_S = 0.3
REAP_S = 3.0
CHUNK_BYTES = 64 * 1024


class NotStartedError(Exception):
    """A command the system did not start, and why."""


@dataclass(frozen=True, slots=True)
class Command:
    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended, and what of it did not end by itself."""

    returncode: int
    """As `subprocess` has it: negative for the number of a signal."""
    timed_out: bool
    stopped: tuple[Member, ...]
    """Background processes that were stopped after the command had ended."""
    output_is_held: bool
    """Whether something that left the command's session still has its output open."""


async def run(command: Command, *, timeout_s: float, feed: Callable[[bytes], None]) -> Ending:
    """Calls `feed` with the output as it comes, in this context. Raises `NotStartedError`."""
    read_end, write_end = os.pipe()
    try:
        output = await Output.open(read_end, feed)
        try:
            process = await _start(command, write_end)
        except BaseException:
            output.close()
            raise
    finally:
        os.close(write_end)
    session = Session(process.pid)
    try:
        timed_out = not await _ends(process, output, timeout_s)
        stopped = () if timed_out else await _left_behind(session)
        await session.end(GRACE_S)
        held = not await output.is_over(DRAIN_S)
        return Ending(await _returncode(process), timed_out, stopped, held)
    except BaseException:
        await session.end(GRACE_S)
        await _returncode(process)
        raise
    finally:
        output.close()


class Output:
    """Reads a pipe in a task of its own, so that nobody has to wait for its end."""

    def __init__(self, transport: asyncio.BaseTransport, reading: asyncio.Task[None]) -> None:
        self._transport = transport
        self.reading = reading

    @classmethod
    async def open(cls, read_end: int, feed: Callable[[bytes], None]) -> Self:
        reader = asyncio.StreamReader(limit=CHUNK_BYTES)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_end, "rb", buffering=0)
        )
        return cls(transport, asyncio.create_task(_read_all(reader, feed)))

    async def is_over(self, within_s: float) -> bool:
        """Waits for the end of the output, and raises what `feed` raised."""
        await asyncio.wait([self.reading], timeout=within_s)
        if self.reading.done():
            self.reading.result()
        return self.reading.done()

    def close(self) -> None:
        self.reading.cancel()
        self._transport.close()


async def _read_all(reader: asyncio.StreamReader, feed: Callable[[bytes], None]) -> None:
    while chunk := await reader.read(CHUNK_BYTES):
        feed(chunk)


async def _start(command: Command, write_end: int) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *command.argv,
            cwd=command.cwd,
            env=command.env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=write_end,
            stderr=write_end,
            start_new_session=True,
        )
    except OSError as error:
        raise NotStartedError(error.strerror or str(error)) from error


async def _ends(process: asyncio.subprocess.Process, output: Output, timeout_s: float) -> bool:
    """Waits for the command itself, whoever still has its output open."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout_s
    ended = asyncio.ensure_future(process.wait())
    waiting: set[asyncio.Future[int] | asyncio.Task[None]] = {ended, output.reading}
    try:
        while not ended.done() and (left := deadline - loop.time()) > 0:
            done, waiting = await asyncio.wait(
                waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED
            )
            if output.reading in done:
                output.reading.result()
        return ended.done()
    finally:
        ended.cancel()


async def _returncode(process: asyncio.subprocess.Process) -> int:
    """Not even SIGKILL ends a process that waits for a dead disk; nobody waits for it here."""
    try:
        async with asyncio.timeout(REAP_S):
            return await process.wait()
    except TimeoutError:
        return -signal.SIGKILL


async def _left_behind(session: Session) -> tuple[Member, ...]:
    return () if await session.is_over(SETTLE_S) else tuple(session.members())
