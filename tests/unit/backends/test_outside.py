"""What the file tools answer outside the mounts."""

from pathlib import Path

import pytest
from deepagents.backends.protocol import GlobResult, GrepResult, LsResult

from handrail_backends.outside import OutsideMounts


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("")
    (root / "README.md").write_text("")
    return root


@pytest.fixture
def outside(project: Path) -> OutsideMounts:
    return OutsideMounts(project, (str(project), "/memories", "/scratch"))


def refusal(project: Path, path: str, meant: str = "") -> str:
    hint = f" Did you mean {meant}?" if meant else ""
    mounts = f"{project}, /memories, /scratch"
    return f"{path} is outside what the file tools reach: {mounts}.{hint}"


def test_what_is_asked_of_all_mounts_finds_nothing_here(outside: OutsideMounts) -> None:
    assert outside.ls("/") == LsResult(entries=[])
    assert outside.grep("x") == outside.grep("x", "/") == GrepResult(matches=[])
    assert outside.glob("*") == outside.glob("*", "/") == GlobResult(matches=[])


def test_every_method_names_the_mounts(outside: OutsideMounts, project: Path) -> None:
    path = "/etc/passwd"
    assert [
        outside.ls(path).error,
        outside.read(path).error,
        outside.grep("x", path).error,
        outside.glob("*", path).error,
        outside.write(path, "").error,
        outside.edit(path, "a", "b").error,
        outside.delete(path).error,
        outside.upload_files([(path, b"")])[0].error,
        outside.download_files([path])[0].error,
    ] == [
        *[refusal(project, path)] * 4,
        f"Not written: {refusal(project, path)}",
        f"Not edited: {refusal(project, path)}",
        f"Not deleted: {refusal(project, path)}",
        *["permission_denied"] * 2,
    ]


@pytest.mark.parametrize("path", ["/src/a.py", "/README.md", "/src", "/src/new.py"])
def test_a_path_below_the_project_is_named(
    outside: OutsideMounts, project: Path, path: str
) -> None:
    assert outside.read(path).error == refusal(project, path, f"{project}{path}")


@pytest.mark.parametrize("path", ["/new.py", "/no/new.py", "/src/../../x", "/"])
def test_a_path_that_cannot_be_meant_is_not_guessed(
    outside: OutsideMounts, project: Path, path: str
) -> None:
    assert outside.read(path).error == refusal(project, path)


def test_a_path_through_a_link_names_the_real_one(
    outside: OutsideMounts, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "alias").symlink_to(project)
    path = f"{tmp_path}/alias/src/a.py"
    assert outside.read(path).error == refusal(project, path, f"{project}/src/a.py")


def test_a_path_that_is_no_path_is_refused_in_printable_text(
    outside: OutsideMounts, project: Path
) -> None:
    assert outside.read("/a\0b\n\udcff").error == refusal(project, "/a\\x00b\\n\\udcff")
