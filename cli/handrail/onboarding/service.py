"""The service a key is for: a provider at its own address, or a server of the person's own."""

from collections.abc import Mapping
from dataclasses import dataclass

from handrail.configuration.kinds import UnfitError, Url
from handrail.credentials.providers import PROVIDERS, Provider, origin, provider_at
from handrail.errors import UsageError
from handrail.reachability import place

_ALSO = {"google": "google_genai"}


@dataclass(frozen=True, slots=True)
class Service:
    provider: Provider
    """A server of the person's own speaks the protocol of this one."""
    address: str
    is_own: bool
    """Of the provider."""

    @property
    def key_name(self) -> str:
        """Under which its key is stored."""
        return self.provider.name if self.is_own else origin(self.address)

    @property
    def title(self) -> str:
        return self.provider.title if self.is_own else place(self.address)

    @property
    def models_url(self) -> str:
        return self.address.rstrip("/") + self.provider.models_page

    def variables_set(self, environ: Mapping[str, str]) -> list[str]:
        """The variables of its key that go before a stored one."""
        names = self.provider.key_variables if self.is_own else ()
        return [name for name in names if environ.get(name)]


def find_service(name: str) -> Service:
    """By the name of a provider or by an address. Raises `UsageError`."""
    name = _ALSO.get(name, name)
    if provider := PROVIDERS.get(name):
        return Service(provider, provider.address, is_own=True)
    try:
        address = str(Url().from_text(name))
        own = provider_at(address)
    except (UnfitError, ValueError) as error:
        raise UsageError(
            "PROVIDER is neither a provider with a key nor an address.",
            hint=f"Give {', '.join(PROVIDERS)} or an address like `http://localhost:8000/v1`.",
        ) from error
    if own is not None:
        return Service(own, own.address, is_own=True)
    return Service(PROVIDERS["openai"], address, is_own=False)
