"""Events as JSON objects and back: `{"type": "TextFinished", ...}`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import Field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, ClassVar, Literal, Protocol, cast, get_args, get_origin, get_type_hints

from handrail import events
from handrail.events import Event
from handrail.whole_text import without_surrogates

_DEEPEST = 64
"""Arguments nested deeper than this become text."""


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


class _UnreadableError(Exception):
    """The data do not fit the type."""


def encode(event: Event) -> dict[str, object]:
    """Only what JSON can hold: lone surrogates are replaced, unknown objects become text."""
    return {"type": type(event).__name__, **_encoded_fields(event, 0)}


def decode(data: object) -> Event | None:
    """None for what is not an event this version knows; keys it does not know are left out."""
    if not isinstance(data, dict):
        return None
    known = event_types().get(str(cast("dict[str, object]", data).get("type")))
    if known is None:
        return None
    try:
        return cast("Event", _read_dataclass(known, cast("object", data)))
    except _UnreadableError:
        return None


@cache
def event_types() -> Mapping[str, type[Event]]:
    """By name. The module is asked: `__subclasses__` also lists what slots left behind."""
    return {
        name: value
        for name, value in vars(events).items()
        if isinstance(value, type) and issubclass(value, Event) and value is not Event
    }


def _encoded_fields(value: _Dataclass, depth: int) -> dict[str, object]:
    return {f.name: _encoded(getattr(value, f.name), depth + 1) for f in fields(value)}


def _encoded(value: object, depth: int) -> object:
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, str) or depth > _DEEPEST:
        return without_surrogates(value if isinstance(value, str) else "(nested too deeply)")
    return _encoded_container(value, depth)


def _encoded_container(value: object, depth: int) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return _encoded_fields(value, depth)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {without_surrogates(str(key)): _encoded(item, depth + 1) for key, item in pairs}
    if isinstance(value, (list, tuple)):
        return [_encoded(item, depth + 1) for item in cast("Sequence[object]", value)]
    return without_surrogates(str(value))


def _read(expected: object, value: object) -> object:
    if expected is object:
        return value
    if isinstance(expected, type) and is_dataclass(expected):
        return _read_dataclass(expected, value)
    if (origin := get_origin(expected)) is not None:
        return _read_generic(origin, get_args(expected), value)
    # Not isinstance: a bool is no int here.
    return _require(type(value) is expected, value)


def _read_generic(origin: object, arguments: Sequence[object], value: object) -> object:
    if origin is UnionType:
        return _read_union(arguments, value)
    if origin is tuple:
        return _read_tuple(arguments[0], value)
    if origin is Literal:
        return _require(value in arguments, value)
    if origin is Mapping:
        return _read_object(value)
    raise _UnreadableError


def _read_union(options: Sequence[object], value: object) -> object:
    for option in options:
        try:
            return _read(option, value)
        except _UnreadableError:
            continue
    raise _UnreadableError


def _read_tuple(item_type: object, value: object) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise _UnreadableError
    return tuple(_read(item_type, item) for item in cast("list[object]", value))


def _read_object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _UnreadableError
    return cast("dict[str, object]", value)


def _read_dataclass(expected: type[_Dataclass], value: object) -> object:
    data = _read_object(value)
    arguments: dict[str, object] = {}
    for name, (expected_type, is_required) in _readable_fields(expected).items():
        if name in data:
            arguments[name] = _read(expected_type, data[name])
        elif is_required:
            raise _UnreadableError
    return expected(**arguments)


@cache
def _readable_fields(dataclass: type[_Dataclass]) -> Mapping[str, tuple[object, bool]]:
    """The type of each field and whether it must be there."""
    hints = cast("dict[str, object]", get_type_hints(dataclass))
    return {
        f.name: (
            hints[f.name],
            f.default is NO_DEFAULT and f.default_factory is NO_DEFAULT,
        )
        for f in fields(dataclass)
    }


def _require(condition: bool, value: object) -> object:
    if not condition:
        raise _UnreadableError
    return value
