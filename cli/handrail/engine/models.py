"""From `provider:model` to a chat model; only the chosen provider is imported."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from langchain_core.language_models import BaseChatModel

from handrail.credentials.keyring import Keyring
from handrail.credentials.providers import PROVIDERS
from handrail.credentials.secret import without_secrets
from handrail.engine.formats import build_client, client_options, fit
from handrail.engine.no_redirects import stay_at_the_address
from handrail.errors import ModelError, NotConfiguredError
from handrail.settings import ModelSettings

UNKNOWN_WINDOW = 32_768
"""Tokens assumed for a model whose size neither its provider's package nor the settings state."""

_NO_KEY = "none"
"""Servers on the own machine ask for none, the clients insist on one."""

_PACKAGES = {"google_genai": "`handrail[google]`", "ollama": "`handrail[ollama]`"}
"""Those that an extra of this distribution brings."""


@dataclass(frozen=True, slots=True)
class Models:
    """The model of each part of the work; a real provider's model serves them all."""

    main: BaseChatModel
    summary: BaseChatModel
    scripted: Any = None

    def for_agent(self, name: str) -> BaseChatModel:
        return self.main if self.scripted is None else self.scripted.for_role(name)


def load_models(settings: ModelSettings, keyring: Keyring, *, project: Path) -> Models:
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
    model = _load(provider, name, settings, keyring)
    return Models(model, model)


def _load_script(path: Path, project: Path) -> Models:
    from handrail.engine.scripted import load_scripted_model  # noqa: PLC0415  # only when chosen

    scripted = load_scripted_model(path, {"project": str(project)})
    return Models(scripted.for_role("main"), scripted.for_role("summary"), scripted)


def _load(provider: str, name: str, settings: ModelSettings, keyring: Keyring) -> BaseChatModel:
    access = keyring.need(provider, name, settings.base_url)
    options = client_options(provider, replace(settings, base_url=access.base_url))
    if provider in PROVIDERS:
        # Given in any case, so that no client looks for one by itself.
        options["api_key"] = access.secret.reveal() if access.secret else _NO_KEY
    try:
        model = stay_at_the_address(build_client(provider, name, options))
    except ImportError as error:
        if "socks" in str(error).lower():
            raise _no_such_proxy() from error
        raise ModelError(
            f"The package for the provider `{provider}` is not installed.",
            hint=f"Install {_PACKAGES.get(provider, 'it')} into the environment of Handrail.",
        ) from error
    except Exception as error:
        if "proxy" in str(error).lower():
            raise _no_such_proxy() from error
        raise ModelError(
            f"`{provider}:{name}` cannot be used: {without_secrets(str(error))}".splitlines()[0],
            hint="Write it as `provider:model`, for example `anthropic:claude-sonnet-4-6`.",
        ) from error
    return fit(provider, _with_window(model, settings))


def _no_such_proxy() -> ModelError:
    return ModelError(
        "The proxy that the environment names is of a kind that cannot be used.",
        hint="Set HTTPS_PROXY, or ALL_PROXY, to an address like `http://proxy:3128`, or unset it.",
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
