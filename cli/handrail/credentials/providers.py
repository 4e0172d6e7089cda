"""The providers whose keys are managed: their variables, addresses and how a key is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Provider:
    name: str
    """As in `provider:model`."""
    title: str
    address: str
    """Its own, where its key may be sent."""
    key_variables: tuple[str, ...]
    """The first is the one to recommend."""
    address_variables: tuple[str, ...]
    """Name another address; its client reads them too."""
    example: str
    """A model of it."""
    models_page: str
    """Below the address; lists the models."""
    key_header: str = "Authorization"
    headers: tuple[tuple[str, str], ...] = ()

    def headers_with(self, key: str) -> dict[str, str]:
        value = f"Bearer {key}" if self.key_header == "Authorization" else key
        return {**dict(self.headers), self.key_header: value}


PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            name="anthropic",
            title="Anthropic",
            address="https://api.anthropic.com",
            key_variables=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
            address_variables=("ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"),
            example="claude-sonnet-4-6",
            models_page="/v1/models",
            headers=(("anthropic-version", "2023-06-01"),),
        ),
        Provider(
            name="openai",
            title="OpenAI",
            address="https://api.openai.com/v1",
            key_variables=("OPENAI_API_KEY",),
            address_variables=("OPENAI_API_BASE", "OPENAI_BASE_URL"),
            example="gpt-5.4",
            models_page="/models",
        ),
        Provider(
            name="google_genai",
            title="Google",
            address="https://generativelanguage.googleapis.com",
            key_variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            address_variables=(),
            example="gemini-3.5-flash",
            models_page="/v1beta/models",
            key_header="x-goog-api-key",
        ),
    )
}


def origin(address: str) -> str:
    """Scheme, host and port: what a key of a server belongs to. Raises `ValueError`."""
    url = urlsplit(address)
    if url.scheme not in _PORTS or not url.hostname:
        raise ValueError(address)
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    port = url.port or _PORTS[url.scheme]
    return f"{url.scheme}://{host}" + ("" if port == _PORTS[url.scheme] else f":{port}")


def provider_at(address: str) -> Provider | None:
    """Whose own address it is."""
    here = origin(address)
    return next((it for it in PROVIDERS.values() if origin(it.address) == here), None)
