"""The last door: lines without blanks at the end, and styles only as far as they are wanted."""

import pytest
from rich.style import Style
from rich.text import Text

from handrail.render.console import to_ansi
from handrail.render.theme import paint_for


def test_styles_follow_the_paint() -> None:
    text = Text.assemble(("a", "bold red"), " b ", ("  ", "green"))

    assert to_ansi([text], 80, "colour") == "\x1b[1;31ma\x1b[0m b\n"
    assert to_ansi([text], 80, "mono") == "\x1b[1ma\x1b[0m b\n"
    assert to_ansi([text], 80, "plain") == "a b\n"


def test_a_link_never_becomes_a_hidden_one() -> None:
    text = Text("click", style=Style(link="http://evil.example"))

    assert to_ansi([text], 80, "colour") == "click\n"


def test_what_slipped_through_before_is_shown_here() -> None:
    assert to_ansi([Text("a\x1b]0;x\x9c\u202eb")], 80, "colour") == "a␛]0;x\\x9c<U+202E>b\n"


def test_the_environment_of_the_process_does_not_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "9", "FORCE_COLOR": ""}.items():
        monkeypatch.setenv(name, value)
    text = Text("red", style="red")

    assert to_ansi([text], 2, "colour") == "\x1b[31mre\x1b[0m\n\x1b[31md\x1b[0m\n"


def test_colour_is_for_terminals_that_want_it() -> None:
    assert paint_for({}, is_terminal=True) == "colour"
    assert paint_for({"NO_COLOR": "1"}, is_terminal=True) == "mono"
    assert paint_for({"NO_COLOR": ""}, is_terminal=True) == "colour"
    assert paint_for({"TERM": "dumb"}, is_terminal=True) == "plain"
    assert paint_for({"TERM": "xterm"}, is_terminal=False) == "plain"
