"""From `provider:model` to a chat model; only the chosen provider is imported."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel

from handrail.errors import ModelError, NotConfiguredError
from handrail.settings import ModelSettings

UNKNOWN_WINDOW = 32_768
"""Tokens assumed for a model whose size neither its provider's package nor the settings state."""

_KEYS = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "google_genai": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "openai": ("OPENAI_API_KEY",),
}


@dataclass(frozen=True, slots=True)
class Models:
    """The model of each part of the work; a real provider's model serves them all."""

    main: BaseChatModel
    summary: BaseChatModel
    scripted: Any = None

    def for_agent(self, name: str) -> BaseChatModel:
        return self.main if self.scripted is None else self.scripted.for_role(name)


def load_models(settings: ModelSettings, *, project: Path) -> Models:
    """Raises `ModelError` with what to set, `UsageError` for a script that cannot be read."""
    spec = settings.name
    if not spec:
        raise NotConfiguredError("No model was chosen.", hint="Run `agent --model provider:model`.")
    provider, _, name = spec.partition(":")
    if not name:
        raise ModelError(
            f"`{spec}` does not name a model.",
            hint="Write it as `provider:model`, for example `openai:gpt-5.4`.",
        )
    if provider == "script":
        return _load_script(Path(name), project)
    model = _load(provider, name, settings)
    return Models(model, model)


def _load_script(path: Path, project: Path) -> Models:
    from handrail.engine.scripted import load_scripted_model  # noqa: PLC0415  # only when chosen

    scripted = load_scripted_model(path, {"project": str(project)})
    return Models(scripted.for_role("main"), scripted.for_role("summary"), scripted)


def _load(provider: str, name: str, settings: ModelSettings) -> BaseChatModel:
    _need_key(provider, name, settings)
    options = _options(provider, settings)
    try:
        model = cast("BaseChatModel", init_chat_model(name, model_provider=provider, **options))
    except ImportError as error:
        raise ModelError(
            f"The package for the provider `{provider}` is not installed.",
            hint=f"Install Handrail with its extra: `handrail[{provider.split('_')[0]}]`.",
        ) from error
    except Exception as error:
        raise ModelError(
            f"`{provider}:{name}` cannot be used: {error}".splitlines()[0],
            hint="Write it as `provider:model`, for example `anthropic:claude-sonnet-4-6`.",
        ) from error
    return _with_window(model, settings)


def _options(provider: str, settings: ModelSettings) -> dict[str, Any]:
    options: dict[str, Any] = {"max_retries": 0}
    if settings.base_url:
        options["base_url"] = settings.base_url
    if settings.max_output_tokens:
        options["max_tokens"] = settings.max_output_tokens
    if provider == "openai":
        options |= {"stream_usage": True, "use_responses_api": False}
        if settings.base_url and not os.environ.get("OPENAI_API_KEY"):
            options["api_key"] = "none"  # local servers ask for none, the client insists on one
    return options


def _need_key(provider: str, name: str, settings: ModelSettings) -> None:
    """A server of the person's own may do without."""
    variables = _KEYS.get(provider, ())
    if settings.base_url or not variables or any(os.environ.get(it) for it in variables):
        return
    raise ModelError(
        f"There is no key for `{provider}:{name}`.",
        hint=f"Set {variables[0]} in the environment and start again.",
    )


def _with_window(model: BaseChatModel, settings: ModelSettings) -> BaseChatModel:
    """Summarising needs a size: the settings' one, else the package's, else a careful guess."""
    profile: dict[str, Any] = dict(model.profile or {})
    if settings.context_window:
        profile["max_input_tokens"] = settings.context_window
    profile.setdefault("max_input_tokens", UNKNOWN_WINDOW)
    profile.setdefault("tool_calling", True)
    model.profile = cast("Any", profile)
    return model
