"""What `agent auth` does without asking anything: list, remove, read from standard input."""

import os
import sys
from collections.abc import Iterator

from handrail.credentials.key_files import (
    checked,
    key_file,
    owners,
    read_key_file,
    remove_key_file,
    write_key_file,
)
from handrail.credentials.providers import PROVIDERS
from handrail.credentials.secret import Secret
from handrail.errors import HandrailError, ModelError, UsageError
from handrail.ground import Ground, find_ground
from handrail.onboarding.service import Service, find_service
from handrail.plain_output import print_text

_MOST_BYTES = 64 * 1024


def list_keys() -> None:
    ground = find_ground()
    names = [*PROVIDERS, *(name for name in owners(ground.places.keys) if name not in PROVIDERS)]
    width = max(map(len, names))
    commands = ground.configuration({}).settings.keys.commands
    for name in names:
        found = list(_sources(ground, name, commands.get(name, ())))
        print_text(f"{name:{width}}  {', which goes before '.join(found) or 'no key'}")


def remove_key(name: str | None) -> None:
    service = _named(name)
    folder = find_ground().places.keys
    if not remove_key_file(folder, service.key_name):
        raise HandrailError(f"There is no stored key for {service.key_name}. Nothing was changed.")
    print_text(f"The stored key for {service.key_name} was removed.")
    tell_variables(service)


def read_key(name: str | None) -> None:
    service = _named(name)
    if sys.stdin is None:  # closed before the start
        raise UsageError("Standard input is closed, so no key was read.")
    content = sys.stdin.buffer.read(_MOST_BYTES)
    store_key(find_ground(), service, checked(content, "standard input"))


def store_key(ground: Ground, service: Service, secret: Secret) -> None:
    file = write_key_file(ground.places.make_keys(), service.key_name, secret)
    print_text(f"The key for {service.title} is stored in {file}, which only you can read.")
    tell_variables(service)


def tell_variables(service: Service) -> None:
    """A variable that is set goes before what is stored."""
    for variable in service.variables_set(os.environ):
        print_text(f"{variable} is set in the environment and goes before a stored key.")


def _named(name: str | None) -> Service:
    if name is None:
        raise UsageError("Say whose key it is.", hint="For example: agent auth openai --stdin")
    return find_service(name)


def _sources(ground: Ground, name: str, command: tuple[str, ...]) -> Iterator[str]:
    """Where a key is found, the first that counts first. Runs no command, shows no key."""
    if name in PROVIDERS:
        for variable in PROVIDERS[name].key_variables:
            if os.environ.get(variable):
                yield f"the variable {variable}"
    if command:
        yield f"the command of keys.{name}_command"
    try:
        if read_key_file(ground.places.keys, name):
            yield f"the file {key_file(ground.places.keys, name)}"
    except ModelError as error:
        yield error.paragraph
