"""Signals end a run: the turn is stopped, the session kept, and the exit code says which it was."""

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager

from handrail.exit_codes import ExitCode

_CODES = {
    signal.SIGINT: ExitCode.INTERRUPTED,
    signal.SIGTERM: ExitCode.TERMINATED,
    signal.SIGHUP: ExitCode.HUNG_UP,
}


@contextmanager
def ended_by_signals(end: Callable[[ExitCode], None]) -> Generator[None]:
    """What the caller ignores, as `nohup` and a shell's `&` do, stays ignored."""
    loop = asyncio.get_running_loop()
    heeded = [number for number in _CODES if signal.getsignal(number) is not signal.SIG_IGN]
    for number in heeded:
        loop.add_signal_handler(number, end, _CODES[number])
    try:
        yield
    finally:
        for number in heeded:
            loop.remove_signal_handler(number)
