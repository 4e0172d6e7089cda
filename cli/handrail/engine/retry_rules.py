"""Which failures of a model request are worth another try, and how long to wait before it.

Providers are known by the names and attributes of their exceptions, so that none is imported.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import cast

FIRST_WAIT_S = 1.0
"""Before the second try; it doubles with each further one."""
LONGEST_WAIT_S = 300.0
"""A server that asks for more is not waited for."""
_LONGEST_OWN_WAIT_S = 30.0

_OVERLOADED = "the server is overloaded"
_LIMITED = "the server limits requests"
_REPORTED = "the server reported an error"
_UNREACHABLE = "the server cannot be reached"
_SILENT = "the server sent nothing in time"
_LOST = "the connection was lost"
_BROKEN = "the answer broke off"

MID_ANSWER = frozenset({_LOST, _BROKEN})
"""Reasons that are no fault of the address."""

_STATUSES = frozenset({408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_SAME_AGAIN = frozenset(
    {
        "ContextOverflowError",
        "InvalidURL",
        "LocalProtocolError",
        "SSLCertVerificationError",
        "UnsupportedProtocol",
    }
)
"""Failures that lie in the request, the address or the settings of this machine."""
_BY_NAME: tuple[tuple[str, frozenset[str]], ...] = (
    (_BROKEN, frozenset({"IncompleteAnswerError", "JSONDecodeError", "UnicodeDecodeError"})),
    (_UNREACHABLE, frozenset({"ConnectError", "ConnectTimeout", "ConnectionRefusedError"})),
    (_UNREACHABLE, frozenset({"gaierror", "ClientConnectorError"})),
    (_SILENT, frozenset({"APITimeoutError", "ModelTimeoutError", "TimeoutException"})),
    (_SILENT, frozenset({"TimeoutError"})),
    (_LOST, frozenset({"APIConnectionError", "ModelConnectionError", "TransportError"})),
    (_LOST, frozenset({"ConnectionError", "IncompleteRead", "ClientConnectionError"})),
    (_LOST, frozenset({"ClientPayloadError"})),
)
_EVENT_ERRORS = frozenset({"APIError"})
"""What clients raise for an error that comes as an event of a stream; some a bare `ValueError`."""

_PASSING_WORDS = re.compile(
    r"overloaded|rate_limit|server_error|internal_error|api_error|timeout_error|unavailable"
)
_USED_UP = re.compile(r"insufficient_quota|billing")
"""A limit that no wait lifts."""
_LASTING_WORDS = re.compile(
    _USED_UP.pattern + r"|invalid|authentication|permission|not_found|too_large"
    r"|context_length|content_filter|BadRequest"
)
_NOTHING_CAME = re.compile(r"No generations? ")
"""How the framework puts it when a stream ends before its first event."""
_DEEPEST = 10


class IncompleteAnswerError(Exception):
    """The stream ended in good order before the answer did."""


def reason_of(error: BaseException) -> str | None:
    """Why the request failed, as a clause; None when another try would fail in the same way."""
    names = _names(error)
    if names & _SAME_AGAIN:
        return None
    status = status_of(error)
    if status is not None:
        lasts = status not in _STATUSES or _USED_UP.search(_codes(error))
        return None if lasts else _of_status(status)
    for reason, known in _BY_NAME:
        if names & known:
            return reason
    return _of_event(error)


def status_of(error: BaseException) -> int | None:
    """The HTTP status of a failure; errors inside a stream that began well may state one too."""
    for value in (getattr(error, "status_code", None), *_stated(error, "code")):
        if isinstance(value, int) and value >= 400:  # where errors begin
            return value
    return None


def asked_wait(error: BaseException, now: float) -> float | None:
    """The seconds that the server asks to wait. `now` counts only without a clock of the server."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    if not isinstance(headers, Mapping):
        return None
    sent = {str(k).lower(): str(v) for k, v in cast("Mapping[object, object]", headers).items()}
    milliseconds = _number(sent.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = sent.get("retry-after", "")
    seconds = _number(value)
    if seconds is not None:
        return seconds
    until = _moment(value)
    if until is None:
        return None
    return max(0.0, until - (_moment(sent.get("date", "")) or now))


def own_wait(attempt: int, chance: float) -> float:
    """Before the try after the `attempt`th; `chance` from 0 to 1 spreads those who wait."""
    longest = min(_LONGEST_OWN_WAIT_S, FIRST_WAIT_S * 2 ** min(attempt - 1, 16))
    return longest * (0.5 + chance / 2)


def _of_status(status: int) -> str:
    if status == 429:  # too many requests
        return _LIMITED
    return _OVERLOADED if status == 529 else f"the server failed (status {status})"


def _of_event(error: BaseException) -> str | None:
    """Error events that a client raises as they are, without a status."""
    codes = _codes(error)
    if type(error) is ValueError and _NOTHING_CAME.match(codes):
        return _BROKEN
    names = {cls.__name__ for cls in type(error).__mro__}
    told = names & _EVENT_ERRORS or getattr(error, "is_retryable", False) is True
    if not told and not (type(error) is ValueError and _PASSING_WORDS.search(codes)):
        return None
    if _LASTING_WORDS.search(codes):
        return None
    if "overloaded" in codes:
        return _OVERLOADED
    return _LIMITED if "rate_limit" in codes else _REPORTED


def _names(error: BaseException) -> set[str]:
    """Of the classes of the error and of what caused it."""
    return {cls.__name__ for each in _causes(error) for cls in type(each).__mro__}


def _causes(error: BaseException) -> Iterator[BaseException]:
    each: BaseException | None = error
    for _ in range(_DEEPEST):
        if each is None:
            return
        yield each
        each = each.__cause__


def _codes(error: BaseException) -> str:
    """The kinds of error that the server states; without any, its words."""
    found = [str(value) for name in ("type", "code") for value in _stated(error, name) if value]
    return " ".join(found) or str(error)


def _stated(error: BaseException, name: str) -> Iterator[object]:
    """A field of the body, at its top and in its `error`."""
    body: object = getattr(error, "body", None)
    if isinstance(body, Mapping):
        top = cast("Mapping[str, object]", body)
        yield top.get(name)
        inner = top.get("error")
        if isinstance(inner, Mapping):
            yield cast("Mapping[str, object]", inner).get(name)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _moment(text: str) -> float | None:
    """Of an HTTP date, in seconds since the epoch."""
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
