"""Finding the project."""

import subprocess
from pathlib import Path

import pytest

from handrail.errors import UsageError
from handrail.project import find_project


def git(*arguments: str, cwd: Path) -> None:
    subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True)


def test_the_project_is_the_git_root_above(tmp_path: Path) -> None:
    git("init", cwd=tmp_path)
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_project(tmp_path / "a" / "b") == tmp_path.resolve()


def test_without_git_the_project_is_the_folder_itself(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert find_project(tmp_path / "a") == (tmp_path / "a").resolve()


def test_an_empty_folder_named_git_makes_no_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a").mkdir()
    assert find_project(tmp_path / "a") == (tmp_path / "a").resolve()


def test_a_worktree_is_a_project_of_its_own(tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    git("init", cwd=main)
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    git(*identity, "commit", "--allow-empty", "-m", "first", cwd=main)
    git("worktree", "add", "../other", cwd=main)
    assert find_project(tmp_path / "other") == (tmp_path / "other").resolve()


def test_a_linked_folder_means_the_real_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert find_project(tmp_path / "link") == (tmp_path / "real").resolve()


def test_the_folder_the_person_is_in_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_project() == tmp_path.resolve()


def test_a_folder_that_was_deleted_is_told_in_a_paragraph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    with pytest.raises(UsageError, match="The current folder cannot be used"):
        find_project()
