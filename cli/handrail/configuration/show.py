"""The settings as text for the person and as JSON for programs, each with its origin."""

import json
from collections.abc import Iterator

from handrail.configuration.kinds import Value
from handrail.configuration.load import Configuration


def as_lines(configuration: Configuration) -> Iterator[str]:
    for name, value in configuration.values().items():
        yield f"{name} = {_as_toml(value)}  ({configuration.origins[name]})"


def as_json(configuration: Configuration) -> str:
    shown = {
        name: {"value": value, "origin": configuration.origins[name]}
        for name, value in configuration.values().items()
    }
    return json.dumps(shown, indent=2)


def _as_toml(value: Value) -> str:
    return "not set" if value is None else json.dumps(value, ensure_ascii=False)
