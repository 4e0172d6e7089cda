"""Breaks sanitised lines at the width of the screen."""

from handrail.render.fit import cells, fold


def wrap(line: str, width: int) -> list[str]:
    """Broken at blanks where that is possible; the blank at a break is left out."""
    pieces: list[str] = []
    rest = line
    while cells(rest) > width:
        head = fold(rest, width)[0]
        blank = head.rfind(" ")
        cut = blank if blank > 0 and rest[len(head) : len(head) + 1] != " " else len(head)
        pieces.append(rest[:cut])
        rest = rest[cut:].removeprefix(" ")
    return [*pieces, rest]
