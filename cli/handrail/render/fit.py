"""Text cut to a number of terminal cells."""

from rich.cells import get_character_cell_size

ELLIPSIS = "…"


def cells(text: str) -> int:
    """The cells of sanitised text, each character on its own: never less than a terminal uses."""
    return len(text) if text.isascii() else sum(map(get_character_cell_size, text))


def cut_end(text: str, width: int) -> str:
    """The start of the text and an ellipsis when it is longer than the width."""
    if cells(text) <= width:
        return text
    return _head(text, width - 1) + ELLIPSIS if width > 0 else ""


def cut_start(text: str, width: int) -> str:
    """An ellipsis and the end of the text when it is longer than the width."""
    if cells(text) <= width:
        return text
    return ELLIPSIS + _head(text[::-1], width - 1)[::-1] if width > 0 else ""


def cut_path(path: str, width: int) -> str:
    """The path shortened in its middle; of its end, the name is the last to go."""
    if cells(path) <= width:
        return path
    folder, slash, name = path.rpartition("/")
    room = width - cells(name) - 2
    if not slash or room < 0:
        return cut_start(path, width)
    return f"{_head(folder, room)}{ELLIPSIS}/{name}"


def fold(text: str, width: int) -> list[str]:
    """Pieces of at most `width` cells, but at least 2, that put together are the text."""
    width = max(width, 2)
    if text.isascii():
        return [text[start : start + width] for start in range(0, len(text) or 1, width)]
    pieces: list[str] = []
    start = used = 0
    for index, character in enumerate(text):
        size = get_character_cell_size(character)
        if used + size > width:
            pieces.append(text[start:index])
            start, used = index, 0
        used += size
    return [*pieces, text[start:]]


def _head(text: str, width: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += get_character_cell_size(character)
        if used > width:
            return text[:index]
    return text
