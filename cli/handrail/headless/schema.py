"""The JSON schema of the lines, made from the dataclasses; the package ships it as a file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Literal, cast, get_args, get_origin, get_type_hints

from handrail.headless.lines import FORMAT, line_types

SCHEMA_FILE = Path(__file__).with_name("lines.schema.json")

_PLAIN: Mapping[object, Mapping[str, object]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    type(None): {"type": "null"},
    object: {},
}


def schema_text() -> str:
    return json.dumps(_lines_schema(), indent=2) + "\n"


def _lines_schema() -> Mapping[str, object]:
    definitions: dict[str, object] = {}
    lines = [_reference(kind, definitions, name) for name, kind in line_types().items()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:handrail:lines:{FORMAT}",
        "title": f"A line of `agent -p --output jsonl`, format {FORMAT}",
        "oneOf": lines,
        "$defs": dict(sorted(definitions.items())),
    }


def _reference(
    kind: type, definitions: dict[str, object], type_name: str | None = None
) -> Mapping[str, object]:
    """`type_name` is what a line of this kind says in `type`; parts of a line have none."""
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}  # so that a kind may hold itself
        hints = cast("Mapping[str, object]", get_type_hints(kind))
        named: dict[str, object] = {"type": {"const": type_name}} if type_name else {}
        names = [field.name for field in fields(kind)]
        properties = named | {each: _schema_of(hints[each], definitions) for each in names}
        definitions[name] = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
        }
    return {"$ref": f"#/$defs/{name}"}


def _schema_of(hint: object, definitions: dict[str, object]) -> Mapping[str, object]:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and is_dataclass(hint):
        return _reference(hint, definitions)
    return _generic(get_origin(hint), get_args(hint), definitions)


def _generic(
    origin: object, arguments: Sequence[object], definitions: dict[str, object]
) -> Mapping[str, object]:
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is UnionType:
        return {"anyOf": [_schema_of(each, definitions) for each in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _schema_of(arguments[0], definitions)}
    if origin is Mapping:
        return {"type": "object"}
    raise TypeError(f"no JSON schema for {origin}")
