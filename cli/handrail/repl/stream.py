"""Cuts a streamed Markdown text into blocks that can be printed before the rest has come."""

import re

_FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})(.*)$")
_ITEM = re.compile(r"^([-*+]|\d{1,9}[.)])(\s|$)")
_TELLING = 12
"""So many characters of a line tell whether it is a list item."""
_SHALLOW = 4
"""A fence indented less stands outside any list."""


class TextStream:
    """One message. Its blocks, put together, are its text, whatever the pieces it comes in.

    A block ends at a blank line outside fences and lists, or with the fence that closes it.
    """

    def __init__(self) -> None:
        self._printed = ""
        self._lines: list[str] = []
        """The complete lines of the block that is not finished."""
        self._line = ""
        """The line that is not finished."""
        self._fence = ""
        self._in_list = False
        self._after_blank = False

    def feed(self, piece: str) -> str:
        """Takes the next piece and returns the blocks it finished, as one text."""
        finished: list[str] = []
        *lines, self._line = (self._line + piece).split("\n")
        for line in lines:
            if self._ends_before(line):
                finished.append(self._cut())
            if self._take(line):
                finished.append(self._cut())
        if len(self._line) >= _TELLING and self._ends_before(self._line):
            finished.append(self._cut())
        return "".join(finished)

    def finish(self, whole: str) -> str:
        """What of the whole text was not returned yet; all of it when it is another text."""
        return whole[len(self._printed) :] if whole.startswith(self._printed) else whole

    def tail(self, lines: int) -> str:
        """The end of what was not returned yet."""
        kept = self._lines[-lines:] if lines else []
        return "\n".join([*kept, self._line])

    def _ends_before(self, line: str) -> bool:
        if not self._after_blank or self._fence or not line.strip():
            return False
        return not (self._in_list and (line[0].isspace() or _ITEM.match(line)))

    def _take(self, line: str) -> bool:
        """Adds a complete line; True when the block ends with it."""
        self._lines.append(line)
        self._after_blank = not line.strip()
        if not self._fence and _ITEM.match(line):
            self._in_list = True
        return self._closes_fence(line)

    def _closes_fence(self, line: str) -> bool:
        match = _FENCE.match(line)
        if match is None:
            return False
        indent, marks, rest = match.groups()
        if not self._fence:
            if marks[0] == "~" or "`" not in rest:
                self._fence = marks
            return False
        if not marks.startswith(self._fence) or rest.strip():
            return False
        self._fence = ""
        return not self._in_list and len(indent) < _SHALLOW

    def _cut(self) -> str:
        block = "\n".join([*self._lines, ""])
        self._printed += block
        self._lines = []
        self._in_list = self._after_blank = False
        return block
