"""Says which requests were slow."""

from typing import Iterable, List

from logbook.parse import Entry

SLOW_MS = 1000


def slow(entries: Iterable[Entry]) -> List[Entry]:
    """Return the requests that took longer than a second, the slowest first."""
    found = [entry for entry in entries if entry.milliseconds > SLOW_MS]
    return sorted(found, key=lambda entry: entry.milliseconds, reverse=True)


def summary(entries: Iterable[Entry]) -> str:
    """Return one line about all requests."""
    entries = list(entries)
    failed = sum(entry.status >= 500 for entry in entries)
    return f"{len(entries)} requests, {failed} failed, {len(slow(entries))} took longer than a second"
