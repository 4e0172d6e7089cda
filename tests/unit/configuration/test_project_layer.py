"""The settings file of a project nobody has looked at may only tighten and stops no start."""

import os
from pathlib import Path

import pytest

from handrail.configuration.load import Configuration, load_configuration
from handrail.places import Places
from handrail.settings import ContextSettings, Settings, ShellSettings


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "project" / ".handrail").mkdir(parents=True)
    return tmp_path / "project"


def load(project: Path) -> Configuration:
    home = project.parent / "home"
    return load_configuration(Places(home=home, config=home), project, {}, {})


def file_of(project: Path) -> Path:
    return project / ".handrail" / "config.toml"


def test_it_may_lower_what_is_in_the_table(project: Path) -> None:
    file_of(project).write_text(
        "[context]\nsummarize_at = 0.5\noffload_chars = 2000\n[shell]\ntimeout_s = 120\n"
    )
    loaded = load(project)
    assert loaded.settings == Settings(
        context=ContextSettings(summarize_at=0.5, offload_chars=2000), shell=ShellSettings(120)
    )
    assert loaded.notices == ()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("model.name = 'openai:x'", "which model is asked is yours to choose"),
        ("model.base_url = 'http://x'", "it decides where your messages and files are sent"),
        ("model.context_window = 2000", "which model is asked is yours to choose"),
        ("model.max_output_tokens = 1", "which model is asked is yours to choose"),
        ("model.api = 'chat'", "which model is asked is yours to choose"),
        ("model.retries = 0", "how long a model is waited for is yours to choose"),
        (
            "model.idle_timeout_s = 1",
            "how long a model is waited for is yours to choose",
        ),
        ("context.keep = 0.05", "it decides what the model forgets"),
        ("shell.env = []", "it decides what commands may see"),
        ("keys.openai_command = 'x'", "it runs a command and decides which key is used"),
        ("shell.timeout_s = 121", "a project may only lower it, and it is 120 already"),
        ("context.summarize_at = 0.86", "a project may only lower it, and it is 0.85 already"),
        ("context.offload_chars = 90_000", "a project may only lower it, and it is 80000 already"),
        ("context.summarize_at = 0.1", "context.keep must be smaller than context.summarize_at"),
        ("shell.timeout_s = 0", "expected a whole number from 1 to 86400"),
        ("shell.timeout_s = '1'", "expected a whole number from 1 to 86400"),
        ("shell.tmeout_s = 1", "there is no such setting"),
    ],
)
def test_everything_else_is_ignored_with_a_notice(project: Path, line: str, why: str) -> None:
    file_of(project).write_text(line)
    loaded = load(project)
    name = line.partition(" ")[0]
    assert loaded.notices == (f"{name} in the project's .handrail/config.toml was ignored: {why}.",)
    assert loaded.settings == Settings()


def test_what_the_person_set_is_the_bound(project: Path) -> None:
    (project.parent / "home" / "config.toml").write_text("shell.timeout_s = 30")
    file_of(project).write_text("shell.timeout_s = 60")
    loaded = load(project)
    assert loaded.settings.shell.timeout_s == 30
    assert len(loaded.notices) == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"shell.timeout_s = ", "it is not valid TOML: "),
        (b"\xff", "it is not valid TOML: it is not UTF-8 at byte 0"),
        (b"a = " + b"[\n" * 30_000, "it is not valid TOML: it is nested too deeply"),
        (b"#\n" * 32_769, "it is larger than 64 kB"),
        (b"a." * 32_000 + b"a = 1", "it has a line of more than 500 characters"),
    ],
)
def test_a_file_that_cannot_be_read_is_ignored_with_a_notice(
    project: Path, content: bytes, why: str
) -> None:
    file_of(project).write_bytes(content)
    (notice,) = load(project).notices
    assert notice.startswith(f"The project's settings .handrail/config.toml were ignored: {why}")


LINK = "The project's settings .handrail/config.toml were ignored: it is a link or cannot be read."


def test_a_link_is_not_followed(project: Path) -> None:
    (project / "other.toml").write_text("shell.timeout_s = 1")
    file_of(project).symlink_to(project / "other.toml")
    loaded = load(project)
    assert loaded.notices == (LINK,)
    assert loaded.settings == Settings()


def test_a_linked_folder_is_not_followed(project: Path) -> None:
    (project / ".handrail").rename(project / "elsewhere")
    (project / "elsewhere" / "config.toml").write_text("shell.timeout_s = 1")
    (project / ".handrail").symlink_to("elsewhere")
    loaded = load(project)
    assert loaded.notices == (LINK,)
    assert loaded.settings == Settings()


def test_a_pipe_does_not_hang_the_start(project: Path) -> None:
    os.mkfifo(file_of(project))
    (notice,) = load(project).notices
    assert "it is no regular file" in notice


def test_without_a_file_nothing_is_said(project: Path) -> None:
    assert load(project).notices == ()
    (project / ".handrail").rmdir()
    (project / ".handrail").write_text("a file in the place of the folder")
    assert load(project).notices == ()
