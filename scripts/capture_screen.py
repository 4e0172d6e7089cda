"""Draws docs/screen.svg, the README's picture, from the running demo in an emulated terminal.

Usage: .venv/bin/python -m scripts.capture_screen
"""

import sys
import tempfile
from html import escape
from pathlib import Path

import pyte.screens

from tests.support.scratch import AGENT, AgentHome
from tests.support.workplace import AgentTerminal

COLUMNS, LINES = 96, 34
CELL_WIDTH, LINE_HEIGHT, MARGIN = 8.4, 18, 16
INK, PAPER = "#d6d9de", "#16181d"
COLOURS = {
    "default": INK,
    "black": "#5c6370",
    "red": "#ef6b73",
    "green": "#8fc379",
    "brown": "#e3bd72",
    "blue": "#6ab0f3",
    "magenta": "#c580e0",
    "cyan": "#5ebac6",
    "white": INK,
    "brightblack": "#7d8590",
}


def main() -> int:
    target = Path(__file__).parent.parent / "docs" / "screen.svg"
    with tempfile.TemporaryDirectory(prefix="capture-") as folder:
        rows = _capture(Path(folder))
    target.write_text(_svg(rows), encoding="utf-8")
    print(f"wrote {target}")
    return 0


def _capture(folder: Path) -> list[list[pyte.screens.Char]]:
    """The screen at the demo's first edit, waiting for a decision."""
    home = AgentHome(folder / "home")
    home.folder.mkdir()
    env = home.env(TMPDIR=str(folder))
    command = [str(AGENT), "demo"]
    with AgentTerminal(command, env=env, cwd=folder, size=(LINES, COLUMNS)) as terminal:
        terminal.wait_approval("$ python3 -m unittest")
        terminal.answer("y")
        terminal.wait_approval("+         return float(duration[:-2])")
        buffer = terminal.emulated.buffer
        return [[buffer[row][column] for column in range(COLUMNS)] for row in range(LINES)]


def _svg(rows: list[list[pyte.screens.Char]]) -> str:
    width = COLUMNS * CELL_WIDTH + 2 * MARGIN
    height = len(rows) * LINE_HEIGHT + 2 * MARGIN
    lines = [_line(row, MARGIN + (n + 1) * LINE_HEIGHT - 5) for n, row in enumerate(rows)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        ' font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" role="img">\n'
        "<title>An edit waits for a decision in Handrail's terminal</title>\n"
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>\n'
        + "\n".join(line for line in lines if line)
        + "\n</svg>\n"
    )


def _line(row: list[pyte.screens.Char], y: int) -> str:
    parts: list[str] = []
    start = 0
    while start < len(row):
        end = start + 1
        while end < len(row) and _style(row[end]) == _style(row[start]):
            end += 1
        text = "".join(cell.data for cell in row[start:end])
        if text.strip() or row[start].reverse:
            parts.append(_run(text, row[start], start, y))
        start = end
    return "".join(parts)


def _style(cell: pyte.screens.Char) -> tuple[object, ...]:
    return cell.fg, cell.bg, cell.bold, cell.reverse


def _run(text: str, cell: pyte.screens.Char, column: int, y: int) -> str:
    x, length = MARGIN + column * CELL_WIDTH, len(text) * CELL_WIDTH
    ink = COLOURS.get(cell.fg, f"#{cell.fg}" if len(cell.fg) == 6 else INK)
    box = ""
    if cell.reverse:
        box = (
            f'<rect x="{x:.1f}" y="{y - 13}" width="{length:.1f}" height="{LINE_HEIGHT}"'
            f' fill="{ink}"/>'
        )
        ink = PAPER
    weight = ' font-weight="bold"' if cell.bold else ""
    return (
        f'{box}<text x="{x:.1f}" y="{y}" fill="{ink}"{weight} textLength="{length:.1f}"'
        f' xml:space="preserve">{escape(text)}</text>'
    )


if __name__ == "__main__":
    sys.exit(main())
