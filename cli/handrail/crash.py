"""What happens to an error nobody expected: a report in a file, a paragraph on the screen."""

import os
import platform
import traceback
from datetime import datetime
from pathlib import Path

from handrail import __version__
from handrail.credentials.secret import without_secrets
from handrail.errors import HandrailError
from handrail.places import Places, find_places


class CrashError(HandrailError):
    """An error of the program itself."""


def crashed(error: BaseException) -> CrashError:
    """The error to show in place of `error`, whose traceback goes to a file."""
    what = f"Handrail stopped because of an error of its own ({type(error).__name__})."
    return CrashError(f"{what} Finished turns are kept.", hint=report(error))


def report(error: BaseException) -> str:
    """Write the traceback into a file and say where it is."""
    try:
        file = _write_report(error, find_places(os.environ))
    except (HandrailError, OSError):
        return "The report of it could not be written."
    return f"A report for the developers is in {file}."


def _write_report(error: BaseException, places: Places) -> Path:
    now = datetime.now().astimezone()
    name = f"{now.strftime('%Y-%m-%d-%H%M%S')}-{os.getpid()}.txt"
    file = places.make_crash_reports() / name
    lines = [
        f"Handrail {__version__}, Python {platform.python_version()}, {platform.platform()}\n",
        f"{now.isoformat()}\n\n",
        without_secrets("".join(traceback.format_exception(error))),
    ]
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as stream:
        os.fchmod(descriptor, 0o600)
        stream.writelines(lines)
    return file
