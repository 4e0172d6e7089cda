"""The default model is written into the settings file, and all else there stays."""

import tomllib
from pathlib import Path

import pytest

from handrail.errors import SettingsError
from handrail.onboarding.own_settings import write_model

WRITTEN = """\
# how I work
[shell]
timeout_s = 30   # seconds

[model]
# the small one
name = "openai:mine" # for now
base_url = "http://localhost:8000/v1"
context_window = 65_536
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_comments_order_and_spelling_stay(file: Path) -> None:
    file.write_text(WRITTEN)
    write_model(file, "openai:other", "http://localhost:8000/v1")
    assert file.read_text() == WRITTEN.replace("openai:mine", "openai:other")


def test_the_address_of_another_provider_goes(file: Path) -> None:
    file.write_text(WRITTEN)
    write_model(file, "anthropic:big", None)
    address = 'base_url = "http://localhost:8000/v1"\n'
    assert file.read_text() == WRITTEN.replace("openai:mine", "anthropic:big").replace(address, "")


@pytest.mark.parametrize(
    "before", ["", "# mine\n", "[shell]\ntimeout_s = 5\n", 'model.name = "a:b"\r\n', "\ufeff# x\n"]
)
def test_what_is_missing_is_added(file: Path, before: str) -> None:
    file.write_text(before, encoding="utf-8", newline="")
    write_model(file, "openai:m", "http://h/v1")
    written = tomllib.loads(file.read_text(encoding="utf-8"))
    assert written["model"] == {"name": "openai:m", "base_url": "http://h/v1"}
    assert before.strip("\ufeff").partition(" =")[0] in file.read_text()


def test_a_new_file_is_private_an_old_one_keeps_its_mode_and_a_link_stays_one(
    file: Path, tmp_path: Path
) -> None:
    write_model(file, "openai:m", None)
    assert file.stat().st_mode & 0o777 == 0o600
    real = tmp_path / "dotfiles.toml"
    file.rename(real)
    real.chmod(0o644)
    file.symlink_to(real)
    write_model(file, "openai:n", None)
    assert file.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o644
    assert tomllib.loads(real.read_text())["model"]["name"] == "openai:n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.toml", "dotfiles.toml"]


@pytest.mark.parametrize("before", ["[model\n", 'model = "text"\n'])
def test_a_file_that_cannot_be_changed_stays_as_it_is(file: Path, before: str) -> None:
    file.write_text(before)
    with pytest.raises(SettingsError):
        write_model(file, "openai:m", None)
    assert file.read_text() == before
