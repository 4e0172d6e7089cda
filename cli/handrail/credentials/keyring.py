"""Which key goes to which address: the one rule for environment, settings and key files.

For a provider at its own address: its variable, then the command of the settings, then the file
of `agent auth`. Any other address is a server of the person's own. It gets the key that was stored
for just this server, then the provider's variable, which whoever starts the program has set for
it; what was stored for the provider goes to the provider alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from handrail.credentials.key_command import run_key_command
from handrail.credentials.key_files import checked, read_key_file
from handrail.credentials.providers import PROVIDERS, Provider, origin
from handrail.credentials.secret import Secret
from handrail.errors import ModelError


@dataclass(frozen=True, slots=True)
class Access:
    """Where requests go and with which key."""

    base_url: str | None
    """None: the provider's own address."""
    secret: Secret | None


@dataclass(frozen=True, slots=True)
class Keyring:
    folder: Path
    """Of the key files."""
    commands: Mapping[str, tuple[str, ...]]
    """By provider."""
    environ: Mapping[str, str] = field(repr=False)

    def access(self, provider_name: str, base_url: str | None) -> Access:
        """Raises `ModelError` for a key that cannot be had.

        Clients of providers that are not known here find their key themselves.
        """
        provider = PROVIDERS.get(provider_name)
        if provider is None:
            return Access(base_url, None)
        base_url = base_url or self._address_in_environment(provider)
        return Access(base_url, self._find(provider, base_url))

    def need(self, provider_name: str, model: str, base_url: str | None) -> Access:
        """The same; a provider without a key is refused, a server of the person's own is not."""
        found = self.access(provider_name, base_url)
        provider = PROVIDERS.get(provider_name)
        if provider and found.secret is None and _is_own(provider, found.base_url):
            variable = provider.key_variables[0]
            raise ModelError(
                f"There is no key for `{provider_name}:{model}`.",
                hint=f"Set {variable} in the environment, or run `agent auth {provider_name}`.",
            )
        return found

    def from_environment(self, provider: Provider) -> Secret | None:
        for name in provider.key_variables:
            if value := self.environ.get(name):
                return checked(value.encode("utf-8", "surrogateescape"), f"the variable {name}")
        return None

    def _address_in_environment(self, provider: Provider) -> str | None:
        for name in provider.address_variables:
            if address := self.environ.get(name):
                try:
                    origin(address)
                except ValueError as error:
                    raise ModelError(
                        f"The variable {name} holds no address like `http://localhost:8000/v1`.",
                        hint="Correct or unset it.",
                    ) from error
                return address
        return None

    def _find(self, provider: Provider, base_url: str | None) -> Secret | None:
        if base_url is not None and not _is_own(provider, base_url):
            stored = read_key_file(self.folder, origin(base_url))
            return stored or self.from_environment(provider)
        if secret := self.from_environment(provider):
            return secret
        if command := self.commands.get(provider.name):
            setting = f"keys.{provider.name}_command"
            return run_key_command(command, setting, self.environ)
        return read_key_file(self.folder, provider.name)


def _is_own(provider: Provider, base_url: str | None) -> bool:
    return base_url is None or origin(base_url) == origin(provider.address)
