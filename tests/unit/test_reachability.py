"""Why a server was not reached, from what the system says."""

import errno
import socket
import ssl

import pytest

from handrail.reachability import place, why_unreachable

URL = "https://api.example/v1/models"


def said(error: BaseException, **environ: str) -> str | None:
    return why_unreachable(error, URL, environ)


def led_to(cause: BaseException) -> BaseException:
    """As clients wrap what happened, once in a group."""
    error = RuntimeError("Connection error.")
    error.__cause__ = BaseExceptionGroup("all attempts failed", [ValueError(), cause])
    return error


@pytest.mark.parametrize(
    ("cause", "start"),
    [
        (socket.gaierror(-2, "x"), "The server api.example was not found"),
        (ConnectionRefusedError(111, "x"), "The server api.example refused the connection"),
        (OSError(errno.ENETUNREACH, "x"), "The server api.example cannot be reached: no network"),
        (TimeoutError(), "The server api.example did not answer in time"),
    ],
)
def test_the_cause_is_found_wherever_it_stands(cause: BaseException, start: str) -> None:
    for error in (cause, led_to(cause)):
        assert (said(error) or "").startswith(start)


def test_another_failure_is_none_of_the_network() -> None:
    assert said(ValueError("x")) is None
    assert said(led_to(ssl.SSLError("lost in the middle"))) is None


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({"HTTPS_PROXY": "http://me:secret@p:1"}, "The proxy p:1"),
        ({"https_proxy": "p:1"}, "The proxy p:1"),
        ({"ALL_PROXY": "http://p:1"}, "The proxy p:1"),
        ({"HTTP_PROXY": "http://p:1"}, "The server api.example"),
        ({"HTTPS_PROXY": ""}, "The server api.example"),
        ({"HTTPS_PROXY": "p:1", "NO_PROXY": "*"}, "The server api.example"),
        ({"HTTPS_PROXY": "p:1", "no_proxy": " x, .example "}, "The server api.example"),
        ({"HTTPS_PROXY": "p:1", "NO_PROXY": "i.example"}, "The proxy p:1"),
    ],
)
def test_a_proxy_is_named_where_one_is_used(environ: dict[str, str], named: str) -> None:
    text = said(ConnectionRefusedError(), **environ) or ""
    assert text.startswith(f"{named} refused")
    assert "secret" not in text


@pytest.mark.parametrize(
    ("url", "expected"),
    [("http://u:p@h:1/x?k=s", "h:1"), ("https://h", "h"), ("http://h:99999", "of the address")],
)
def test_a_place_is_host_and_port_alone(url: str, expected: str) -> None:
    assert place(url) == expected
