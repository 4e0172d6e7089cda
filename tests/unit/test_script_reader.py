"""Script files as they are read, and what is said about wrong ones."""

import re
from pathlib import Path

import pytest

from handrail.engine.script_format import (
    Alternative,
    Choice,
    Reply,
    Script,
    ScriptedCall,
    ScriptedFailure,
    ScriptedUsage,
    Turn,
)
from handrail.engine.script_reader import load_script
from handrail.errors import UsageError

WHOLE = """\
script: 1
window: 9000
pace: 12
turns:
  - user: (?i)hello
    rounds:
      - think: hm
        say: |
          Good  morning,
          ${who}.
        calls:
          - tool: execute
            id: first
            args: {command: "echo $${HOME} ${who}", timeout: 5, deep: [{a: null, b: 1.5, c: true}]}
        usage: {input: 10, output: 2, cached: 4}
      - choose:
          - when: FAILED
            rounds:
              - say: [again, " and", " again"]
            repeat: true
          - say: ok
      - error: {status: 529, message: overloaded}
      - calls: [{tool: ls, args: "{"}]
        finish: length
agents:
  reader:
    - rounds: [{say: read}]
summary: [one, two]
"""


def test_a_file_is_read_as_it_is_written(tmp_path: Path) -> None:
    again = Alternative(
        re.compile("FAILED", re.MULTILINE), (Reply(say=("again", " and", " again")),), repeat=True
    )
    expected = Script(
        name="whole",
        window=9000,
        pace_ms=12,
        turns=(
            Turn(
                re.compile("(?i)hello", re.MULTILINE),
                (
                    Reply(
                        think=("hm",),
                        say=("Good  ", "morning,\n", "Ada."),
                        calls=(
                            ScriptedCall(
                                "execute",
                                {
                                    "command": "echo ${HOME} Ada",
                                    "timeout": 5,
                                    "deep": [{"a": None, "b": 1.5, "c": True}],
                                },
                                "first",
                            ),
                        ),
                        usage=ScriptedUsage(10, 2, 4),
                    ),
                    Choice((again, Alternative(None, (Reply(say=("ok",)),)))),
                    Reply(error=ScriptedFailure("overloaded", 529)),
                    Reply(calls=(ScriptedCall("ls", "{"),), finish="length"),
                ),
            ),
        ),
        agents={"reader": (Turn(None, (Reply(say=("read",)),)),)},
        summary=("one", "two"),
    )
    assert load_script(_file(tmp_path, "whole", WHOLE), {"who": "Ada"}) == expected


def rounds(text: str) -> str:
    return f"script: 1\nturns:\n  - rounds:\n{text}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", " is empty."),
        ("script: 1", ", line 1: the key turns is missing."),
        (
            "script: 2\nturns: []",
            ", line 1, script: this version of the format is not known, use 1.",
        ),
        ("script: 1\nturns: []", ", line 2, turns: must not be empty."),
        ("script: 1\nturns: {}", ", line 2, turns: must be a list."),
        (
            "script: 1\nturns:\n  - rounds: [{say: a}]\n    users: x",
            ", line 4, turns.users: this key is not known here; known are user, rounds.",
        ),
        (
            "script: 1\nturns:\n  - rounds: [{say: a}]\nscript: 1",
            ", line 4, script: this key is there twice.",
        ),
        ("script: 1\nturns: &a [*a]", ", line 2: anchors and aliases are not supported here."),
        (
            "script: 1\nturns: ]",
            ", line 2: is not valid YAML: expected the node content, but found ']'.",
        ),
        (
            rounds("    - say: 3"),
            ", line 4, turns.rounds.say: must be text; "
            "a number or a word such as yes needs quotes.",
        ),
        (
            rounds("    - think: a"),
            ", line 4, turns.rounds: a round needs say, calls, finish, error or choose.",
        ),
        (rounds("    - say: '  '"), ", line 4, turns.rounds.say: must not be empty."),
        (
            rounds("    - finish: tired"),
            ", line 4, turns.rounds.finish: an answer ends with one of stop, length,"
            " content_filter.",
        ),
        (
            rounds("    - calls: [{tool: ls, args: ' '}]"),
            ", line 4, turns.rounds.calls.args: must not be empty.",
        ),
        (
            rounds("    - say: a\n      choose: [{say: b}]"),
            ", line 4, turns.rounds: choose stands alone; "
            "put the other keys into its alternatives.",
        ),
        (
            rounds("    - choose:\n      - when: a\n        say: b"),
            ", line 5, turns.rounds.choose: "
            "the last alternative is for everything else and has no when.",
        ),
        (
            rounds("    - choose:\n      - say: b\n      - say: b"),
            ", line 5, turns.rounds.choose: only the last alternative may be without when.",
        ),
        (
            rounds("    - choose:\n      - when: '['\n        say: b\n      - say: c"),
            ", line 5, turns.rounds.choose.when: is not a regular expression: "
            "unterminated character set at position 0.",
        ),
        (
            rounds("    - choose:\n      - {when: a, say: b, rounds: [{say: c}]}\n      - say: c"),
            ", line 5, turns.rounds.choose: "
            "an alternative has either rounds or the keys of one round.",
        ),
        (
            rounds(
                "    - choose:\n      - {when: a, repeat: true, calls: [{tool: ls, id: x}]}\n"
                "      - say: c"
            ),
            ", line 5, turns.rounds.choose: calls that may repeat cannot have an id of their own.",
        ),
        (
            rounds("    - calls: [{tool: ls, id: x}]\n    - calls: [{tool: ls, id: x}]"),
            ", line 5, turns.rounds.calls.id: another call has this id already.",
        ),
        (
            rounds("    - calls: [{tool: ls, args: {since: 2024-01-01}}]"),
            ", line 4, turns.rounds.calls.args.since: "
            "is read by YAML as a special value; put it in quotes.",
        ),
        (
            rounds("    - calls: [{tool: ls, args: {n: .nan}}]"),
            ", line 4, turns.rounds.calls.args.n: is not a value that JSON knows.",
        ),
        (
            rounds("    - say: ${home}"),
            ", line 4, turns.rounds.say: the placeholder ${home} is not known (known: ${project}); "
            "write $${home} for the characters themselves.",
        ),
        (
            rounds("    - say: a\n      usage: {input: 1, output: -1}"),
            ", line 5, turns.rounds.usage.output: must be a whole number, at least 0.",
        ),
        (
            rounds("    - say: a\n      usage: {input: 1, output: 1, cached: 2}"),
            ", line 5, turns.rounds.usage.cached: "
            "cannot be more than input, of which it is a part.",
        ),
        (
            rounds("    - error: {status: 200, message: fine}"),
            ", line 4, turns.rounds.error.status: must be a whole number, at least 400.",
        ),
        (
            rounds("    - say: a\nagents:\n  main: [{rounds: [{say: a}]}]"),
            ", line 6, agents.main: this name is taken, a sub-agent cannot have it.",
        ),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, text: str, complaint: str) -> None:
    file = _file(tmp_path, "wrong", text)
    with pytest.raises(UsageError) as caught:
        load_script(file, {"project": "/p"})
    assert caught.value.paragraph == f"{file}{complaint}"


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    missing = tmp_path / "none.yaml"
    with pytest.raises(UsageError) as caught:
        load_script(missing)
    assert caught.value.paragraph == f"{missing} cannot be read: No such file or directory."
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"script: \xff")
    with pytest.raises(UsageError) as caught:
        load_script(binary)
    assert caught.value.paragraph == f"{binary} is not UTF-8 text (byte 8)."


def test_a_file_nested_without_end_is_refused(tmp_path: Path) -> None:
    file = _file(tmp_path, "deep", "script: " + "[" * 1_000)
    with pytest.raises(UsageError) as caught:
        load_script(file)
    assert str(file) in caught.value.paragraph


def _file(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.yaml"
    file.write_text(text, encoding="utf-8")
    return file
