"""The commands that only show something: settings, sessions, the schema of the lines."""

from collections.abc import Iterable
from typing import Annotated

import typer

from handrail.plain_output import print_text

config = typer.Typer(help="Show the settings and where each comes from.", no_args_is_help=True)


def schema() -> None:
    """Print the JSON schema of the lines of -p --output jsonl."""
    from handrail.headless.schema import SCHEMA_FILE

    print_text(SCHEMA_FILE.read_text(encoding="utf-8"))


def sessions(
    every: Annotated[bool, typer.Option("--all", help="Of every project.")] = False,
) -> None:
    """List the sessions of this project, the latest first."""
    import time

    from handrail.ground import find_ground
    from handrail.sessions.index import SessionIndex
    from handrail.sessions.listing import session_lines

    ground = find_ground()
    with SessionIndex.open(ground.places) as index:
        _warn(index.notices)
        records = index.recent(None if every else ground.project)
    for line in session_lines(records, now=time.time(), with_project=every):
        print_text(line)
    if not records:
        print_text(
            "There are no sessions yet."
            if every
            else f"There are no sessions in {ground.project} yet."
        )


@config.command()
def show(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Print every setting with its value and origin."""
    from handrail.configuration import show as shown
    from handrail.ground import find_ground

    configuration = find_ground().configuration(context.obj)
    _warn(configuration.notices)
    for line in [shown.as_json(configuration)] if as_json else shown.as_lines(configuration):
        print_text(line)


@config.command()
def path() -> None:
    """Print where your settings file is read from."""
    from handrail.ground import find_ground

    print_text(str(find_ground().places.settings_file))


def _warn(notices: Iterable[str]) -> None:
    for notice in notices:
        print_text(notice, error=True)
