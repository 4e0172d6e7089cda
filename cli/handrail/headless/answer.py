"""A final answer that has to be JSON of a given shape: the shape, the check, what is mended."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, cast

from jsonschema import Draft202012Validator, SchemaError
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, Schema

from handrail.errors import UsageError
from handrail.render.sanitise import sanitise_prose

Json = Any  # what is known of a decoded value; the validator wants no less

_MOST_PROBLEMS = 5
_MOST_CHARS = 300
_FENCED = re.compile(r"\s*```(?:json)?[ \t]*\n(.*)\n[ \t]*```\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Checked:
    text: str
    """The answer as JSON and nothing else."""
    problems: Sequence[str] = ()
    """Why it does not fit; empty when it does."""


class AnswerSchema:
    def __init__(self, text: str, validator: Validator) -> None:
        self.text = text
        self._validator = validator

    def check(self, answer: str) -> Checked:
        """A fence around the whole answer is taken off."""
        fenced = _FENCED.fullmatch(answer)
        try:
            value = json.loads(fenced[1] if fenced else answer, parse_constant=_refuse)
            problems = self._problems(value)
        except ValueError as error:
            return Checked(answer, (f"The answer is not JSON: {error}",))
        except RecursionError:
            return Checked(answer, ("The answer is nested too deeply.",))
        return Checked(answer, problems) if problems else Checked(_as_text(value))

    def _problems(self, value: Json) -> Sequence[str]:
        errors = islice(self._validator.iter_errors(value), _MOST_PROBLEMS)
        return [f"{error.json_path}: {error.message}"[:_MOST_CHARS] for error in errors]


def read_schema(file: Path) -> AnswerSchema:
    """Raises `UsageError` for a file that holds no schema. Nothing is fetched from elsewhere."""
    try:
        text = file.read_text(encoding="utf-8")
        contents: object = json.loads(text, parse_constant=_refuse)
    except OSError as error:
        raise _unusable(file, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise _unusable(file, "it is not UTF-8") from error
    except RecursionError as error:
        raise _unusable(file, "it is nested too deeply") from error
    except ValueError as error:
        raise _unusable(file, f"it is not JSON: {error}") from error
    if not isinstance(contents, dict):
        raise _unusable(file, "it holds no object")
    return AnswerSchema(text.strip(), _validator(file, cast("dict[str, object]", contents)))


def _validator(file: Path, contents: dict[str, object]) -> Validator:
    kind = validator_for(contents, default=Draft202012Validator)
    try:
        kind.check_schema(contents)
        _check_references(contents)
    except SchemaError as error:
        raise _unusable(file, f"{error.json_path}: {error.message}"[:_MOST_CHARS]) from error
    except Unresolvable as error:
        raise _unusable(file, f"what it refers to is not in it: {error.ref}") from error
    except RecursionError as error:
        raise _unusable(file, "it is nested too deeply") from error
    return kind(contents, registry=Registry())


def _check_references(contents: Mapping[str, object]) -> None:
    whole = Resource[Schema].from_contents(contents, default_specification=DRAFT202012)
    open_ = [(whole, Registry[Schema]().resolver_with_root(whole))]
    while open_:
        resource, resolver = open_.pop()
        if isinstance(resource.contents, Mapping):
            for key in ("$ref", "$dynamicRef"):
                if isinstance(reference := resource.contents.get(key), str):
                    resolver.lookup(reference)
        open_ += [(each, resolver.in_subresource(each)) for each in resource.subresources()]


def _as_text(value: object) -> str:
    """Readable, but with escapes as soon as it holds what a terminal would obey or hide."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text if sanitise_prose(text) == text else json.dumps(value, indent=2)


def _unusable(file: Path, reason: str) -> UsageError:
    return UsageError(
        f"The file {file} cannot be used as a JSON schema, so nothing was started: {reason}."
    )


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
