"""Which paths the workspace serves, and what it answers to all others."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrail_backends.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("x = 1\n")
    (tmp_path / "secret.txt").write_text("s3cret")
    return root


@pytest.fixture
def workspace(root: Path) -> Workspace:
    return Workspace(root)


def everything(workspace: Workspace, path: str) -> dict[str, str | None]:
    """The error of every method for a path; the last one may remove what is there."""
    return {
        "ls": workspace.ls(path).error,
        "read": workspace.read(path).error,
        "write": workspace.write(path, "new").error,
        "edit": workspace.edit(path, "s3cret", "new").error,
        "grep": workspace.grep("s3cret", path).error,
        "glob": workspace.glob("*", path).error,
        "upload": workspace.upload_files([(path, b"new")])[0].error,
        "download": workspace.download_files([path])[0].error,
        "delete": workspace.delete(path).error,
    }


@pytest.mark.parametrize("name", ["report..final.md", "..hidden", "a...b", "[...slug].tsx", "~x"])
def test_names_with_dots_brackets_and_tildes_are_names(workspace: Workspace, name: str) -> None:
    assert workspace.write(f"/{name}", "needle\n").error is None
    assert workspace.edit(f"/{name}", "needle", "nail").error is None
    read = workspace.read(f"/{name}")
    assert read.file_data is not None
    assert read.file_data["content"] == "nail\n"
    assert [match["path"] for match in workspace.grep("nail").matches or []] == [f"/{name}"]
    assert workspace.delete(f"/{name}").error is None


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/src/../../secret.txt", "/..", "/a\0b", "/\ud800"]
)
def test_impossible_paths_get_an_error_from_every_method(workspace: Workspace, path: str) -> None:
    errors = everything(workspace, path)
    assert [method for method, error in errors.items() if not error] == []
    assert all(error and error.isprintable() for error in errors.values())


def test_a_link_out_of_the_project_is_not_followed(workspace: Workspace, root: Path) -> None:
    (root / "out").symlink_to(root.parent)
    (root / "one.txt").symlink_to(root.parent / "secret.txt")
    for path in ("/out", "/out/secret.txt", "/out/new/deep.txt"):
        errors = everything(workspace, path)
        assert [method for method, error in errors.items() if not error] in ([], ["delete"])
        (root / "out").unlink(missing_ok=True)
        (root / "out").symlink_to(root.parent)
    assert workspace.read("/one.txt").error == (
        f"{root}/one.txt leads to {root.parent}/secret.txt, outside {root}."
    )
    assert workspace.delete("/out/secret.txt").error is not None
    assert (root.parent / "secret.txt").read_text() == "s3cret"
    assert sorted(path.name for path in root.parent.iterdir()) == ["project", "secret.txt"]


def test_searches_and_listings_do_not_look_through_a_link_out(
    workspace: Workspace, root: Path
) -> None:
    (root / "one.txt").symlink_to(root.parent / "secret.txt")
    (root / "out").symlink_to(root.parent)
    assert workspace.grep("s3cret").matches == []
    assert workspace.glob("*.txt").matches == []
    assert [(entry["path"], entry.get("is_dir")) for entry in workspace.ls("/").entries or []] == [
        ("/one.txt", False),
        ("/out", False),
        ("/src/", True),
    ]


def test_a_link_inside_the_project_is_followed_and_keeps_its_name(
    workspace: Workspace, root: Path
) -> None:
    (root / "b.py").symlink_to("src/a.py")
    (root / "lib").symlink_to("src")
    assert workspace.edit("/b.py", "1", "2").path == "/b.py"
    assert workspace.write("/lib/c.py", "c").path == "/lib/c.py"
    assert (root / "b.py").is_symlink()
    assert (root / "src" / "a.py").read_text() == "x = 2\n"
    assert (root / "src" / "c.py").read_text() == "c"
    assert [entry["path"] for entry in workspace.ls("/lib").entries or []] == [
        "/lib/a.py",
        "/lib/c.py",
    ]
    assert [match["path"] for match in workspace.grep("x = 2").matches or []] == [
        "/b.py",
        "/src/a.py",
    ]


def test_a_circle_of_links_is_an_error(workspace: Workspace, root: Path) -> None:
    (root / "loop").symlink_to("loop")
    assert workspace.read("/loop").error == f"{root}/loop leads round in a circle of links."
    assert workspace.write("/loop", "x").error is not None
    assert workspace.ls("/").error is None
    assert workspace.grep("x = 1").matches


def test_deleting_a_link_leaves_what_it_points_to(workspace: Workspace, root: Path) -> None:
    (root / "file").symlink_to("src/a.py")
    (root / "folder").symlink_to("src")
    (root / "out").symlink_to(root.parent)
    for path in ("/file", "/folder", "/out"):
        assert workspace.delete(path).path == path
    assert [path.name for path in root.iterdir()] == ["src"]
    assert (root / "src" / "a.py").read_text() == "x = 1\n"
    assert (root.parent / "secret.txt").exists()


@pytest.mark.parametrize("path", ["/", "", "//", "/."])
def test_the_project_itself_is_not_deleted(workspace: Workspace, root: Path, path: str) -> None:
    assert workspace.delete(path).error is not None
    assert (root / "src" / "a.py").exists()


def test_a_folder_is_deleted_with_what_is_in_it(workspace: Workspace, root: Path) -> None:
    (root / "src" / "deep").mkdir()
    (root / "src" / "link").symlink_to(root.parent)
    assert workspace.delete("/src").path == "/src"
    assert list(root.iterdir()) == []
    assert (root.parent / "secret.txt").exists()


def test_the_hosts_own_path_given_twice_makes_no_copy(workspace: Workspace, root: Path) -> None:
    for path in (f"{root}/src/a.py", f"{root}/new.py"):
        errors = everything(workspace, path)
        assert [method for method, error in errors.items() if not error] == []
    assert workspace.write(f"{root}/new.py", "x").error == (
        f"Not written: {root}{root}/new.py names {root} twice; the path is {root}/new.py."
    )
    assert [path.name for path in root.iterdir()] == ["src"]


def test_a_copy_that_is_really_there_can_be_reached(workspace: Workspace, root: Path) -> None:
    copy = root / str(root).lstrip("/")
    copy.mkdir(parents=True)
    assert workspace.write(f"{root}/new.py", "x").error is None
    assert (copy / "new.py").read_text() == "x"


def test_a_root_given_by_a_link_is_served_at_its_real_path(root: Path) -> None:
    (root.parent / "alias").symlink_to(root)
    workspace = Workspace(root.parent / "alias")
    assert workspace.cwd == root
    assert workspace.read("/nope").error == f"{root}/nope is not there."


def test_fifos_and_devices_are_refused_without_waiting(workspace: Workspace, root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "zero").symlink_to("/dev/zero")
    for method, error in everything(workspace, "/pipe").items():
        assert error or method == "delete", method
    assert workspace.read("/zero").error is not None
    assert workspace.grep("x = 1").error is None


def test_without_the_right_to_write_nothing_changes(root: Path) -> None:
    workspace = Workspace(root, writable=False)
    errors = everything(workspace, "/src/a.py")
    assert {method for method, error in errors.items() if error} == {
        "ls", "write", "edit", "glob", "upload", "delete",
    }  # fmt: skip
    assert errors["write"] == f"Not written: {root}/src/a.py is in a folder that can only be read."
    assert (root / "src" / "a.py").read_text() == "x = 1\n"


def test_a_project_that_is_gone_is_named(workspace: Workspace, root: Path) -> None:
    (root / "src" / "a.py").unlink()
    (root / "src").rmdir()
    root.rmdir()
    assert workspace.read("/src/a.py").error == f"{root} is not there any more."
    assert workspace.write("/b.py", "x").error == f"Not written: {root} is not there any more."
    assert not root.exists()


names = st.lists(
    st.sampled_from(["..", ".", "a", "out", "one.txt", "src", "", "\0", "...", "~", "\udcff", "é"]),
    max_size=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(parts=names)
def test_no_path_whatever_leaves_the_project_or_raises(root: Path, parts: list[str]) -> None:
    for name, target in (("out", root.parent), ("one.txt", root.parent / "secret.txt")):
        if not (root / name).is_symlink():
            (root / name).unlink(missing_ok=True)
            (root / name).symlink_to(target)
    workspace = Workspace(root)
    path = "/" + "/".join(parts)
    assert workspace.download_files([path])[0].content != b"s3cret"
    workspace.write(path, "changed")
    workspace.edit(path, "s3cret", "changed")
    workspace.ls(path)
    workspace.glob("*", path)
    workspace.grep("x", path)
    workspace.delete(path)
    assert (root.parent / "secret.txt").read_text() == "s3cret"
    assert sorted(each.name for each in root.parent.iterdir()) == ["project", "secret.txt"]
