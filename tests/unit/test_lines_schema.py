"""The published schema is the one of the lines that are written."""

import json
from collections.abc import Mapping

import pytest
from jsonschema import Draft202012Validator, ValidationError, validate

from handrail.events import Call, Event
from handrail.headless.lines import Refusal, RunEnded, SessionOpened, line_types, to_line
from handrail.headless.schema import SCHEMA_FILE, schema_text
from tests.unit.render.every_event import events_with

OF_A_RUN = [
    SessionOpened(1, "1abc", "openai:x"),
    RunEnded(9, None, (Refusal(Call("c", "execute", {"command": ["x"]}), "no"),)),
    RunEnded(0, "done", ()),
]
EVERY_LINE: list[Event] = [*events_with("\x1b[2J\u202e \ud800 ä"), *OF_A_RUN]


SCHEMA = json.loads(SCHEMA_FILE.read_text())


def test_the_file_is_current() -> None:
    assert SCHEMA_FILE.read_text() == schema_text(), "run: .venv/bin/python scripts/write_schema.py"


def test_it_is_a_schema_itself() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_kind_of_line_fits() -> None:
    for event in EVERY_LINE:
        validate(json.loads(to_line(event)), SCHEMA)
    assert {type(event).__name__ for event in EVERY_LINE} == set(line_types())


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"type": "Unheard"},
        {"type": "TurnStarted"},
        {"type": "TurnStarted", "text": 1},
        {"type": "ContextMeasured", "source": {"agent": "main"}, "tokens": 1, "window": None},
        {"type": "RunEnded", "exit_code": "0", "answer": None, "refused": []},
    ],
)
def test_what_is_no_line_does_not_fit(line: Mapping[str, object]) -> None:
    with pytest.raises(ValidationError):
        validate(line, SCHEMA)


def test_a_line_is_one_line_that_a_terminal_shows_as_it_is() -> None:
    for event in EVERY_LINE:
        line = to_line(event)
        assert line.isascii()
        assert line.endswith("}\n")
        assert line[:-1].isprintable()
