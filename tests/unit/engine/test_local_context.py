"""What the prompt tells of a project, and that looking at a repository runs nothing of it."""

import subprocess
from pathlib import Path

import pytest

from handrail.engine.local_context import look_around


def git(project: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text("x = 1\n")
    (tmp_path / "README.md").write_text("hello\n")
    (tmp_path / ".gitignore").write_text("build/\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "start")
    return tmp_path


def test_a_repository_is_told_with_branch_changes_languages_and_files(repository: Path) -> None:
    (repository / "src/app.py").write_text("x = 2\n")
    (repository / "new.sh").write_text("true\n")
    (repository / "build").mkdir()
    (repository / "build/out.o").write_text("")
    assert look_around(repository).text().splitlines() == [
        f"The project is {repository}. Commands start there.",
        "Git branch: main.",
        "Changed files:",
        "   M src/app.py",
        "  ?? new.sh",
        "Languages: shell, Python.",
        "Files:",
        "  .gitignore",
        "  README.md",
        "  new.sh",
        "  src/app.py",
    ]


def test_a_folder_without_git_is_told_with_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text("package a\n")
    (tmp_path / ".hidden").write_text("")
    assert look_around(tmp_path).text().splitlines() == [
        f"The project is {tmp_path}. Commands start there.",
        "Languages: Go.",
        "Files:",
        "  a.go",
    ]


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    assert "The project has no files yet." in look_around(tmp_path).text()


def test_a_long_listing_is_cut_and_counted(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"f{number:03}.txt").write_text("")
    lines = look_around(tmp_path).text().splitlines()
    assert lines[-1] == "  and 40 more"


def test_notes_that_lead_out_of_the_project_are_left_out(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "secret").write_text("secret\n")
    (project / "AGENTS.md").symlink_to(tmp_path / "secret")
    assert look_around(project).notes == ""


def test_looking_runs_nothing_that_the_repository_configures(repository: Path) -> None:
    marker = repository.parent / f"{repository.name}-ran"
    hook = repository / "evil.sh"
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(hook))
    git(repository, "config", "diff.external", str(hook))
    (repository / "src/app.py").write_text("x = 3\n")
    subprocess.run(["git", "status"], cwd=repository, check=True, capture_output=True)
    assert marker.exists(), "without care the repository's own program runs"
    marker.unlink()
    look_around(repository)
    assert not marker.exists()
