"""The command `agent auth`: stores, lists and removes keys."""

from typing import Annotated

import typer


def _providers() -> list[str]:
    from handrail.credentials.providers import PROVIDERS

    return list(PROVIDERS)


Service = Annotated[
    str | None,
    typer.Argument(
        metavar="PROVIDER",
        help="anthropic, openai, google_genai, or the address of a server of your own.",
        show_default=False,
        autocompletion=_providers,
    ),
]
Listed = Annotated[bool, typer.Option("--list", help="Show who has a key and where it is found.")]
Removed = Annotated[bool, typer.Option("--remove", help="Remove the stored key of PROVIDER.")]
Stdin = Annotated[bool, typer.Option("--stdin", help="Read the key from standard input.")]


def auth(
    service: Service = None,
    *,
    listed: Listed = False,
    remove: Removed = False,
    stdin: Stdin = False,
) -> None:
    """Store the key of a model service, readable by you alone."""
    from handrail.onboarding.commands import list_keys, read_key, remove_key
    from handrail.onboarding.dialogue import ask_for_key

    if listed:
        list_keys()
    elif remove:
        remove_key(service)
    elif stdin:
        read_key(service)
    else:
        ask_for_key(service)
