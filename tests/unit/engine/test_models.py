"""A model is named `provider:model`; what is missing is said with what to set."""

import os
from pathlib import Path

import pytest

from handrail.credentials.keyring import Keyring
from handrail.engine.models import UNKNOWN_WINDOW, load_models
from handrail.engine.summaries import window_of
from handrail.errors import HandrailError
from handrail.settings import ModelSettings


def load(monkeypatch: pytest.MonkeyPatch, settings: ModelSettings, **environ: str) -> object:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    keyring = Keyring(Path("/nowhere"), {}, os.environ)
    return load_models(settings, keyring, project=Path("/p")).main


def test_a_known_model_has_the_window_its_package_states(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load(monkeypatch, ModelSettings("openai:gpt-4o"), OPENAI_API_KEY="k")
    assert window_of(model) == 128_000  # pyright: ignore[reportArgumentType]


def test_a_local_server_needs_no_key_and_gets_a_careful_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = ModelSettings("openai:local", base_url="http://127.0.0.1:1/v1")
    model = load(monkeypatch, settings)
    assert window_of(model) == UNKNOWN_WINDOW  # pyright: ignore[reportArgumentType]
    assert getattr(model, "stream_usage", None) is True
    assert getattr(model, "use_responses_api", None) is False
    assert getattr(model, "max_retries", None) == 0


@pytest.mark.parametrize(
    ("name", "attribute"),
    [("openai:local", "request_timeout"), ("anthropic:local", "default_request_timeout")],
)
def test_the_clients_measure_silence_and_try_once(
    monkeypatch: pytest.MonkeyPatch, name: str, attribute: str
) -> None:
    monkeypatch.setenv("LANGCHAIN_OPENAI_STREAM_CHUNK_TIMEOUT_S", "1")
    settings = ModelSettings(name, base_url="http://127.0.0.1:1/v1", idle_timeout_s=77)
    model = load(monkeypatch, settings)
    assert getattr(model, attribute) == 77
    assert getattr(model, "stream_chunk_timeout", None) is None
    assert getattr(model, "max_retries", None) == 0


def test_the_settings_state_window_and_answer_size(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ModelSettings(
        "openai:local", base_url="http://127.0.0.1:1/v1", context_window=9000, max_output_tokens=77
    )
    model = load(monkeypatch, settings)
    assert window_of(model) == 9000  # pyright: ignore[reportArgumentType]
    assert getattr(model, "max_tokens", None) == 77


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (None, "No model was chosen"),
        ("gpt-4o", "`gpt-4o` does not name a model"),
        ("openai:gpt-4o", "Set OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-4-6", "Set ANTHROPIC_API_KEY"),
        ("nobody:x", "`nobody:x` cannot be used"),
        ("mistralai:x", "The package for the provider `mistralai` is not installed"),
        ("script:/nowhere.yaml", "/nowhere.yaml"),
    ],
)
def test_what_is_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, spec: str | None, said: str
) -> None:
    with pytest.raises(HandrailError) as caught:
        load(monkeypatch, ModelSettings(spec))
    assert said in caught.value.paragraph
    assert "\n" not in caught.value.paragraph
