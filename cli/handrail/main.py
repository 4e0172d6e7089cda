"""The entry: parses the command line, settles what to start and hands over."""

import os
import sys
import warnings
from collections.abc import Iterable, MutableMapping
from contextlib import suppress
from typing import Annotated

import typer
from typer.core import TyperGroup, TyperOption

from handrail import __version__
from handrail.command_line import CommandLine, split_command_line
from handrail.errors import HandrailError, UsageError
from handrail.exit_codes import ExitCode
from handrail.plain_options import take_as_typed
from handrail.plain_output import flush_output, print_text

_HELP = ["-h", "--help"]
_TRACING = ("LANGSMITH_", "LANGCHAIN_")

app = typer.Typer(
    name="agent",
    help="A coding agent for the terminal: you see and decide everything it does.",
    epilog="Words that are no command are the first message: agent fix the failing test",
    subcommand_metavar="[MESSAGE]... | COMMAND",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": _HELP},
)
config = typer.Typer(help="Show the settings and where each comes from.", no_args_is_help=True)
app.add_typer(config, name="config")

Model = Annotated[
    str | None,
    typer.Option(metavar="PROVIDER:MODEL", help="The model, or script:FILE for a scripted one."),
]
BaseUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="Of a server that speaks the model's protocol.")
]
Continue = Annotated[
    bool, typer.Option("--continue", "-c", help="Go on with the project's latest session.")
]
Resume = Annotated[str | None, typer.Option(metavar="ID", help="Go on with this session.")]


def run() -> None:
    """The command `agent`. No traceback reaches the person."""
    _forget_tracing(os.environ)
    if not sys.warnoptions:
        # Warnings are for developers; on the screen of a person they are only damage.
        warnings.simplefilter("ignore")
    code = _run(sys.argv[1:])
    sys.exit(code if flush_output() else code or ExitCode.FAILURE)


def _run(arguments: list[str]) -> int:
    try:
        return _dispatch(arguments)
    except HandrailError as error:
        return _tell(error)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the top of the program
        from handrail.crash import crashed

        return _tell(crashed(error))


def _dispatch(arguments: list[str]) -> int:
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    take_as_typed(command, help_names=_HELP)
    options = [option for option in command.params if isinstance(option, TyperOption)]
    with_value = [name for option in options if not option.is_flag for name in option.opts]
    line = split_command_line(arguments, commands=command.commands, with_value=with_value)
    try:
        command(list(line.options), obj=line)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else ExitCode.OK
    return ExitCode.OK


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"handrail {__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option(
        "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
]


@app.callback()
def start(
    context: typer.Context,
    *,
    model: Model = None,
    base_url: BaseUrl = None,
    go_on: Continue = False,
    resume: Resume = None,
    version: Version = False,  # noqa: ARG001 - its callback has answered
) -> None:
    line: CommandLine = context.obj
    context.obj = {"model.name": model, "model.base_url": base_url}
    if go_on and resume is not None:
        raise UsageError("--continue and --resume exclude each other.", hint="Give one of them.")
    if context.invoked_subcommand is None:
        from handrail.launch import start_session

        raise typer.Exit(start_session(context.obj, line.message, go_on=go_on, resume=resume))
    if go_on or resume is not None:
        raise UsageError("--continue and --resume are for sessions, not for other commands.")


@app.command()
def demo() -> None:
    """Watch the agent repair a small project, without a key."""
    from handrail.demo.run import run_demo

    raise typer.Exit(run_demo())


@app.command()
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


def _tell(error: HandrailError) -> int:
    with suppress(HandrailError, OSError):  # the exit code says it too
        print_text(error.paragraph, error=True)
    return error.exit_code


def _forget_tracing(environ: MutableMapping[str, str]) -> None:
    """The libraries would send what they see to a server when these are set."""
    for name in [name for name in environ if name.startswith(_TRACING)]:
        del environ[name]
