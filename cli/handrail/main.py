"""The entry: parses the command line, settles what to start and hands over."""

import os
import sys
import warnings
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Annotated

import typer
from typer.core import TyperGroup, TyperOption

from handrail import __version__
from handrail.auth_command import auth
from handrail.command_line import CommandLine, split_command_line
from handrail.errors import HandrailError
from handrail.exit_codes import ExitCode
from handrail.inquiries import config, schema, sessions
from handrail.options import (
    BaseUrl,
    Continue,
    Final,
    MaxRounds,
    MaxSeconds,
    MaxTokens,
    Model,
    Output,
    OutputSchema,
    Print,
    Resume,
    refuse_contradictions,
)
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
app.command()(auth)
app.command()(sessions)
app.command()(schema)
app.add_typer(config, name="config")


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
def start(  # noqa: PLR0913 - the command line has as many options
    context: typer.Context,
    *,
    model: Model = None,
    base_url: BaseUrl = None,
    go_on: Continue = False,
    resume: Resume = None,
    print_: Print = False,
    output: Output = None,
    final: Final = None,
    output_schema: OutputSchema = None,
    max_rounds: MaxRounds = None,
    max_tokens: MaxTokens = None,
    max_seconds: MaxSeconds = None,
    version: Version = False,  # noqa: ARG001 - its callback has answered
) -> None:
    line: CommandLine = context.obj
    context.obj = {"model.name": model, "model.base_url": base_url}
    of_print = {
        "--output": output,
        "--final": final,
        "--output-schema": output_schema,
        "--max-rounds": max_rounds,
        "--max-tokens": max_tokens,
        "--max-seconds": max_seconds,
    }
    refuse_contradictions(
        context.invoked_subcommand, of_print, go_on=go_on, resume=resume, print_=print_
    )
    if context.invoked_subcommand is not None:
        return
    if print_:
        from handrail.launch_print import print_session

        code = print_session(context.obj, of_print, line.message, go_on=go_on, resume=resume)
    else:
        from handrail.launch import start_session

        code = start_session(context.obj, line.message, go_on=go_on, resume=resume)
    raise typer.Exit(code)


@app.command()
def demo() -> None:
    """Watch the agent repair a small project, without a key."""
    from handrail.demo.run import run_demo

    raise typer.Exit(run_demo())


def _tell(error: HandrailError) -> int:
    with suppress(HandrailError, OSError):  # the exit code says it too
        print_text(error.paragraph, error=True)
    return error.exit_code


def _forget_tracing(environ: MutableMapping[str, str]) -> None:
    """The libraries would send what they see to a server when these are set."""
    for name in [name for name in environ if name.startswith(_TRACING)]:
        del environ[name]
