"""What each provider's client is told beside its model: format, retries off, limits."""

from typing import Any, cast

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel

from handrail.settings import ModelSettings

_OPENAI = "openai"
_OLLAMA = "ollama"

_MEASURE_SILENCE = frozenset({"anthropic", "openai"})
"""Their clients take a timeout for the time between two bytes."""

_VERSIONED_BY_CLIENT = frozenset({"anthropic", _OLLAMA})

_SEALED_REASONING = "reasoning.encrypted_content"


def client_options(provider: str, settings: ModelSettings) -> dict[str, Any]:
    options = {**_without_retries(provider), **_limits(provider, settings)}
    if settings.base_url:
        options["base_url"] = _address(provider, settings.base_url)
    if provider in _MEASURE_SILENCE:
        options["timeout"] = settings.idle_timeout_s
    if provider == _OPENAI:
        options |= _responses() if speaks_responses(settings) else _chat()
    return options


def build_client(provider: str, name: str, options: dict[str, Any]) -> BaseChatModel:
    """Imports the provider's package; raises what that or the client raises."""
    if provider == _OPENAI and not options["use_responses_api"]:
        from handrail.engine.reasoning_chat import ReasoningChatOpenAI  # noqa: PLC0415  # only when chosen

        return ReasoningChatOpenAI(model=name, **options)
    return cast("BaseChatModel", init_chat_model(name, model_provider=provider, **options))


def speaks_responses(settings: ModelSettings) -> bool:
    """OpenAI itself is asked by its Responses API, other servers mostly know the older format."""
    return (settings.api or ("chat" if settings.base_url else "responses")) == "responses"


def fit(provider: str, model: BaseChatModel) -> BaseChatModel:
    """What only the built model tells: its window, and whether it reasons."""
    profile: dict[str, Any] = dict(model.profile or {})
    changes: dict[str, Any] = {}
    if provider == _OLLAMA:
        # Without it the server cuts a longer history and says nothing.
        changes["num_ctx"] = profile.get("max_input_tokens")
    if getattr(model, "use_responses_api", False) and profile.get("reasoning_output") is not False:
        changes["include"] = [_SEALED_REASONING]
    return model.model_copy(update=changes) if changes else model


def _address(provider: str, url: str) -> str:
    """Some clients put the version into the path themselves."""
    if provider in _VERSIONED_BY_CLIENT:
        return url.rstrip("/").removesuffix("/v1")
    return url


def _responses() -> dict[str, Any]:
    """Nothing stays at the service, so that a session can go on with any other model."""
    return {"use_responses_api": True, "store": False, "stream_chunk_timeout": None}


def _chat() -> dict[str, Any]:
    return {"use_responses_api": False, "stream_usage": True, "stream_chunk_timeout": None}


def _without_retries(provider: str) -> dict[str, Any]:
    match provider:
        case "ollama":
            return {}  # its client has none
        case "google_genai":
            return {"max_retries": 1}  # counts the tries, and takes 0 for its own default
        case _:
            return {"max_retries": 0}


def _limits(provider: str, settings: ModelSettings) -> dict[str, Any]:
    if not settings.max_output_tokens:
        return {}
    name = "num_predict" if provider == _OLLAMA else "max_tokens"
    return {name: settings.max_output_tokens}
