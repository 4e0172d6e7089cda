"""The layers of the settings."""

from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from handrail.configuration.keys import KEYS
from handrail.configuration.load import Configuration, load_configuration
from handrail.errors import HandrailError, SettingsError, UsageError
from handrail.places import Places
from handrail.settings import (
    ContextSettings,
    ModelSettings,
    Settings,
    ShellSettings,
    with_model,
)


@dataclass
class Folders:
    """A home, a project, and what is loaded from them."""

    home: Path
    project: Path

    @property
    def user_file(self) -> Path:
        return self.home / "config.toml"

    def write_user(self, text: str) -> None:
        self.user_file.write_text(text, encoding="utf-8")

    def write_project(self, text: str) -> Path:
        file = self.project / ".handrail" / "config.toml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def load(self, environ: dict[str, str] | None = None, **flags: str | None) -> Configuration:
        given = {f"model.{name}": value for name, value in flags.items()}
        places = Places(home=self.home, config=self.home)
        return load_configuration(places, self.project, environ or {}, given)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return Folders(tmp_path / "home", tmp_path / "project")


def test_the_table_covers_every_setting() -> None:
    settings = Settings()
    names = [
        f"{section.name}.{setting.name}"
        for section in fields(settings)
        for setting in fields(getattr(settings, section.name))
    ]
    assert [key.name for key in KEYS] == names


def test_with_no_layer_everything_is_built_in(folders: Folders) -> None:
    loaded = folders.load()
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"built in"}
    assert loaded.notices == ()


def test_each_layer_wins_over_the_ones_below_and_every_value_keeps_its_origin(
    folders: Folders,
) -> None:
    folders.write_user(
        '[model]\nname = "openai:user"\ncontext_window = 32_000\n'
        '[shell]\ntimeout_s = 100\nenv = ["CI", "LANG", "CI"]\n[context]\noffload_chars = 50_000\n'
    )
    folders.write_project("[shell]\ntimeout_s = 50\n[context]\noffload_chars = 40_000\n")
    environ = {"HANDRAIL_SHELL_TIMEOUT_S": "300", "HANDRAIL_CONTEXT_WINDOW": "64000"}
    loaded = folders.load(environ, name="openai:flag", base_url=None)
    assert loaded.settings == Settings(
        ModelSettings(name="openai:flag", context_window=64_000),
        ContextSettings(offload_chars=40_000),
        ShellSettings(timeout_s=300, env=("CI", "LANG")),
    )
    chosen = {name: origin for name, origin in loaded.origins.items() if origin != "built in"}
    assert chosen == {
        "model.name": "--model",
        "model.context_window": "HANDRAIL_CONTEXT_WINDOW",
        "context.offload_chars": ".handrail/config.toml",
        "shell.timeout_s": "HANDRAIL_SHELL_TIMEOUT_S",
        "shell.env": str(folders.user_file),
    }
    assert loaded.notices == ()


VARIABLES = {
    "HANDRAIL_MODEL_NAME": "openai:x",
    "HANDRAIL_MODEL_BASE_URL": "http://localhost:1/v1",
    "HANDRAIL_MODEL_CONTEXT_WINDOW": "8_000",
    "HANDRAIL_MODEL_MAX_OUTPUT_TOKENS": "500",
    "HANDRAIL_MODEL_API": "chat",
    "HANDRAIL_CONTEXT_SUMMARIZE_AT": "0.5",
    "HANDRAIL_CONTEXT_KEEP": "0.2",
    "HANDRAIL_CONTEXT_OFFLOAD_CHARS": "1000",
    "HANDRAIL_SHELL_TIMEOUT_S": "7",
    "HANDRAIL_SHELL_ENV": "CI, LANG",
}
FROM_VARIABLES = Settings(
    ModelSettings("openai:x", "http://localhost:1/v1", 8000, 500, api="chat"),
    ContextSettings(0.5, 0.2, 1000),
    ShellSettings(7, ("CI", "LANG")),
)


def test_every_setting_has_a_variable(folders: Folders) -> None:
    assert folders.load(VARIABLES).settings == FROM_VARIABLES


def test_the_settings_of_the_model_have_short_variables_too(folders: Folders) -> None:
    short = {name.replace("_MODEL_", "_", 1): value for name, value in VARIABLES.items()}
    short["HANDRAIL_MODEL_API"] = short.pop("HANDRAIL_API")
    short["HANDRAIL_MODEL"] = short.pop("HANDRAIL_NAME")
    assert folders.load(short).settings == FROM_VARIABLES


def test_an_empty_variable_is_not_set(folders: Folders) -> None:
    assert folders.load({"HANDRAIL_MODEL": "", "HANDRAIL_SHELL_ENV": ""}).settings == Settings()


def test_a_variable_and_its_short_name_must_agree(folders: Folders) -> None:
    both = {"HANDRAIL_MODEL": "openai:x", "HANDRAIL_MODEL_NAME": "openai:x"}
    assert folders.load(both).settings.model.name == "openai:x"
    with pytest.raises(SettingsError, match="HANDRAIL_MODEL and HANDRAIL_MODEL_NAME say different"):
        folders.load({**both, "HANDRAIL_MODEL_NAME": "openai:y"})


def test_a_misspelt_variable_is_pointed_out_and_foreign_ones_are_not(folders: Folders) -> None:
    environ = {"HANDRAIL_MODLE": "x", "HANDRAIL_HOME": "/h", "HANDRAIL_PYTHON": "3", "OTHER": "x"}
    assert folders.load(environ).notices == (
        "The variable HANDRAIL_MODLE is not known and was ignored. Did you mean HANDRAIL_MODEL?",
    )


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("name = 'gpt'", "model.name is 'gpt'; expected a text like `provider:model`"),
        ("name = 'openai:a\\u001b'", None),
        ("api = 'completions'", "model.api is 'completions'; expected `chat` or `responses`"),
        ("base_url = 'localhost'", "model.base_url is 'localhost'; expected an address like"),
        ("base_url = 'http://u:hunter2@h/v1'", "model.base_url is a text with an @; expected an"),
        ("base_url = 'http://h/v1?key=x'", "expected an address like"),
        ("base_url = 'ftp://h/'", "expected an address like"),
        ("base_url = 'http://h:99999/'", "expected an address like"),
        ("context_window = 10", "model.context_window is 10; expected a whole number from 1000"),
        ("context_window = true", "expected a whole number"),
        ("context_window = 32000.0", "expected a whole number"),
        ("max_output_tokens = '5'", "model.max_output_tokens is '5'; expected a whole number"),
        ("nmae = 'x:y'", "there is no setting model.nmae. Did you mean model.name?"),
        (
            "api_key = 'hunter2'",
            "there is no setting model.api_key. Keys do not stand in",
        ),
        ("zzz = 1", "there is no setting model.zzz. `agent config show` lists"),
        ("name.x = 'a'", "model.name is {'x': 'a'}; expected a text"),
    ],
)
def test_a_wrong_line_of_the_persons_file_is_refused_with_file_key_and_what_was_expected(
    folders: Folders, line: str, complaint: str | None
) -> None:
    folders.write_user(f"[model]\n{line}\n")
    if complaint is None:
        folders.write_user('[model]\nname = "openai:a\\u001b"\n')
        complaint = r"model.name is 'openai:a\x1b'; expected"
    with pytest.raises(SettingsError) as caught:
        folders.load()
    assert f"In {folders.user_file}, " in caught.value.paragraph
    assert complaint in caught.value.paragraph
    assert "hunter2" not in caught.value.paragraph


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        (
            "[context]\nsummarize_at = 1.0",
            "context.summarize_at is 1.0; expected a number from 0.1",
        ),
        ("[context]\nsummarize_at = nan", "context.summarize_at is nan; expected"),
        ("[context]\nkeep = '0.1'", "context.keep is '0.1'; expected a number from 0.01 to 0.9"),
        ("[shell]\ntimeout_s = 0", "shell.timeout_s is 0; expected a whole number from 1 to 86400"),
        ("[shell]\nenv = 'CI'", "shell.env is 'CI'; expected a list of names"),
        ("[shell]\nenv = ['A=B']", "expected a list of names of variables"),
        ("[shell]\nenv = [1]", "expected a list of names of variables"),
        ("shell = 3", "there is no setting shell."),
        ("shel.env = []", "there is no setting shel.env. Did you mean shell.env?"),
    ],
)
def test_wrong_values_of_other_sections_are_refused_too(
    folders: Folders, section: str, complaint: str
) -> None:
    folders.write_user(section)
    with pytest.raises(SettingsError) as caught:
        folders.load()
    assert complaint in caught.value.paragraph


def test_a_mistake_of_syntax_names_its_line(folders: Folders) -> None:
    folders.write_user("[model]\nname = \n")
    with pytest.raises(SettingsError, match=r"config\.toml is not valid TOML: .*line 2"):
        folders.load()


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a = " + b"[" * 30_000])
def test_a_file_that_is_no_text_or_bottomless_is_refused_without_a_crash(
    folders: Folders, content: bytes
) -> None:
    folders.user_file.write_bytes(content)
    with pytest.raises(SettingsError, match="is not valid TOML"):
        folders.load()


def test_a_byte_order_mark_is_no_mistake(folders: Folders) -> None:
    folders.write_user("\ufeff[shell]\ntimeout_s = 9\n")
    assert folders.load().settings.shell.timeout_s == 9


def test_a_folder_in_the_place_of_the_file_is_told_in_a_paragraph(folders: Folders) -> None:
    folders.user_file.mkdir()
    with pytest.raises(SettingsError, match=r"config\.toml cannot be read: Is a directory"):
        folders.load()


@pytest.mark.parametrize(
    ("environ", "flags", "kind", "complaint"),
    [
        (
            {"HANDRAIL_MODEL": "x"},
            {},
            SettingsError,
            "The variable HANDRAIL_MODEL is 'x'; expected",
        ),
        ({"HANDRAIL_CONTEXT_KEEP": "much"}, {}, SettingsError, "is 'much'; expected a number"),
        ({"HANDRAIL_SHELL_TIMEOUT_S": "1.5"}, {}, SettingsError, "expected a whole number"),
        ({"HANDRAIL_SHELL_TIMEOUT_S": "\u0665"}, {}, SettingsError, "expected a whole number"),
        ({}, {"name": "x"}, UsageError, "The option --model is 'x'; expected a text like"),
        ({}, {"base_url": "x"}, UsageError, "The option --base-url is 'x'; expected an address"),
    ],
)
def test_wrong_variables_and_options_are_refused_by_name(
    folders: Folders,
    environ: dict[str, str],
    flags: dict[str, str],
    kind: type[HandrailError],
    complaint: str,
) -> None:
    with pytest.raises(kind) as caught:
        folders.load(environ, **flags)
    assert complaint in caught.value.paragraph


def test_what_is_kept_must_be_less_than_what_triggers_summarising(folders: Folders) -> None:
    folders.write_user("[context]\nkeep = 0.5\nsummarize_at = 0.5\n")
    with pytest.raises(SettingsError) as caught:
        folders.load()
    assert caught.value.paragraph == (
        "Two settings do not go together: context.keep must be smaller than context.summarize_at,"
        f" but context.keep is 0.5 ({folders.user_file}) and"
        f" context.summarize_at is 0.5 ({folders.user_file})."
    )


LOCAL = '[model]\nname = "openai:mine"\nbase_url = "http://localhost:1/v1"\ncontext_window = 8000\n'


def test_choosing_another_provider_leaves_the_address_of_the_first_behind(folders: Folders) -> None:
    folders.write_user(LOCAL)
    loaded = folders.load(name="anthropic:x")
    assert loaded.settings.model == ModelSettings("anthropic:x")
    assert loaded.origins["model.base_url"] == "built in"
    assert loaded.notices == (
        f"model.base_url from {folders.user_file} was left out, because --model chooses"
        " another provider than openai:mine.",
        f"model.context_window from {folders.user_file} was left out, because --model chooses"
        " another provider than openai:mine.",
    )
    assert with_model(folders.load().settings, "anthropic:x") == loaded.settings


def test_patience_stays_whichever_provider_is_chosen(folders: Folders) -> None:
    folders.write_user(f"{LOCAL}retries = 1\nidle_timeout_s = 30\n")
    loaded = folders.load(name="anthropic:x")
    patient = ModelSettings("anthropic:x", retries=1, idle_timeout_s=30)
    assert loaded.settings.model == patient
    assert with_model(folders.load().settings, "anthropic:x").model == patient


def test_another_model_of_the_same_provider_keeps_the_address(folders: Folders) -> None:
    folders.write_user(LOCAL)
    loaded = folders.load(name="openai:other")
    assert loaded.settings.model == ModelSettings("openai:other", "http://localhost:1/v1", 8000)
    assert with_model(folders.load().settings, "openai:other") == loaded.settings


def test_an_address_chosen_above_the_first_model_stays(folders: Folders) -> None:
    folders.write_user('[model]\nname = "anthropic:x"\n')
    loaded = folders.load({"HANDRAIL_BASE_URL": "http://localhost:1/v1"}, name="openai:mine")
    assert loaded.settings.model == ModelSettings("openai:mine", "http://localhost:1/v1")
    assert loaded.notices == ()
