"""Exceptions become one paragraph without traceback or key."""

import sqlite3
from pathlib import Path

import pytest

from handrail.engine.failures import explain


class StatusError(Exception):
    def __init__(self, status_code: int, message: str = "") -> None:
        super().__init__(message)
        self.status_code = status_code


class APIConnectionError(Exception):
    pass


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StatusError(401, "Incorrect API key provided: sk-abcdef123"), "refused the key"),
        (StatusError(404), "does not know this model or address"),
        (StatusError(429), "limiting requests"),
        (StatusError(503), "failed (status 503)"),
        (APIConnectionError("Connection error."), "cannot be reached"),
        (sqlite3.OperationalError("database or disk is full"), "database or disk is full"),
    ],
)
def test_a_failure_is_a_paragraph(error: Exception, said: str) -> None:
    text = explain(error)
    assert said in text
    assert "\n" not in text
    assert text.endswith("are kept.")


def test_an_unknown_failure_names_the_report_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_HOME", str(tmp_path))
    text = explain(RuntimeError("{odd} braces"))
    (file,) = (tmp_path / "crashes").iterdir()
    assert "(RuntimeError): {odd} braces Your message" in text
    assert text.endswith(f"A report for the developers is in {file}.")
    assert "RuntimeError: {odd} braces" in file.read_text()


def test_a_key_in_a_servers_answer_is_left_out() -> None:
    text = explain(StatusError(400, "bad request with sk-proj-abc123DEF and\nmore lines"))
    assert "sk-proj" not in text
    assert "[key] and more lines" in text
