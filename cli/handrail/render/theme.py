"""The only place with colours: the terminal's own 16, so that light and dark ones stay readable."""

from collections.abc import Mapping
from typing import Literal

Paint = Literal["plain", "mono", "colour"]
"""No control sequences at all; bold and dim but no colour; the 16 colours."""

STYLES: Mapping[str, str] = {
    "person": "bold",
    "tool": "cyan",
    "what": "",
    "agent": "magenta",
    "quiet": "dim",
    "bad": "red",
    "decision": "yellow",
    "context": "magenta",
    "failure": "bold red",
    "added": "green",
    "removed": "red",
    "same": "",
    "gutter": "dim",
    "todo.done": "dim",
    "todo.now": "bold",
    "todo.later": "",
    "exact": "bold",
    "markdown.code": "cyan",
    "markdown.code_block": "cyan",
    "markdown.block_quote": "dim",
    "markdown.h1": "bold",
    "markdown.h2": "bold",
    "markdown.h3": "bold",
    "markdown.h4": "bold",
    "markdown.h5": "bold",
    "markdown.h6": "bold",
    "markdown.hr": "dim",
    "markdown.item.bullet": "dim",
    "markdown.item.number": "dim",
    "markdown.table.border": "dim",
    "markdown.table.header": "bold",
}
"""Rich styles by name."""

PROMPT_STYLES: Mapping[str, str] = {
    "status": "",
    "status.mode": "bold",
    "status.model": "",
    "status.sandbox": "",
    "status.context": "",
    "status.full": "ansired bold",
    "status.usage": "",
    "status.event": "ansimagenta",
    "tool": "ansicyan",
    "quiet": "dim",
    "key": "bold",
    "prompt": "bold",
    "failure": "ansired bold",
}
"""prompt_toolkit styles by class name."""


def paint_for(env: Mapping[str, str], *, is_terminal: bool) -> Paint:
    if not is_terminal or env.get("TERM") == "dumb":
        return "plain"
    return "mono" if env.get("NO_COLOR") else "colour"
