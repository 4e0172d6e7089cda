"""The options of `agent` and what its help says of them."""

from collections.abc import Mapping
from typing import Annotated

import typer

from handrail.errors import UsageError


def _outputs() -> list[str]:
    return ["text", "jsonl"]


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
Print = Annotated[
    bool,
    typer.Option(
        "--print",
        "-p",
        help="Answer the message, and what is piped in, without a screen. Nobody is asked:"
        " a call that needs an approval is refused.",
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        metavar="text|jsonl",
        help="With -p: the answer (text, the default) or every event as a line of JSON.",
        autocompletion=_outputs,
    ),
]
MaxRounds = Annotated[
    str | None, typer.Option(metavar="N", help="With -p: at most N model requests.")
]
MaxTokens = Annotated[
    str | None,
    typer.Option(metavar="N", help="With -p: no further request once they took N tokens."),
]
MaxSeconds = Annotated[str | None, typer.Option(metavar="N", help="With -p: stop after N seconds.")]
Final = Annotated[
    str | None, typer.Option(metavar="FILE", help="With -p: write the answer to a file, too.")
]
OutputSchema = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="With -p: the answer is JSON that fits this JSON schema."),
]

OfPrint = Mapping[str, str | None]
"""The options that belong to -p by their names, None for those that were not given."""


def refuse_contradictions(
    command: str | None, of_print: OfPrint, *, go_on: bool, resume: str | None, print_: bool
) -> None:
    if go_on and resume is not None:
        raise UsageError("--continue and --resume exclude each other.", hint="Give one of them.")
    if not print_ and (option := _first_given(of_print)):
        raise UsageError(f"{option} goes with -p, the answer without a screen.")
    if command is None:
        return
    if go_on or resume is not None:
        raise UsageError("--continue and --resume are for sessions, not for other commands.")
    if print_:
        raise UsageError(
            f"-p is for a message, and {command} is a command.",
            hint=f"To send it as a message: agent -p -- {command}",
        )


def _first_given(options: OfPrint) -> str | None:
    return next((name for name, value in options.items() if value is not None), None)
