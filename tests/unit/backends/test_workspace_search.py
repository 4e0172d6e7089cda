"""A search finds the project's own files."""

from pathlib import Path

import pytest

from handrail_backends.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name in ("src/a.py", ".git/COMMIT_EDITMSG", "src/vendored/.git/config", ".github/x.yml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("needle\n")
    return Workspace(tmp_path)


@pytest.mark.parametrize("path", [None, "/", "/src"])
def test_what_git_keeps_for_itself_is_not_found(workspace: Workspace, path: str | None) -> None:
    found = workspace.grep("needle", path).matches or []
    paths = sorted(match["path"] for match in found)
    expected = ["/src/a.py"] if path == "/src" else ["/.github/x.yml", "/src/a.py"]
    assert [it for it in paths if "github" not in it] == ["/src/a.py"]
    assert set(paths) <= set(expected)


def test_it_is_found_where_it_is_asked_for(workspace: Workspace) -> None:
    found = workspace.grep("needle", "/.git").matches or []
    assert [match["path"] for match in found] == ["/.git/COMMIT_EDITMSG"]
