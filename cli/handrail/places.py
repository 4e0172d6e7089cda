"""Where data lies: the home, its databases, the folders of projects and sessions; all private."""

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from handrail.errors import StorageError

ARTIFACT_KINDS = ("large_tool_results", "conversation_history", "tasks")
"""The folders of a session's artifacts."""

_DIRECTORY_MODE = 0o700
_SLUG_LENGTH = 32


@dataclass(frozen=True, slots=True)
class SessionPlaces:
    """The folder of one session."""

    folder: Path

    @property
    def artifacts(self) -> Path:
        return self.folder / "artifacts"


@dataclass(frozen=True, slots=True)
class Places:
    """Data under `home`, the user's settings under `config`. Reading a path creates nothing."""

    home: Path
    config: Path

    @property
    def user_db(self) -> Path:
        return self.home / "user.db"

    @property
    def user_memory_db(self) -> Path:
        """The framework's file: see docs/adr/0002."""
        return self.home / "memories.db"

    @property
    def settings_file(self) -> Path:
        return self.config / "config.toml"

    @property
    def keys(self) -> Path:
        """The folder of the key files."""
        return self.config / "keys"

    @property
    def crash_reports(self) -> Path:
        return self.home / "crashes"

    def project_folder(self, project: Path) -> Path:
        """Unique for the project's real path, with a readable start."""
        real = os.fsencode(os.path.realpath(project))
        slug = re.sub(r"[^A-Za-z0-9.-]+", "-", project.name).strip("-.")[:_SLUG_LENGTH] or "root"
        digest = hashlib.sha256(real).hexdigest()[:12]
        return self.home / "projects" / f"{slug}-{digest}"

    def project_db(self, project: Path) -> Path:
        return self.project_folder(project) / "project.db"

    def threads_db(self, project: Path) -> Path:
        """The framework's file for a project's threads and memories: see docs/adr/0002."""
        return self.project_folder(project) / "threads.db"

    def session(self, session_id: str) -> SessionPlaces:
        return SessionPlaces(self.home / "sessions" / session_id)

    def make_home(self) -> None:
        _make_private(self.home, self.home)

    def make_project(self, project: Path) -> Path:
        """Create the project's folder and return it."""
        return _make_private(self.project_folder(project), self.home)

    def make_session(self, session_id: str) -> SessionPlaces:
        """Create the session's folder with a folder for each kind of artifact."""
        session = self.session(session_id)
        for kind in ARTIFACT_KINDS:
            _make_private(session.artifacts / kind, self.home)
        return session

    def make_config(self) -> None:
        _make_private(self.config, self.config)

    def make_keys(self) -> Path:
        return _make_private(self.keys, self.config)

    def make_crash_reports(self) -> Path:
        return _make_private(self.crash_reports, self.home)


def find_places(environ: Mapping[str, str]) -> Places:
    """`HANDRAIL_HOME` holds data and settings when it is set, else the platform's folders do."""
    moved = environ.get("HANDRAIL_HOME")
    if moved:
        home = Path(os.path.abspath(_expanded(moved)))  # noqa: PTH100 - a linked home stays as written
        return Places(home=home, config=home)
    return Places(
        home=platformdirs.user_data_path("handrail", appauthor=False),
        config=platformdirs.user_config_path("handrail", appauthor=False),
    )


def _expanded(folder: str) -> Path:
    try:
        return Path(folder).expanduser()
    except RuntimeError as error:
        raise StorageError(
            f"HANDRAIL_HOME is {folder}, and that user's home folder is not known.",
            hint="Set HANDRAIL_HOME to a full path.",
        ) from error


def _make_private(folder: Path, home: Path) -> Path:
    """Create `folder` and what is missing above it.

    Folders below the home are ours and are closed to others even when they were open; the home
    itself may be a folder the person shares, so only a new one gets the mode.
    """
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        _make_one(home, ours=False)
        current = home
        for part in folder.relative_to(home).parts:
            current /= part
            _make_one(current, ours=True)
    except OSError as error:
        raise StorageError(
            f"The data folder {folder} cannot be created: {error.strerror or error}.",
            hint="Make it writable, or set HANDRAIL_HOME to a folder that is.",
        ) from error
    return folder


def _make_one(folder: Path, *, ours: bool) -> None:
    try:
        folder.mkdir(mode=_DIRECTORY_MODE)
    except FileExistsError:
        if not folder.is_dir():
            raise
        if not ours or folder.stat().st_mode & 0o777 == _DIRECTORY_MODE:
            return
    folder.chmod(_DIRECTORY_MODE)
