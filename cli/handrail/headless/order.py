"""What a run without a screen is to do: the options of `-p`, read and checked before it starts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from handrail.caps import Caps
from handrail.errors import UsageError
from handrail.headless.final_file import FinalFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from handrail.headless.answer import AnswerSchema

Output = Literal["text", "jsonl"]
OUTPUTS: tuple[Output, ...] = ("text", "jsonl")

_WHOLE = re.compile(r"[0-9]{1,12}")
_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


@dataclass(frozen=True, slots=True)
class Order:
    output: Output = "text"
    caps: Caps = field(default_factory=Caps)
    seconds: float | None = None
    """For the whole run, the opening of its session included."""
    final: FinalFile | None = None
    schema: "AnswerSchema | None" = None


def read_order(options: Mapping[str, str | None]) -> Order:
    """From the options by their names, None for those not given. Raises `UsageError`."""
    seconds = _number(options, "--max-seconds", _DECIMAL, "a number of seconds like 90")
    rounds = _number(options, "--max-rounds", _WHOLE, "a whole number like 20")
    tokens = _number(options, "--max-tokens", _WHOLE, "a whole number like 200000")
    final, schema = options["--final"], options["--output-schema"]
    return Order(
        output=_output(options["--output"]),
        caps=Caps(
            rounds=None if rounds is None else int(rounds),
            tokens=None if tokens is None else int(tokens),
        ),
        seconds=seconds,
        final=None if final is None else FinalFile(Path(final)),
        schema=None if schema is None else _read_schema(Path(schema)),
    )


def _output(given: str | None) -> Output:
    for output in OUTPUTS:
        if given in (None, output):
            return output
    raise UsageError(f"--output is {given!r}; expected {' or '.join(OUTPUTS)}.")


def _number(
    options: Mapping[str, str | None], name: str, form: re.Pattern[str], expected: str
) -> float | None:
    given = options[name]
    if given is None:
        return None
    if not form.fullmatch(given) or float(given) <= 0:
        raise UsageError(f"{name} is {given!r}; expected {expected}.")
    return float(given)


def _read_schema(file: Path) -> "AnswerSchema":
    """The validator is loaded only when there is something to validate."""
    module = import_module("handrail.headless.answer")
    return cast("Callable[[Path], AnswerSchema]", module.read_schema)(file)
