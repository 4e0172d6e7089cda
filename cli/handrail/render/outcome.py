"""How a call went, in a few words. Everything returned is sanitised and on one line."""

import re
from ast import literal_eval
from collections.abc import Callable, Mapping
from typing import cast

from handrail.events import CallFinished
from handrail.render.amounts import plural, size
from handrail.render.sanitise import sanitise_line

_READ_HEADER = re.compile(r"^@@ lines (\d{1,9})-(\d{1,9})(?: of (\d{1,9}))?[^\n]*@@$", re.MULTILINE)
_REPLACED = re.compile(r"replaced (\d{1,9}) instance")
_MATCH = re.compile(r"^  \d+: ", re.MULTILINE)
_COUNT = re.compile(r": (\d{1,9})$", re.MULTILINE)
_MAX_LIST = 200_000


def outcome(event: CallFinished) -> str:
    """`4 matches in 2 files`, `exit 1`, `failed: no such file`."""
    if event.exit_code is not None:
        return f"exit {event.exit_code}"
    if not event.ok:
        return f"failed: {reason(event.text)}"
    say = _OUTCOMES.get(event.call.name)
    return "done" if say is None else say(event)


def reason(text: str) -> str:
    """The first line of an error, without the word."""
    first = next((line for line in text.splitlines() if line.strip()), "no reason given")
    return sanitise_line(first.strip().removeprefix("Error: "))


def _written(event: CallFinished) -> str:
    args = event.call.args
    if event.call.name == "write_file":
        return plural(_line_count(str(args.get("content", ""))), "line") + " written"
    match = _REPLACED.search(event.text)
    return "replaced" if match is None else plural(int(match[1]), "replacement")


def _line_count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _read(event: CallFinished) -> str:
    match = _READ_HEADER.search(event.text)
    if match is None:
        return size(len(event.text.encode("utf-8", "replace")))
    first, last, total = (int(group) if group else None for group in match.groups())
    count = (last or 0) - (first or 0) + 1
    if total is None or total == count:
        return plural(count, "line")
    return f"{count} of {plural(total, 'line')}"


def _found(event: CallFinished) -> str:
    """Counts in the three forms a search answers with."""
    body = event.text.split("\n\n", 1)[0]
    if body.startswith("No matches found") or not body.strip():
        return "no matches"
    lines = body.split("\n")
    mode = event.call.args.get("output_mode", "files_with_matches")
    if mode == "content":
        files = sum(line.endswith(":") and not line.startswith(" ") for line in lines)
        return f"{plural(len(_MATCH.findall(body)), 'match', 'matches')} in {plural(files, 'file')}"
    if mode == "count":
        found = sum(int(count) for count in _COUNT.findall(body))
        return f"{plural(found, 'match', 'matches')} in {plural(len(lines), 'file')}"
    return plural(len(lines), "file")


def _listed(event: CallFinished) -> str:
    body = event.text.split("\n\n", 1)[0]
    if body.startswith("No files found"):
        return "nothing"
    try:
        found: object = literal_eval(body) if len(body) <= _MAX_LIST else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return "done"
    if not isinstance(found, list):
        return "done"
    return plural(len(cast("list[object]", found)), "entry", "entries")


_OUTCOMES: Mapping[str, Callable[[CallFinished], str]] = {
    "delete": lambda _: "deleted",
    "edit_file": _written,
    "glob": _listed,
    "grep": _found,
    "ls": _listed,
    "read_file": _read,
    "write_file": _written,
}
