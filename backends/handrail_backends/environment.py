"""The environment of commands, made from the user's: by a list of names, so no secret slips in."""

import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from handrail_backends.variables import NAMES, NOBODY_ANSWERS, PREFIXES

DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
CREDENTIALS_IN_URL = re.compile(r"://[^/\s]*@")


def command_environment(
    environ: Mapping[str, str],
    *,
    project: Path,
    extra: Collection[str] = (),
    own_venv: Path | None = None,
) -> dict[str, str]:
    """`extra` names what the user lets through whatever it holds.

    `own_venv` is the virtual environment this program runs in. Its `python` is hidden from commands
    unless the user activated it or keeps it in the project.
    """
    hidden = own_venv if own_venv and not _is_the_users(own_venv, environ, project) else None
    named = {name: environ[name] for name in extra if name in environ}
    passed = {name: value for name, value in environ.items() if _passes(name, value)}
    if hidden is not None and _is_same(passed.get("VIRTUAL_ENV", ""), hidden):
        passed.pop("VIRTUAL_ENV")
    path = {"PATH": os.pathsep.join(_path_entries(environ.get("PATH", DEFAULT_PATH), hidden))}
    return {**passed, **path, **NOBODY_ANSWERS, **named}


def running_venv() -> Path | None:
    """The virtual environment of this interpreter, if it is in one."""
    return Path(sys.prefix) if sys.prefix != sys.base_prefix else None


def _passes(name: str, value: str) -> bool:
    allowed = name in NAMES or name.startswith(PREFIXES)
    return allowed and CREDENTIALS_IN_URL.search(value) is None


def _is_the_users(venv: Path, environ: Mapping[str, str], project: Path) -> bool:
    """`activate` sets a prompt, which launchers that merely run a program there do not."""
    activated = "VIRTUAL_ENV_PROMPT" in environ and _is_same(environ.get("VIRTUAL_ENV", ""), venv)
    return activated or venv.resolve().is_relative_to(project.resolve())


def _is_same(path: str, other: Path) -> bool:
    return bool(path) and Path(path).resolve() == other.resolve()


def _path_entries(path: str, hidden_venv: Path | None) -> Iterator[str]:
    """Without relative entries, with which a project could put itself in place of `ls` or `git`."""
    for entry in path.split(os.pathsep):
        if not Path(entry).is_absolute():
            continue
        if hidden_venv is None or not _is_same(entry, hidden_venv / "bin"):
            yield entry
