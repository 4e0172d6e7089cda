"""The layers of the settings, each a set of changes to the values of the layers below it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from handrail.configuration.keys import BY_NAME, KEYS, Key, nearest
from handrail.configuration.kinds import UnfitError, Value
from handrail.configuration.toml_file import (
    PROJECT_FILE,
    RefusedError,
    leaves,
    read_project_file,
    read_user_file,
)
from handrail.errors import HandrailError, SettingsError, UsageError

Values = Mapping[str, Value]
Changes = dict[str, tuple[Value, str]]
"""By key, the new value and where it came from."""

_NO_SETTINGS = {"HANDRAIL_HOME": None}
_SECRETS = ("key", "token", "secret", "password")


def user_changes(file: Path) -> Changes:
    changes: Changes = {}
    for name, value in leaves(read_user_file(file)):
        key = BY_NAME.get(name)
        if key is None:
            raise _unknown(file, name)
        try:
            changes[name] = (key.kind.from_toml(value), str(file))
        except UnfitError as unfit:
            raise SettingsError(
                f"In {file}, {name} is {_shown(key, value)}; expected {unfit}.",
                hint="Correct it there.",
            ) from unfit
    return changes


def project_changes(project: Path, below: Values) -> tuple[Changes, list[str]]:
    """What the project's file tightens, and a notice for all else that it tries. Never raises."""
    changes: Changes = {}
    notices: list[str] = []
    try:
        wanted = list(leaves(read_project_file(project)))
    except RefusedError as refused:
        return {}, [f"The project's settings {PROJECT_FILE} were ignored: {refused}."]
    for name, value in wanted:
        try:
            changes[name] = (_tightened(name, value, below), PROJECT_FILE)
        except RefusedError as refused:
            notices.append(f"{name} in the project's {PROJECT_FILE} was ignored: {refused}.")
    return changes, notices


def environment_changes(environ: Mapping[str, str]) -> tuple[Changes, list[str]]:
    """Variables that are empty count as not set."""
    changes: Changes = {}
    for key in KEYS:
        set_ones = [name for name in key.variables if environ.get(name)]
        if len({environ[name] for name in set_ones}) > 1:
            raise SettingsError(
                f"The variables {' and '.join(set_ones)} say different things about {key.name}.",
                hint="Unset one of them.",
            )
        for name in set_ones[:1]:
            changes[key.name] = (_from_text(key, environ[name], f"The variable {name}"), name)
    return changes, list(_misspelt(environ))


def flag_changes(flags: Mapping[str, str | None]) -> Changes:
    """`flags` by key; None for one that was not given."""
    changes: Changes = {}
    for name, text in flags.items():
        key = BY_NAME[name]
        if text is not None:
            flag = key.flag or name
            value = _from_text(key, text, f"The option {flag}", kind_of_error=UsageError)
            changes[name] = (value, flag)
    return changes


def conflict(values: Values) -> str | None:
    """Two values that do not go together, or None."""
    keep, summarize_at = values["context.keep"], values["context.summarize_at"]
    if isinstance(keep, float) and isinstance(summarize_at, float) and keep >= summarize_at:
        return "context.keep must be smaller than context.summarize_at"
    return None


def _tightened(name: str, value: object, below: Values) -> Value:
    key = BY_NAME.get(name)
    if key is None:
        raise RefusedError("there is no such setting")
    if key.project_may == "nothing":
        raise RefusedError(key.why_not)
    try:
        wanted = key.kind.from_toml(value)
    except UnfitError as unfit:
        raise RefusedError(f"expected {unfit}") from unfit
    current = below[name]
    if not isinstance(wanted, (int, float)) or not isinstance(current, (int, float)):
        raise RefusedError("it cannot be compared")
    if wanted > current:
        raise RefusedError(f"a project may only lower it, and it is {current} already")
    if clash := conflict({**below, name: wanted}):
        raise RefusedError(clash)
    return wanted


def _from_text(
    key: Key, text: str, whose: str, *, kind_of_error: type[HandrailError] = SettingsError
) -> Value:
    try:
        return key.kind.from_text(text)
    except UnfitError as unfit:
        raise kind_of_error(f"{whose} is {_shown(key, text)}; expected {unfit}.") from unfit


def _unknown(file: Path, name: str) -> SettingsError:
    if any(word in name.lower() for word in _SECRETS):
        hint = (
            "Keys do not stand in this file: set a variable such as ANTHROPIC_API_KEY, run"
            " `agent auth`, or name a command that prints it, such as keys.anthropic_command."
        )
    elif meant := nearest(name, BY_NAME):
        hint = f"Did you mean {meant}?"
    else:
        hint = "`agent config show` lists the settings there are."
    return SettingsError(f"In {file}, there is no setting {name}.", hint=hint)


def _misspelt(environ: Mapping[str, str]) -> Iterable[str]:
    known = {variable: key for key in KEYS for variable in key.variables}
    for name in environ:
        if name.startswith("HANDRAIL_") and name not in known and name not in _NO_SETTINGS:
            meant = nearest(name, known)
            if meant is not None:
                yield f"The variable {name} is not known and was ignored. Did you mean {meant}?"


def _shown(key: Key, value: object) -> str:
    """Short, on one line, and without the part of an address that may be secret."""
    if key.name.startswith("keys."):
        return "not shown here"
    if isinstance(value, str) and "@" in value:
        return "a text with an @"
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
