"""The final answer: to a file, and in a shape that a program asked for."""

import json
from pathlib import Path

import pytest

from tests.support.replies import call, reply
from tests.support.unattended import prompt_of, run
from tests.support.workplace import Workplace

SCHEMA = {
    "type": "object",
    "properties": {"count": {"type": "integer"}, "names": {"$ref": "#/$defs/names"}},
    "required": ["count"],
    "$defs": {"names": {"type": "array", "items": {"type": "string"}}},
}
BAD = '{"count": "two"}'


@pytest.fixture
def schema(tmp_path: Path) -> str:
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(SCHEMA))
    return str(file)


def test_a_file_gets_the_answer_as_it_is(place: Workplace, tmp_path: Path) -> None:
    place.server.script(reply("Look.", call("ls", path=".")), reply("an\x1b[1m answer ä"))
    assert run(place, "go", "--final", str(tmp_path / "answer")).code == 0
    assert (tmp_path / "answer").read_text() == "an\x1b[1m answer ä\n"
    assert [file.name for file in tmp_path.iterdir()] == ["answer"]


def test_an_existing_file_keeps_its_mode_and_its_place_behind_a_link(
    place: Workplace, tmp_path: Path
) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    place.server.script(reply("new"))
    assert run(place, "go", "--final", str(tmp_path / "link")).code == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new\n"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640


def test_a_run_that_ends_early_leaves_the_file_alone(place: Workplace, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text("old")
    place.server.script(reply("One.", call("ls", path=".")))
    done = run(place, "go", "--final", str(tmp_path / "answer"), "--max-rounds", "1")
    assert done.code == 10
    assert (tmp_path / "answer").read_text() == "old"


def test_an_answer_that_fits_is_given_as_json(
    place: Workplace, schema: str, tmp_path: Path
) -> None:
    place.server.script(reply('```json\n{"count": 2, "names": ["ä"]}\n```'))
    final = tmp_path / "answer"
    done = run(place, "go", "--output-schema", schema, "--final", str(final))
    assert done.code == 0
    assert json.loads(done.out) == json.loads(final.read_text()) == {"count": 2, "names": ["ä"]}
    assert prompt_of(place.server.requests[0]).endswith(json.dumps(SCHEMA))


def test_what_a_terminal_would_obey_is_escaped_in_json(place: Workplace, schema: str) -> None:
    place.server.script(reply('{"count": 1, "names": ["\u202e\u009b"]}'))
    done = run(place, "go", "--output-schema", schema)
    assert done.out.isascii()
    assert json.loads(done.out) == {"count": 1, "names": ["\u202e\u009b"]}


def test_an_answer_that_does_not_fit_is_mended(place: Workplace, schema: str) -> None:
    place.server.script(reply(BAD), reply("Sorry: 2"), reply('{"count": 2}'))
    done = run(place, "go", "--output-schema", schema, "--output", "jsonl")
    assert done.code == 0
    assert json.loads(str(done.only("RunEnded")[0]["answer"])) == {"count": 2}
    _, second, third = map(prompt_of, place.server.requests)
    assert second.endswith("$.count: 'two' is not of type 'integer'")
    assert "The answer is not JSON" in third


def test_after_two_mends_it_is_given_up(place: Workplace, schema: str, tmp_path: Path) -> None:
    place.server.script(reply(BAD), reply("NaN"), reply("[" * 100_000))
    final = tmp_path / "answer"
    done = run(place, "go", "--output-schema", schema, "--final", str(final))
    assert (done.code, done.out) == (11, "")
    assert done.err.count("The answer does not fit the schema.") == 3
    assert not final.exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "it is not JSON"),
        ("[]", "it holds no object"),
        ('{"type": "text"}', "$.type: 'text' is not"),
        ('{"properties": {"a": {"pattern": "("}}}', "'(' is not a 'regex'"),
        ('{"$ref": "#/no"}', "what it refers to is not in it: /no"),
        ('{"items": {"$ref": "https://example.org/x"}}', "not in it: https://example.org/x"),
        ('{"a":' * 20_000 + "1" + "}" * 20_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_schema_starts_nothing(
    workplace: Workplace, tmp_path: Path, text: str, reason: str
) -> None:
    file = tmp_path / "schema.json"
    file.write_text(text)
    done = run(workplace, "go", "--output-schema", str(file))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"The file {file} cannot be used as a JSON schema")
    assert reason in done.err
    assert not workplace.home.data.exists()
