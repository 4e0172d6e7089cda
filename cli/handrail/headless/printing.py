"""A turn as plain text for what is no terminal: no colour, no redraw, each change a line."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TextIO

from handrail.events import Event
from handrail.render.console import to_ansi
from handrail.render.renderer import Renderer

_WIDTH = 100


async def print_turn(
    events: AsyncIterator[Event],
    out: TextIO,
    *,
    renderer: Renderer | None = None,
    width: int = _WIDTH,
    on_closed: Callable[[], None] | None = None,
) -> Event | None:
    """Print the events and return the last one.

    When nobody reads any more, `on_closed` is called once and the rest passes in silence.
    """
    renderer = renderer or Renderer()
    last: Event | None = None
    is_open = True
    async for last in events:
        text = to_ansi(renderer.render(last), width, "plain") if is_open else ""
        if text and not _write(out, text):
            is_open = False
            if on_closed is not None:
                on_closed()
    return last


def _write(out: TextIO, text: str) -> bool:
    encoding = out.encoding or "utf-8"
    try:
        out.write(text.encode(encoding, "backslashreplace").decode(encoding))
        out.flush()
    except OSError:
        _silence(out)
        return False
    return True


def _silence(out: TextIO) -> None:
    """Point the closed stream at nothing, so that what is still written to it does not fail."""
    with suppress(OSError):
        descriptor = out.fileno()
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, descriptor)
        os.close(nothing)
