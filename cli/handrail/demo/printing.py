"""Lines the demo itself prints."""

import contextlib
from typing import TextIO


def print_lines(out: TextIO, *lines: str) -> None:
    """When nobody reads any more the demo goes on in silence."""
    with contextlib.suppress(BrokenPipeError):
        out.write("".join(f"{line}\n" for line in lines))
        out.flush()
