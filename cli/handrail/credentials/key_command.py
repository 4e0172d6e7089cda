"""Runs the person's command that prints a key: without a shell, within a time, unseen."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress

from handrail.credentials.key_files import checked
from handrail.credentials.providers import PROVIDERS
from handrail.credentials.secret import Secret, without_secrets
from handrail.errors import ModelError

TIME_LIMIT_S = 30.0
_LONGEST = 300


def run_key_command(
    command: Sequence[str],
    setting: str,
    environ: Mapping[str, str],
    *,
    time_limit_s: float = TIME_LIMIT_S,
) -> Secret:
    """The key is its standard output. Raises `ModelError` with its standard error."""
    try:
        process = subprocess.Popen(
            list(command),
            env=_without_keys(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # it cannot ask on the terminal the screen is drawn on
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "not a command"
        raise _failed(setting, f"could not be started: {why}") from error
    with process:
        try:
            output, complaint = process.communicate(timeout=time_limit_s)
        except subprocess.TimeoutExpired as late:
            _end_group(process)
            raise _failed(setting, f"took longer than {time_limit_s:g} seconds") from late
    if process.returncode != 0:
        raise _failed(setting, f"ended with code {process.returncode}{_shown(complaint)}")
    return checked(output, f"the command of {setting}")


def _failed(setting: str, why: str) -> ModelError:
    return ModelError(
        f"There is no key: the command of the setting {setting} {why}.",
        hint="Run that command yourself to see what it needs.",
    )


def _shown(complaint: bytes) -> str:
    text = without_secrets(" ".join(complaint.decode("utf-8", "replace").split()))
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return f" and said: {text}" if text else ""


def _without_keys(environ: Mapping[str, str]) -> dict[str, str]:
    """It fetches one key and needs none of the others."""
    known = {name for provider in PROVIDERS.values() for name in provider.key_variables}
    return {name: value for name, value in environ.items() if name not in known}


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
