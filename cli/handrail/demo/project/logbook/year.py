"""Prints a year of sample lines, always the same ones, and the report on them."""

from datetime import datetime, timedelta
from typing import Iterator

from logbook.parse import parse_line
from logbook.report import summary

PATHS = ["/", "/tea", "/tea/green", "/tea/oolong", "/cups", "/basket", "/checkout", "/search"]
REQUESTS = 1800


def lines() -> Iterator[str]:
    """Yield the lines in the order of their time."""
    time = datetime(2025, 1, 1)
    state = 2025
    for _ in range(REQUESTS):
        state = (state * 1103515245 + 12345) % 2**31
        time += timedelta(seconds=16000 + state % 3000)
        path = PATHS[state // 7 % len(PATHS)]
        status = 503 if state % 97 == 0 else 200
        level = "ERROR" if status == 503 else "INFO"
        took = 40 + state // 11 % 400
        if path == "/search" and state % 5 == 0:
            took += 900
        duration = f"{took / 1000:.2f}s" if took >= 1000 else f"{took}ms"
        yield f"{time} {level} GET {path} {status} took={duration}"


if __name__ == "__main__":
    sample = list(lines())
    print("\n".join(sample))
    print(summary(map(parse_line, sample)))
