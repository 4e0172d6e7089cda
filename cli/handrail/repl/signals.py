"""SIGTERM and SIGHUP end the session as the person would, with the terminal restored."""

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager

from handrail.exit_codes import ExitCode

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ended_by_signals(leave: Callable[[ExitCode], None]) -> Generator[None]:
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, leave, ExitCode.INTERRUPTED)
    try:
        yield
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
