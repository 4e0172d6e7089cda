"""Shares the screen's rows out, so that what is drawn at the bottom never exceeds the screen."""

from dataclasses import dataclass

MAX_INPUT_ROWS = 10
_WAITING_ROWS = 3
_MENU_ROWS = 8
_LIVE_ROWS = 16
_FIXED_ROWS = 3
"""A blank row, the hint above the input, the status line."""


@dataclass(frozen=True, slots=True)
class Need:
    """The rows the parts would like."""

    panel: bool = False
    input: int = 1
    waiting: int = 0
    menu: int = 0


@dataclass(frozen=True, slots=True)
class Space:
    """The most rows each part may take."""

    live: int
    panel: int
    waiting: int
    input: int
    menu: int


def share_out(rows: int, need: Need) -> Space:
    """What is typed and what waits come first; panel or live region take what is left."""
    free = max(rows - _FIXED_ROWS, 2)
    typed = max(1, min(need.input, MAX_INPUT_ROWS, free // (3 if need.panel else 2)))
    waiting = min(need.waiting, _WAITING_ROWS, free // 5)
    menu = 0 if need.panel else min(need.menu, _MENU_ROWS, max(0, free - typed - waiting - 1))
    left = max(1, free - typed - waiting - menu)
    return Space(
        live=0 if need.panel else min(_LIVE_ROWS, left),
        panel=left if need.panel else 0,
        waiting=waiting,
        input=typed,
        menu=menu,
    )
