"""Which failures of a request are worth another try, of whichever client they are."""

import json
import ssl
from email.utils import formatdate

import anthropic
import httpx
import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.exceptions import ContextOverflowError

from handrail.engine.retry_rules import (
    LONGEST_WAIT_S,
    IncompleteAnswerError,
    asked_wait,
    own_wait,
    reason_of,
    status_of,
)
from handrail.engine.script_errors import scripted_error
from handrail.engine.script_format import ScriptedFailure

REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1")
NOW = 1_800_000_000.0


class APIError(Exception):
    """As a client raises an error event of a stream."""

    def __init__(self, body: object) -> None:
        super().__init__("The stream failed.")
        self.body = body


class StatusError(APIError):
    def __init__(self, status_code: int, body: object = None, **headers: str) -> None:
        super().__init__(body)
        self.status_code = status_code
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.response = httpx.Response(status_code, headers=names)


def caused(error: Exception, *causes: BaseException) -> Exception:
    each: BaseException = error
    for cause in causes:
        each.__cause__ = cause
        each = cause
    return error


def openai_connection(cause: BaseException) -> Exception:
    return caused(openai.APIConnectionError(request=REQUEST), cause)


def half_json() -> Exception:
    try:
        json.loads('{"a": "b')
    except ValueError as error:
        return error
    raise AssertionError


def half_character() -> Exception:
    try:
        "ü".encode()[:1].decode()
    except ValueError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (StatusError(429), "the server limits requests"),
        (StatusError(500), "the server failed (status 500)"),
        (StatusError(502), "the server failed (status 502)"),
        (StatusError(503), "the server failed (status 503)"),
        (StatusError(504), "the server failed (status 504)"),
        (StatusError(529), "the server is overloaded"),
        (scripted_error(ScriptedFailure("slow down", 429)), "the server limits requests"),
        (scripted_error(ScriptedFailure("gone", None)), "the connection was lost"),
        (openai_connection(httpx.ReadError("reset")), "the connection was lost"),
        (openai_connection(httpx.RemoteProtocolError("cut")), "the connection was lost"),
        (openai_connection(httpx.ConnectError("refused")), "the server cannot be reached"),
        (httpx.ReadError("reset"), "the connection was lost"),
        (httpx.ReadTimeout("silence"), "the server sent nothing in time"),
        (ConnectionResetError(), "the connection was lost"),
        (TimeoutError(), "the server sent nothing in time"),
        (
            anthropic.APITimeoutError(request=REQUEST),
            "the server sent nothing in time",
        ),
        (IncompleteAnswerError(), "the answer broke off"),
        (half_json(), "the answer broke off"),
        (half_character(), "the answer broke off"),
        (APIError({"type": "server_error"}), "the server reported an error"),
        (APIError({"type": "x", "code": "rate_limit_exceeded"}), "the server limits requests"),
        (APIError({"code": 503}), "the server failed (status 503)"),
        (APIError(None), "the server reported an error"),
        (
            StatusError(200, {"type": "error", "error": {"type": "overloaded_error"}}),
            "the server is overloaded",
        ),
        (ValueError("server_is_overloaded: Try later."), "the server is overloaded"),
        (ValueError("server_error: Sorry."), "the server reported an error"),
    ],
)
def test_what_passes_is_tried_again(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason


@pytest.mark.parametrize(
    "error",
    [
        *(StatusError(status) for status in (400, 401, 402, 403, 404, 409, 413, 422, 501)),
        StatusError(429, {"type": "insufficient_quota", "code": "insufficient_quota"}),
        APIError({"type": "invalid_request_error"}),
        APIError({"code": 400}),
        StatusError(200, {"type": "error", "error": {"type": "authentication_error"}}),
        scripted_error(ScriptedFailure("prompt is too long", 413)),
        ContextOverflowError("server_error"),
        openai_connection(httpx.UnsupportedProtocol("ftp://")),
        ValueError("no such tool"),
        KeyError("rate_limit"),
        UnicodeEncodeError("utf-8", "\ud83d", 0, 1, "surrogates not allowed"),
    ],
)
def test_what_would_fail_again_is_not(error: Exception) -> None:
    assert reason_of(error) is None


def test_a_certificate_that_is_not_trusted_stays_so() -> None:
    cause = httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED]")
    assert (
        reason_of(caused(openai_connection(cause), cause, ssl.SSLCertVerificationError())) is None
    )


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry_after": "7"}, 7.0),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after": "0"}, 0.0),
        ({"retry_after_ms": "250", "retry_after": "7"}, 0.25),
        ({"retry_after_ms": "soon", "retry_after": "7"}, 7.0),
        ({"retry_after": formatdate(NOW + 90, usegmt=True)}, 90.0),
        ({"retry_after": formatdate(NOW - 90, usegmt=True)}, 0.0),
        (
            {
                "retry_after": formatdate(NOW + 3630, usegmt=True),
                "date": formatdate(NOW + 3600, usegmt=True),
            },
            30.0,
        ),
        ({"retry_after": "-3"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "inf"}, None),
        ({"retry_after": "Friday"}, None),
        ({"retry_after": ""}, None),
    ],
)
def test_the_wait_that_a_server_asks_for(headers: dict[str, str], wait: float | None) -> None:
    assert asked_wait(StatusError(429, **headers), NOW) == wait


def test_a_failure_without_an_answer_asks_for_nothing() -> None:
    assert asked_wait(ConnectionResetError(), NOW) is None


def test_own_waits_double_up_to_a_limit_and_are_spread() -> None:
    assert [own_wait(attempt, 1.0) for attempt in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]
    assert own_wait(3, 0.0) == 2


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_an_own_wait_is_never_nothing_and_never_too_long(attempt: int, chance: float) -> None:
    assert 0 < own_wait(attempt, chance) < LONGEST_WAIT_S


@given(st.recursive(st.none() | st.integers() | st.text(), lambda i: st.dictionaries(st.text(), i)))
def test_any_body_is_read_without_failing(body: object) -> None:
    for error in (APIError(body), StatusError(500, body)):
        assert isinstance(reason_of(error), str | None)
        assert isinstance(status_of(error), int | None)
