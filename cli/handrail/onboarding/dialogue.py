"""The dialogue of `agent auth`: whose key, the key unseen, a check if wanted, a default model."""

import os
import sys
from getpass import getpass

from handrail.configuration.kinds import ModelName, UnfitError, Url
from handrail.credentials.key_files import checked
from handrail.credentials.providers import PROVIDERS
from handrail.credentials.secret import Secret
from handrail.errors import HandrailError, ModelError, TerminalError
from handrail.ground import Ground, find_ground
from handrail.onboarding.check import complaint_about
from handrail.onboarding.commands import store_key
from handrail.onboarding.own_settings import write_model
from handrail.onboarding.service import Service, find_service
from handrail.plain_output import print_text
from handrail.reachability import place


class _LeftError(HandrailError):
    """The person went away."""


def ask_for_key(name: str | None) -> None:
    """Everything is asked for; nothing is sent or changed without a yes."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        raise TerminalError(
            "`agent auth` asks for the key in a terminal, and here is none. Nothing was changed.",
            hint="Give the key on standard input: agent auth PROVIDER --stdin < FILE",
        )
    ground = find_ground()
    service = find_service(name) if name is not None else _ask_service()
    secret = _ask_secret(service)
    if secret is not None and _is_kept(service, secret):
        store_key(ground, service, secret)
    _offer_model(ground, service)


def _ask_service() -> Service:
    print_text("Whose key do you want to store?")
    print_text("")
    providers = list(PROVIDERS.values())
    for number, provider in enumerate(providers, start=1):
        print_text(f"  {number}  {provider.title}")
    print_text(f"  {len(providers) + 1}  a server of your own that speaks the OpenAI protocol")
    print_text("")
    while True:
        answer = _ask("Number: ")
        if answer == str(len(providers) + 1):
            return _ask_server()
        if answer.isdecimal() and 0 < int(answer) <= len(providers):
            return find_service(providers[int(answer) - 1].name)


def _ask_server() -> Service:
    while True:
        try:
            address = Url().from_text(_ask("Its address, like http://localhost:8000/v1: "))
            return find_service(str(address))
        except UnfitError as unfit:
            print_text(f"Expected {unfit}.")


def _ask_secret(service: Service) -> Secret | None:
    """None when nothing was entered."""
    while True:
        try:
            entered = getpass(f"Key for {service.title} (not shown; Enter alone for none): ")
            if not entered.strip():
                return None
            return checked(entered.encode("utf-8", "surrogateescape"), "your input")
        except EOFError as error:
            raise _LeftError("Nothing was changed.") from error
        except ModelError as unfit:
            print_text(unfit.paragraph)


def _is_kept(service: Service, secret: Secret) -> bool:
    if not _agrees(f"Check it now with one request to {place(service.models_url)}?"):
        return True
    complaint = complaint_about(service, secret)
    print_text(complaint or f"{service.title} takes the key.")
    return complaint is None or _agrees("Store it all the same?")


def _offer_model(ground: Ground, service: Service) -> None:
    example = f"{service.provider.name}:{service.provider.example if service.is_own else 'MODEL'}"
    file = ground.places.settings_file
    print_text(f"A default model goes into {file}.")
    while answer := _ask(f"Default model, like {example} (Enter alone leaves it): "):
        name = answer if ":" in answer else f"{service.provider.name}:{answer}"
        try:
            model = str(ModelName().from_text(name))
        except UnfitError as unfit:
            print_text(f"Expected {unfit}.")
            continue
        ground.places.make_config()
        write_model(file, model, None if service.is_own else service.address)
        print_text(f"The default model is {model}. Start it with: agent")
        return


def _agrees(question: str) -> bool:
    return _ask(f"{question} [y/N] ").lower() in {"y", "yes"}


def _ask(question: str) -> str:
    """Raises `HandrailError` at the end of the input."""
    sys.stdout.write(question)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        sys.stdout.write(os.linesep)
        raise _LeftError("You left; what was told above is done, nothing else was changed.")
    return line.strip()
