"""An emulated terminal screen with scrollback that answers when a program asks for the cursor."""

from collections.abc import Callable
from itertools import islice

import pyte
import pyte.modes
import pyte.screens

BRACKETED_PASTE = 2004 << 5
"""The key of bracketed paste in the emulator's set of private modes."""

SCROLLBACK_LINES = 100_000

Row = pyte.screens.StaticDefaultDict[int, pyte.screens.Char]


def row_text(row: Row) -> str:
    width = max(row, default=-1) + 1
    return "".join(row[column].data for column in range(width)).rstrip()


class EmulatedScreen(pyte.HistoryScreen):
    """Keeps what scrolls off, also when the window shrinks, and reports the cursor when asked."""

    def __init__(self, columns: int, lines: int, answer: Callable[[str], object]) -> None:
        self._answer = answer
        self._rendered: list[str] = []
        super().__init__(columns, lines, history=SCROLLBACK_LINES)

    def write_process_input(self, data: str) -> None:
        self._answer(data)

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        for row in range(self.lines - (lines or self.lines)):
            self.history.top.append(self.buffer[row])
        super().resize(lines, columns)

    def above(self) -> list[str]:
        """The lines that scrolled off, oldest first."""
        top = self.history.top
        if len(top) < len(self._rendered):
            self._rendered.clear()
        self._rendered += [row_text(row) for row in islice(top, len(self._rendered), None)]
        return self._rendered

    def visible(self) -> list[str]:
        return [row_text(self.buffer[row]) for row in range(self.lines)]

    def cells(self, text: str) -> list[pyte.screens.Char]:
        """The styled cells of the first place on the screen where `text` stands in one row."""
        for number in range(self.lines):
            row = self.buffer[number]
            start = row_text(row).find(text)
            if start >= 0:
                return [row[start + offset] for offset in range(len(text))]
        return []

    @property
    def cursor_shown(self) -> bool:
        return pyte.modes.DECTCEM in self.mode

    @property
    def bracketed_paste(self) -> bool:
        return BRACKETED_PASTE in self.mode
