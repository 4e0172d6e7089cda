"""What can end a run from outside: a signal, its time, a reader that left."""

import asyncio
from collections.abc import Callable

from handrail.exit_codes import ExitCode

_STOP_S = 5.0
"""How long a stopped turn may take to end."""


class Ending:
    """The first reason counts. It stops the turn; a second one, or too long a stop, ends all."""

    def __init__(self, abandon: Callable[[], object]) -> None:
        self.code: ExitCode | None = None
        self.error: OSError | None = None
        """Why the output cannot be written."""
        self._abandon = abandon
        self._stop: Callable[[], None] | None = None
        self._loop = asyncio.get_running_loop()
        self._timers: list[asyncio.TimerHandle] = []

    def code_or(self, code: ExitCode | None) -> ExitCode:
        """Why it ended; `code`, None for none, when nothing but its own work ended it."""
        if self.code is not None:
            return self.code
        return ExitCode.FAILURE if code is None else code

    def end(self, code: ExitCode) -> None:
        if self.code is not None:
            self._abandon()
            return
        self.code = code
        if self._stop is None:
            self._abandon()
        else:
            self._stop()
            self._timers.append(self._loop.call_later(_STOP_S, self._abandon))

    def end_after(self, seconds: float) -> None:
        self._timers.append(self._loop.call_later(seconds, self._time_is_up))

    def cannot_write(self, error: OSError) -> None:
        if self.code is None:
            self.error = error
            self.end(ExitCode.UNREAD if isinstance(error, BrokenPipeError) else ExitCode.FAILURE)

    def stops_with(self, stop: Callable[[], None]) -> None:
        """Until then there is nothing but to abandon the work."""
        self._stop = stop

    def stop_again(self) -> None:
        """A turn forgets a stop that came before its start."""
        if self.code is not None and self._stop is not None:
            self._stop()

    def work_is_over(self) -> None:
        """Nothing has to be stopped any more: from now on an end only abandons."""
        self._stop = None
        for timer in self._timers:
            timer.cancel()

    def _time_is_up(self) -> None:
        if self.code is None:
            self.end(ExitCode.CAPPED)
