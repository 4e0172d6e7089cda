"""Faults in the event loop's own callbacks are told instead of printed across the screen."""

import asyncio
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager


@contextmanager
def faults_to(tell: Callable[[str], None]) -> Generator[None]:
    """Each fault once: one in the drawing comes back with every drawing."""
    loop = asyncio.get_running_loop()
    told: set[str] = set()

    def handle(_: asyncio.AbstractEventLoop, context: Mapping[str, object]) -> None:
        fault = repr(context.get("exception") or context.get("message"))
        if fault not in told:
            told.add(fault)
            tell(fault)

    before = loop.get_exception_handler()
    loop.set_exception_handler(handle)
    try:
        yield
    finally:
        loop.set_exception_handler(before)
