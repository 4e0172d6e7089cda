"""Reading a file for the preview of its change."""

import os
from pathlib import Path

import pytest

from handrail.file_text import read_text


def test_the_text_keeps_its_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("\ufeffone\r\ntwö\n".encode())
    assert read_text(str(tmp_path / "a")) == "\ufeffone\r\ntwö\n"


def test_a_file_that_is_not_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    assert read_text(str(tmp_path / "b")) is None
    assert read_text(str(tmp_path / "a" / "b")) is None


def test_what_is_no_text_raises_and_a_pipe_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "bytes").write_bytes(b"\xff")
    (tmp_path / "large").touch()
    os.truncate(tmp_path / "large", 9 * 1024 * 1024)
    for name in ("pipe", "large", "."):
        with pytest.raises(OSError, match=r"no regular file|too large|directory"):
            read_text(str(tmp_path / name))
    with pytest.raises(UnicodeError):
        read_text(str(tmp_path / "bytes"))
