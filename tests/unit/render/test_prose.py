"""Markdown from a model: no text is lost, no link hides its target."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.render.console import to_ansi
from handrail.render.prose import prose


def shown(text: str, width: int = 80) -> str:
    return to_ansi([prose(text)], width, "plain")


def test_headings_lists_code_tables_and_quotes_are_laid_out() -> None:
    text = (
        "# One\n\nSome *text* and `code`,\nnext line.\n\n## Two\n- a\n- b\n  1. c\n  2. d\n\n"
        "```python\ndef f():\n    pass\n```\n\n| a | b |\n|---|---|\n| 1 | [/] |\n\n> said\n\n"
        "---\nend"
    )

    assert shown(text, 40) == (
        "One\n"
        "\n"
        "Some text and code,\n"
        "next line.\n"
        "\n"
        "Two\n"
        "\n"
        " • a\n"
        " • b\n"
        "    1. c\n"
        "    2. d\n"
        "\n"
        "  def f():\n"
        "      pass\n"
        "\n"
        "a   b\n"
        "───────\n"
        "1   [/]\n"
        "\n"
        "▌ said\n"
        "\n"
        "----------------------------------------\n"
        "\n"
        "end\n"
    )


@pytest.mark.parametrize("text", ["1. one\n2. two\n", "| a |\n|---|\n| b |\n", "- - x\n", "> q\n"])
def test_nothing_starts_with_a_blank_line(text: str) -> None:
    assert to_ansi([prose(text)], 40, "plain").splitlines()[0] != ""


def test_a_link_shows_where_it_leads() -> None:
    assert shown("[https://good.example](https://evil.example/x)") == (
        "https://good.example (https://evil.example/x)\n"
    )
    assert shown("**[read](b.md)** <https://a.example> ![pic](c.png)") == (
        "read (b.md) https://a.example pic (c.png)\n"
    )


def test_html_and_link_definitions_are_shown_as_they_stand() -> None:
    text = (
        'A `Vec<T>` is a Vec<T>. <b onclick="x">b</b>\n\n<!-- hidden -->\n\n[x]: http://h.example'
    )

    assert shown(text) == (
        'A Vec<T> is a Vec<T>. <b onclick="x">b</b>\n\n<!-- hidden -->\n\n[x]: http://h.example\n'
    )


def test_square_brackets_are_never_markup_of_the_terminal() -> None:
    text = "[/] [bold]x[/bold] [Errno 2] pages/[slug].tsx [link=http://x]y[/link] :smile:"

    assert shown(text) == f"{text}\n"


def test_entities_do_not_become_control_characters() -> None:
    assert shown("&#x202e;a&#x1b;b&#8203;c&lt;&amp;") == "<U+202E>a\ufffdb<U+200B>c<&\n"
    assert shown("[x](http://a.example/&#x202e;)") == "x (http://a.example/%E2%80%AE)\n"


def test_a_very_long_text_is_shown_as_it_stands() -> None:
    text = "*word* " * 40_000

    assert shown(text).startswith("*word* *word*")


@given(st.text(st.sampled_from("#*_`~[]()!<>|-+=> \n\t\\&;:1.ax"), max_size=80))
def test_no_markdown_is_too_odd_to_be_shown(text: str) -> None:
    for width in (1, 7, 80):
        shown(text, width)


@given(st.lists(st.sampled_from(["foo", "bar", "\n\n", "\n", "- ", "> ", "*", "_", "[", "]"])))
def test_no_word_is_lost(parts: list[str]) -> None:
    words = [part for part in parts if part in {"foo", "bar"}]
    letters = "".join(filter(str.isalpha, shown("".join(parts))))

    assert letters == "".join(words)
