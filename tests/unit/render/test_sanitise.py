"""What a terminal obeys or hides is shown; everything else stays as it is."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.render.sanitise import (
    sanitise,
    sanitise_line,
    sanitise_output,
    sanitise_prose,
)

SHOWN = [
    ("\x00", "␀"),
    ("\x07", "␇"),
    ("\x08", "␈"),
    ("\r", "␍"),
    ("\x1b[2K\x1b[1A", "␛[2K␛[1A"),
    ("\x1b]52;c;ZXZpbA==\x07", "␛]52;c;ZXZpbA==␇"),
    ("\x1b]0;title\x1b\\", "␛]0;title␛\\"),
    ("\x7f", "␡"),
    ("\x85", "\\x85"),
    ("\x9b2J", "\\x9b2J"),
    ("\x9d0;t\x9c", "\\x9d0;t\\x9c"),
    ("abc\u202etxt.exe", "abc<U+202E>txt.exe"),
    ("\u2066\u2069", "<U+2066><U+2069>"),
    ("\u200e\u200f\u061c", "<U+200E><U+200F><U+061C>"),
    ("pass\u200bword", "pass<U+200B>word"),
    ("\ufeff\u2060\u00ad\u034f", "<U+FEFF><U+2060><U+00AD><U+034F>"),
    ("\u2028\u2029", "<U+2028><U+2029>"),
    ("\ud83d", "<U+D83D>"),
    ("\udcff", "<U+DCFF>"),
    ("\U000e0041\U000e007f", "<U+E0041><U+E007F>"),
    ("a\ufe0f", "a<U+FE0F>"),
    ("\U000e0100", "<U+E0100>"),
    ("\u3164\uffa0\u115f", "<U+3164><U+FFA0><U+115F>"),
]

WRITING = [
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u2764\ufe0f",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "1\ufe0f\u20e3",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0915\u094d\u200d\u0937",
    "10\u202f000\u00a0\u20ac",
]


def hides_something(text: str) -> bool:
    return any(
        character not in "\n\t"
        and unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        for character in text
    )


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_what_a_terminal_obeys_or_hides_is_shown_by_every_function(text: str, shown: str) -> None:
    assert sanitise(text) == shown
    assert sanitise_line(text) == shown
    assert sanitise_prose(text) == shown


@pytest.mark.parametrize("text", WRITING)
def test_what_writing_needs_stays_in_prose_only(text: str) -> None:
    assert sanitise_prose(text) == text
    assert "<U+" in sanitise(text)


@pytest.mark.parametrize(
    "text",
    ["a\u200db", "\u200d\u2764", "x\ufe0f", "\u2764\ufe0f\ufe0f", "\u2764\u200d\u200d\u2764"],
)
def test_joiners_without_a_use_are_shown_in_prose_too(text: str) -> None:
    assert "<U+" in sanitise_prose(text)


def test_odd_spaces_are_shown_where_somebody_decides() -> None:
    assert sanitise("rm\u00a0-rf\u2003x\u2800") == "rm<U+00A0>-rf<U+2003>x<U+2800>"


@pytest.mark.parametrize(
    "text",
    [
        "plain\ttext\nwith [/] and [bold]",
        "漢字かな",
        "Ünïcödé e\u0301 ก็",
        "نص",
        "→ … │ ✓",
        "🚀👍🏽",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert sanitise(text) == text
    assert sanitise_prose(text) == text


def test_a_line_stays_one_line() -> None:
    assert sanitise_line("a\n\tb\r\n") == "a␊␉b␍␊"


def test_output_loses_colours_and_a_carriage_return_hides_nothing() -> None:
    text = "\x1b[1;32mok\x1b[0m 10%\r100%\r\n\x1b[38:2::1:2:3mx\x1b[8mhidden\x1b[2K"

    assert sanitise_output(text) == "ok 10%\n100%\nxhidden␛[2K"


@given(st.text(st.characters(codec=None)))
def test_nothing_stays_hidden(text: str) -> None:
    assert not hides_something(sanitise(text))
    assert not hides_something(sanitise_output(text))
    assert not hides_something(sanitise_line(text))
    assert not set(sanitise_line(text)) & {"\n", "\t"}


@given(st.text(st.characters(codec=None)))
def test_prose_hides_only_joiners_between_letters_or_pictures(text: str) -> None:
    rest = sanitise_prose(text).replace("\u200c", "").replace("\u200d", "")

    assert not hides_something(rest)


@given(st.text(st.characters(codec=None)))
def test_what_was_made_safe_once_stays_the_same(text: str) -> None:
    assert sanitise(sanitise(text)) == sanitise(text)
    assert sanitise_line(sanitise_line(text)) == sanitise_line(text)
    assert sanitise_prose(sanitise_prose(text)) == sanitise_prose(text)
    assert sanitise_prose(sanitise(text)) == sanitise(text)


@given(st.text(st.characters(codec=None)), st.text(st.characters(codec=None)))
def test_a_character_is_shown_whatever_stands_next_to_it(one: str, other: str) -> None:
    assert sanitise(one + other) == sanitise(one) + sanitise(other)


def test_a_megabyte_takes_well_under_a_tenth_of_a_second() -> None:
    text = ("some ordinary output with a colour \x1b[31m in it\n" * 25_000)[:1_000_000]

    start = time.process_time()
    sanitise(text)
    elapsed = time.process_time() - start

    assert elapsed < 0.1
