"""The small parts of the screen by themselves: space, wrapping, history, waiting messages."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.render.fit import cells, fold
from handrail.repl.history import InputHistory
from handrail.repl.outbox import Outbox
from handrail.repl.space import Need, Space, share_out
from handrail.repl.typed import pasted, typed
from handrail.repl.wrap import wrap

_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z", "M"]) | st.just(" "))


@given(
    rows=st.integers(6, 200),
    need=st.builds(
        Need,
        panel=st.booleans(),
        input=st.integers(1, 50),
        waiting=st.integers(0, 50),
        menu=st.integers(0, 50),
    ),
)
def test_the_parts_never_take_more_rows_than_the_screen_has(rows: int, need: Need) -> None:
    space = share_out(rows, need)

    fixed = 3
    parts = (space.live, space.panel, space.waiting, space.input, space.menu)
    assert sum(parts) + fixed <= rows
    assert space.input >= 1
    assert (space.panel if need.panel else space.live) >= 1


def test_the_panel_takes_what_is_left() -> None:
    need = Need(panel=True, input=1)

    assert share_out(24, need) == Space(live=0, panel=20, waiting=0, input=1, menu=0)


@given(text=_TEXT, width=st.integers(2, 30))
def test_folded_pieces_fit_and_are_the_line(text: str, width: int) -> None:
    pieces = fold(text, width)

    assert "".join(pieces) == text
    assert all(cells(piece) <= width for piece in pieces)


@given(text=_TEXT, width=st.integers(2, 30))
def test_wrapped_pieces_fit_and_lose_no_letter(text: str, width: int) -> None:
    pieces = wrap(text, width)

    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
    assert all(cells(piece) <= width for piece in pieces)


def test_lines_are_wrapped_at_blanks() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("one twothreefour", 6) == ["one", "twothr", "eefour"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [("a\ud83d\ude00b", "a😀b"), ("a\ud83db", "a\ufffdb"), ("plain", "plain")],
)
def test_surrogates_are_joined_or_replaced(text: str, kept: str) -> None:
    assert typed(text) == kept


def test_a_paste_has_one_kind_of_line_end_and_no_marks() -> None:
    assert pasted("a\r\nb\rc\x1b[201~\x1b[200~d\ud83d") == "a\nb\nc" + "d\ufffd"


def test_history_is_kept_newest_first_in_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "history"
    for text in ("first", "two\nlines", "lone \ud83d"):
        InputHistory(path).store_string(text)

    assert list(InputHistory(path).load_history_strings()) == ["lone \ufffd", "two\nlines", "first"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_lines_of_the_history_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "history"
    path.write_bytes(b'"good"\n{"not": "text"}\n\xff\xfe\n"cut')
    InputHistory(path).store_string("after the cut")

    assert list(InputHistory(path).load_history_strings()) == ["after the cut", "good"]


def test_a_long_history_is_read_from_its_end(tmp_path: Path) -> None:
    path = tmp_path / "history"
    lines = [json.dumps(f"{number} " + "x" * 100) for number in range(10_000)]
    path.write_text("\n".join(lines) + "\n")
    found = list(InputHistory(path).load_history_strings())

    assert found[0].startswith("9999 ")
    assert 1000 < len(found) < 10_000


def test_a_history_that_cannot_be_written_does_not_stop_anything(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    history = InputHistory(blocked / "history")
    history.append_string("kept in memory")

    assert history.get_strings() == ["kept in memory"]


async def test_messages_leave_the_outbox_in_order_and_can_be_taken_back() -> None:
    outbox = Outbox()
    for text in ("one", "two", "three"):
        outbox.put(text)

    assert await outbox.next() == "one"
    assert outbox.take_back() == ["two", "three"]
    assert len(outbox) == 0


def test_the_first_screen_needs_neither_rich_nor_the_framework() -> None:
    program = "import sys, handrail.repl.loop; print(*{name.split('.')[0] for name in sys.modules})"
    lines = subprocess.run(
        [sys.executable, "-c", f"{program}; print('rich.console' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()

    assert not set(lines[0].split()) & {"deepagents", "langgraph", "pydantic", "markdown_it"}
    assert lines[1] == "False"
