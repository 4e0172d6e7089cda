"""A copy of the sample project in a temporary git repository, with a data folder of its own."""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from handrail.errors import HandrailError, StorageError
from handrail.places import Places

_PACKAGE = Path(__file__).parent
_PACE = re.compile(r"^pace:.*\n", re.MULTILINE)
_GIT_SECONDS = 30
_GIT_CONFIG = {
    "user.name": "Handrail demo",
    "user.email": "demo@handrail.invalid",
    "init.defaultBranch": "main",
    "commit.gpgSign": "false",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.autocrlf": "false",
}


@dataclass(frozen=True, slots=True)
class Sample:
    """Everything lies below `folder`; nothing else of the person's is read or written."""

    folder: Path

    @property
    def project(self) -> Path:
        return self.folder / "logbook"

    @property
    def script(self) -> Path:
        return self.folder / "demo.yaml"

    @property
    def decisions(self) -> Path:
        return _PACKAGE / "decisions.yaml"

    @property
    def places(self) -> Places:
        data = self.folder / "data"
        return Places(home=data, config=data)


def make_sample(*, paced: bool) -> Sample:
    """`paced` lets the model speak at a pace to read at. Raises `HandrailError`."""
    try:
        # The real path: a link such as macOS has in /tmp would make two names for every file.
        folder = Path(tempfile.mkdtemp(prefix="handrail-demo-")).resolve()
        sample = Sample(folder)
        _copy(_PACKAGE / "project", sample.project)
        script = (_PACKAGE / "script.yaml").read_text("utf-8")
        sample.script.write_text(script if paced else _PACE.sub("", script), "utf-8")
    except OSError as error:
        raise StorageError(
            f"The sample project cannot be copied to {tempfile.gettempdir()}: "
            f"{error.strerror or error}.",
            hint="Make room there, or set TMPDIR to a folder that can be written.",
        ) from error
    _commit(sample)
    return sample


def _copy(source: Path, target: Path) -> None:
    """The contents alone: an installed package may be read-only, and holds compiled modules."""
    for file in source.rglob("*"):
        if file.is_file() and file.parent.name != "__pycache__":
            copy = target / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)


def _commit(sample: Sample) -> None:
    _git(sample, "init", "--quiet", "--template=")
    _git(sample, "add", "--all")
    _git(sample, "commit", "--quiet", "--no-verify", "--message", "The logbook as it was found")


def _git(sample: Sample, *arguments: str) -> None:
    """Run git without the person's settings, hooks, templates, keys and variables."""
    settings = [part for key, value in _GIT_CONFIG.items() for part in ("-c", f"{key}={value}")]
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(sample.folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
    }
    try:
        done = subprocess.run(
            ["git", *settings, *arguments],  # noqa: S607  # the person's own git
            cwd=sample.project,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise HandrailError(
            "The demo needs git, and there is no `git` on the PATH.",
            hint="Install git and start the demo again.",
        ) from error
    except subprocess.TimeoutExpired as error:
        raise _failed(arguments[0], f"no answer within {_GIT_SECONDS} seconds") from error
    if done.returncode != 0:
        raise _failed(arguments[0], done.stderr.decode("utf-8", "replace"))


def _failed(command: str, why: str) -> HandrailError:
    reason = " ".join(why.split()) or "no reason given"
    return HandrailError(f"The demo's repository cannot be made: `git {command}` failed: {reason}")
