"""Exceptions become one paragraph without traceback or key."""

import sqlite3
from pathlib import Path

import pytest

from handrail.engine.failures import explain
from handrail.engine.retries import GivenUpError
from handrail.engine.retry_rules import IncompleteAnswerError, reason_of


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


def given_up(cause: Exception, *, tries: int = 5, wait_s: float | None = None) -> GivenUpError:
    error = GivenUpError(reason_of(cause) or "", tries, 12.2, wait_s)
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (given_up(StatusError(529)), "overloaded. Wait a little, then send the message again. It"),
        (given_up(StatusError(503)), "(status 503). Wait a little, then try again. It"),
        (given_up(APIConnectionError()), "no whole answer: the connection was lost. Send the"),
        (given_up(IncompleteAnswerError()), "no whole answer: the answer broke off. Send the"),
        (given_up(ValueError("server_error: {odd}")), "the server reported an error. Send the"),
    ],
)
def test_after_the_last_try_it_says_how_often_and_how_long(error: Exception, said: str) -> None:
    text = explain(error)
    assert said in text
    assert "It was tried 5 times in 13 s. Your message" in text
    assert text.endswith("are kept.")


def test_what_was_tried_once_does_not_count() -> None:
    assert "tried" not in explain(given_up(StatusError(529), tries=1))


def test_a_wait_that_is_too_long_says_when_to_come_back() -> None:
    text = explain(given_up(StatusError(429), tries=1, wait_s=3599))
    assert "asks to come back in 60 minutes, at 20" in text
    assert "Send the message again then" in text


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
