"""Typed looks into parsed JSON of unknown shape: what has the wrong type counts as empty."""

from collections.abc import Mapping, Sequence
from typing import cast

Json = Mapping[str, object]


def mapping(value: object) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


def items(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def string(value: object) -> str:
    return value if isinstance(value, str) else ""
