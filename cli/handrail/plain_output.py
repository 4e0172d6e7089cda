"""Lines on standard output and standard error, for the commands that need no screen."""

import os
import sys

import typer

from handrail.errors import HandrailError
from handrail.render.sanitise import sanitise


def print_text(text: str, *, error: bool = False) -> None:
    """Untrusted text obeys nothing. Raises `BrokenPipeError` when nobody reads any more."""
    try:
        typer.echo(sanitise(text.rstrip()), err=error)
    except BrokenPipeError:
        raise
    except OSError as failed:
        raise HandrailError(f"The output cannot be written: {failed.strerror}.") from failed


def flush_output() -> bool:
    """False when it could not be written. The interpreter then has nothing left to complain of."""
    try:
        if sys.stdout is not None:  # closed before the start
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return False
    return True
