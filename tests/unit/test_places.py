"""Where data lies, and who may read it."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest

from handrail.errors import StorageError
from handrail.places import Places, find_places


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o700])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(int(request.param))
    yield int(request.param)
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_without_a_variable_the_platform_decides() -> None:
    assert find_places({"HANDRAIL_HOME": ""}) == Places(
        home=platformdirs.user_data_path("handrail", appauthor=False),
        config=platformdirs.user_config_path("handrail", appauthor=False),
    )


def test_one_variable_moves_data_and_settings(tmp_path: Path) -> None:
    places = find_places({"HANDRAIL_HOME": str(tmp_path / "h")})
    assert places == Places(home=tmp_path / "h", config=tmp_path / "h")
    assert places.settings_file == tmp_path / "h" / "config.toml"
    assert not places.home.exists()


def test_a_relative_home_is_made_absolute() -> None:
    assert find_places({"HANDRAIL_HOME": "h/../k"}).home == Path.cwd() / "k"


def test_a_home_of_an_unknown_user_is_refused() -> None:
    with pytest.raises(StorageError, match="HANDRAIL_HOME is ~nobody-of-this-name/x"):
        find_places({"HANDRAIL_HOME": "~nobody-of-this-name/x"})


@pytest.mark.usefixtures("umask")
def test_every_folder_is_private_whatever_the_umask(tmp_path: Path) -> None:
    places = Places(home=tmp_path / "home", config=tmp_path / "home")
    session = places.make_session("s1")
    project = places.make_project(Path("/work/here"))
    folders = [
        places.home,
        places.home / "sessions",
        session.folder,
        session.artifacts,
        session.artifacts / "large_tool_results",
        session.artifacts / "conversation_history",
        session.artifacts / "tasks",
        project,
        places.make_crash_reports(),
    ]
    assert {mode(folder) for folder in folders} == {0o700}


def test_a_home_that_was_there_keeps_its_mode_and_ours_below_it_are_closed(tmp_path: Path) -> None:
    home = tmp_path / "shared"
    (home / "sessions").mkdir(parents=True)
    home.chmod(0o755)
    (home / "sessions").chmod(0o755)
    Places(home=home, config=home).make_session("s1")
    assert (mode(home), mode(home / "sessions")) == (0o755, 0o700)


def test_projects_of_the_same_name_have_folders_of_their_own(tmp_path: Path) -> None:
    places = Places(home=tmp_path, config=tmp_path)
    here, there = places.project_folder(Path("/a/x y")), places.project_folder(Path("/b/x y"))
    assert here != there
    assert here.name.startswith("x-y-")
    assert places.project_folder(Path("/")).name.startswith("root-")
    assert places.project_folder(Path("/a/\udcff..")).parent == tmp_path / "projects"


def test_a_link_to_a_project_leads_to_the_same_folder(tmp_path: Path) -> None:
    places = Places(home=tmp_path, config=tmp_path)
    (tmp_path / "p").mkdir()
    (tmp_path / "q").mkdir()
    (tmp_path / "q" / "p").symlink_to(tmp_path / "p")
    linked = places.project_folder(tmp_path / "q" / "p")
    assert linked == places.project_folder(tmp_path / "p")


def test_a_file_in_the_way_of_the_home_is_told_in_a_paragraph(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    places = Places(home=tmp_path / "home", config=tmp_path / "home")
    with pytest.raises(StorageError) as caught:
        places.make_home()
    assert caught.value.paragraph == (
        f"The data folder {tmp_path}/home cannot be created: File exists."
        " Make it writable, or set HANDRAIL_HOME to a folder that is."
    )
