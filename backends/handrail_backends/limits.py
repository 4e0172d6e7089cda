"""The one rule for what is too long: head and tail stay, a line says what is missing between."""

from typing import Literal

MAX_UTF8_LENGTH = 4


def shorten(text: str, max_chars: int) -> str:
    """Keeps `max_chars` characters of `text`, half of them from its end; the line comes on top."""
    if len(text) <= max_chars:
        return text
    tail_chars = max_chars // 2
    head_chars = max_chars - tail_chars
    left_out = len(text) - max_chars
    return _joined(text[:head_chars], text[len(text) - tail_chars :], left_out, "characters")


def shorten_bytes(data: bytes, max_bytes: int) -> str:
    """The same in bytes. What is not UTF-8 is replaced, and no character is cut in two."""
    collected = Collector(max_bytes)
    collected.feed(data)
    return collected.text()


class Collector:
    """Keeps head and tail of a stream of any length, in at most twice `max_bytes` of memory."""

    def __init__(self, max_bytes: int) -> None:
        self._tail_size = max_bytes // 2
        self._head_size = max_bytes - self._tail_size
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0
        """Bytes seen so far, kept or not."""

    def feed(self, chunk: bytes) -> None:
        self.total += len(chunk)
        room = self._head_size - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:][-self._tail_size :] if self._tail_size else b""
        if len(self._tail) > 2 * self._tail_size:
            self._drop_old_tail()

    @property
    def is_cut(self) -> bool:
        return self.total > self._head_size + self._tail_size

    def text(self) -> str:
        self._drop_old_tail()
        if not self.is_cut:
            return (self._head + self._tail).decode("utf-8", "replace")
        head = _without_cut_end(bytes(self._head))
        tail = _without_cut_start(bytes(self._tail))
        left_out = self.total - len(head) - len(tail)
        return _joined(
            head.decode("utf-8", "replace"), tail.decode("utf-8", "replace"), left_out, "bytes"
        )

    def _drop_old_tail(self) -> None:
        del self._tail[: max(0, len(self._tail) - self._tail_size)]


def _joined(head: str, tail: str, left_out: int, unit: Literal["bytes", "characters"]) -> str:
    line_end = "" if not head or head.endswith("\n") else "\n"
    return f"{head}{line_end}[... {left_out:,} {unit} left out ...]\n{tail}"


def _without_cut_end(data: bytes) -> bytes:
    """Drops a character whose last bytes are missing."""
    for length in range(1, min(MAX_UTF8_LENGTH, len(data) + 1)):
        byte = data[-length]
        if byte < 0x80:
            return data
        if byte >= 0xC0:
            return data if _length_of_character(byte) <= length else data[:-length]
    return data


def _without_cut_start(data: bytes) -> bytes:
    """Drops what is left of a character whose first byte is missing."""
    start = 0
    while start < min(MAX_UTF8_LENGTH - 1, len(data)) and 0x80 <= data[start] < 0xC0:
        start += 1
    return data[start:]


def _length_of_character(first_byte: int) -> int:
    if first_byte >= 0xF0:
        return 4
    return 3 if first_byte >= 0xE0 else 2
