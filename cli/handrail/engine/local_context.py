"""What the model is told of the project: folder, branch, changes, languages, a short listing.

The listing alone keeps small models from inventing paths. Git is asked in a way that runs nothing
of the repository's own: no hooks, no file-system monitor, no external diff, no filters.
"""

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from handrail_backends.limits import shorten

_LANGUAGES = {
    "c": "C", "cc": "C++", "cpp": "C++", "cs": "C#", "css": "CSS", "dart": "Dart", "ex": "Elixir",
    "go": "Go", "h": "C", "hs": "Haskell", "html": "HTML", "java": "Java", "jl": "Julia",
    "js": "JavaScript", "jsx": "JavaScript", "kt": "Kotlin", "lua": "Lua", "php": "PHP",
    "pl": "Perl", "py": "Python", "r": "R", "rb": "Ruby", "rs": "Rust", "scala": "Scala",
    "sh": "shell", "sql": "SQL", "swift": "Swift", "ts": "TypeScript", "tsx": "TypeScript",
    "vue": "Vue", "zig": "Zig",
}  # fmt: skip
_MOST_FILES = 60
_MOST_CHANGES = 20
_LONGEST_NOTES = 32_000
_MOST_NOTES_BYTES = 1_000_000
_GIT_SECONDS = 3
_WALK_LIMIT = 5_000

_HARDENED = {
    "safe.bareRepository": "explicit",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "diff.external": "",
    "core.quotePath": "false",
}


@dataclass(frozen=True, slots=True)
class LocalContext:
    project: Path
    branch: str | None
    """None outside a git repository."""
    changes: tuple[str, ...]
    """Of `git status`, one line a file."""
    files: tuple[str, ...]
    notes: str
    """The project's AGENTS.md, empty when there is none."""

    def text(self) -> str:
        """The part of the system prompt about this project."""
        lines = [f"The project is {self.project}. Commands start there."]
        if self.branch is not None:
            lines.append(f"Git branch: {self.branch or '(no commit yet)'}.")
            lines += _listed("Changed files", self.changes, _MOST_CHANGES)
        if languages := _languages(self.files):
            lines.append(f"Languages: {', '.join(languages)}.")
        lines += (
            _listed("Files", self.files, _MOST_FILES)
            if self.files
            else ["The project has no files yet."]
        )
        if self.notes:
            lines += ["", "The project's AGENTS.md, written by its developers:", "", self.notes]
        return "\n".join(lines)


def look_around(project: Path) -> LocalContext:
    """Read what the prompt tells of the project; every failure just leaves its part out."""
    status = _git(
        project, "status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=all"
    )
    branch = _git(project, "branch", "--show-current") if status is not None else None
    listed = _git(project, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    files = listed.split("\0")[:-1] if listed is not None else _walk(project)
    return LocalContext(
        project=project,
        branch=None if branch is None else branch.strip(),
        changes=tuple((status or "").splitlines()),
        files=tuple(sorted(files, key=lambda name: (name.count("/"), name))),
        notes=_notes(project),
    )


def _listed(title: str, items: Sequence[str], most: int) -> list[str]:
    if not items:
        return []
    shown = [f"  {item}" for item in items[:most]]
    rest = len(items) - most
    return [f"{title}:", *shown, *([f"  and {rest} more"] if rest > 0 else [])]


def _languages(files: Iterable[str]) -> list[str]:
    suffixes = (PurePosixPath(name).suffix.lower()[1:] for name in files)
    counted = Counter(_LANGUAGES[suffix] for suffix in suffixes if suffix in _LANGUAGES)
    return [name for name, _ in counted.most_common(4)]


def _notes(project: Path) -> str:
    path = project / "AGENTS.md"
    try:
        if not path.resolve().is_relative_to(project) or not path.is_file():
            return ""
        with path.open("rb") as file:
            raw = file.read(_MOST_NOTES_BYTES)
    except OSError:
        return ""
    return shorten(raw.decode("utf-8", "replace").strip(), _LONGEST_NOTES)


def _walk(project: Path) -> list[str]:
    """A few thousand entries at most: outside git the listing is a help, not a promise."""
    found: list[str] = []
    for folder, folders, names in os.walk(project):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [
            os.path.relpath(Path(folder, name), project)
            for name in names
            if not name.startswith(".")
        ]
        if len(found) > _WALK_LIMIT:
            break
    return found


def _git(project: Path, *arguments: str) -> str | None:
    """Output of a git command that only looks, None when git or the repository is missing."""
    git = shutil.which("git")
    if git is None:
        return None
    environment = {
        name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ
    }
    environment |= {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_COUNT": str(len(_HARDENED)),
    }
    for index, (key, value) in enumerate(_HARDENED.items()):
        environment |= {f"GIT_CONFIG_KEY_{index}": key, f"GIT_CONFIG_VALUE_{index}": value}
    try:
        done = subprocess.run(
            [git, *arguments], cwd=project, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=_GIT_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
