"""The commands that print keys: written as words or as one line, and never the key itself."""

from pathlib import Path

import pytest

from handrail.configuration.load import Configuration, load_configuration
from handrail.errors import SettingsError
from handrail.places import Places


def load(folder: Path, text: str) -> Configuration:
    (folder / "config.toml").write_text(text)
    return load_configuration(Places(home=folder, config=folder), folder, {}, {})


@pytest.mark.parametrize(
    "written", ['["pass", "show", "open ai"]', "\"pass show 'open ai'\""], ids=["words", "line"]
)
def test_a_command_is_words_or_one_line(tmp_path: Path, written: str) -> None:
    loaded = load(tmp_path, f"[keys]\nopenai_command = {written}\n")
    assert loaded.settings.keys.commands == {
        "anthropic": (),
        "openai": ("pass", "show", "open ai"),
        "google_genai": (),
    }


@pytest.mark.parametrize(
    "line",
    [
        "openai_command = 'sk-proj-abcdef'",
        "openai_command = 'echo sk-proj-abcdef'",
        "openai_command = ['echo', 5, 'sk-proj-abcdef']",
        "openai_command = 'echo \"sk-proj-abcdef'",
        "openai_command = ''",
        "openai = 'sk-proj-abcdef'",
    ],
)
def test_a_key_in_the_place_of_a_command_is_refused_and_not_shown(
    tmp_path: Path, line: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, f"[keys]\n{line}\n")
    assert "keys.openai" in caught.value.paragraph
    assert "abcdef" not in caught.value.paragraph
