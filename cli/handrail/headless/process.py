"""A run in this process: its streams, its signals, its exit code."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TypeVar

from handrail.exit_codes import ExitCode
from handrail.headless.ending import Ending
from handrail.headless.order import Order
from handrail.headless.outlet import Outlet
from handrail.headless.presentation import AsLines, AsText
from handrail.headless.run import Run
from handrail.headless.signals import ended_by_signals
from handrail.sessions.conversation import Conversation

_FLUSH_S = 1.0
"""How long an ended run still tries to write."""

T = TypeVar("T")
Tell = Callable[[str], None]


async def run_in_process(
    order: Order,
    prompt: str,
    root: str,
    open_session: Callable[[Tell], Coroutine[None, None, Conversation]],
) -> ExitCode:
    """Raises `HandrailError` when no session can be opened."""
    going = _Going()
    ending = Ending(going.abandon)
    out, err = Outlet(1, ending.cannot_write), Outlet(2)
    shown = (AsLines if order.output == "jsonl" else AsText)(out.put, err.put)
    run = Run(order, shown, ending, root)
    with ended_by_signals(ending.end):
        if order.seconds is not None:
            ending.end_after(order.seconds)
        try:
            code = await going.until_abandoned(run.work(prompt, open_session(shown.tell)))
        except BaseException:
            await _close(err, _FLUSH_S)
            raise
        finally:
            ending.work_is_over()
        code = run.finish(ending.code_or(code))
        limit_s = None if ending.code is None else _FLUSH_S
        await going.until_abandoned(_close(out, limit_s))
        run.tell_lost_output()
        await going.until_abandoned(_close(err, limit_s))
    return ending.code_or(code)


async def _close(outlet: Outlet, limit_s: float | None) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_s):
            await outlet.close()


class _Going:
    """What is awaited now and can be given up."""

    def __init__(self) -> None:
        self._abandoned = False
        self._cancel: Callable[[], object] | None = None

    def abandon(self) -> None:
        self._abandoned = True
        if self._cancel is not None:
            self._cancel()

    async def until_abandoned(self, work: Coroutine[None, None, T]) -> T | None:
        task = asyncio.create_task(work)
        self._cancel = task.cancel
        try:
            return await task
        except asyncio.CancelledError:
            if not self._abandoned:
                raise
            return None
