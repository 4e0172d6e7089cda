"""Finds the project: the git root above the folder the person is in, else that folder."""

from pathlib import Path

from handrail.errors import UsageError


def find_project(start: Path | None = None) -> Path:
    """The project's real path. Git is not run and none of its variables counts."""
    try:
        folder = (start or Path.cwd()).resolve(strict=True)
    except OSError as error:
        raise UsageError(
            f"The current folder cannot be used: {error.strerror or error}.",
            hint="Change to a folder that exists and start again.",
        ) from error
    for candidate in (folder, *folder.parents):
        if _is_git_root(candidate):
            return candidate
    return folder


def _is_git_root(folder: Path) -> bool:
    """A repository has a `.git` folder; a worktree or submodule a `.git` file."""
    marker = folder / ".git"
    try:
        return (marker / "HEAD").exists() or (
            marker.is_file() and marker.read_bytes()[:7] == b"gitdir:"
        )
    except OSError:
        return False
