"""Reads log lines such as `2025-03-14 09:26:53 INFO GET /tea 200 took=250ms`."""

import re
from datetime import datetime
from typing import NamedTuple

LINE = re.compile(r"(\S+ \S+) (\w+) (\w+) (\S+) (\d{3}) took=(\S+)")


class Entry(NamedTuple):
    """One request."""

    time: datetime
    level: str
    method: str
    path: str
    status: int
    milliseconds: float


def parse_line(line: str) -> Entry:
    """Return the request of a line; raise ValueError if it is not a log line."""
    match = LINE.fullmatch(line.strip())
    if match is None:
        raise ValueError(f"not a log line: {line!r}")
    time, level, method, path, status, took = match.groups()
    when = datetime.strptime(time, "%Y-%m-%d %H:%M:%S")
    return Entry(when, level, method, path, int(status), milliseconds(took))


def milliseconds(duration: str) -> float:
    """Return the length of a duration such as `250ms` or `1.2s`."""
    return float(duration.rstrip("ms"))
