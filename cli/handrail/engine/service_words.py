"""What to say of a request that the model's service refused or that never reached it: one line."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from handrail.credentials.providers import Provider, origin, provider_at
from handrail.credentials.secret import origin_of, without_secrets
from handrail.reachability import causes_of, place, proxy_for, proxy_wants_password, why_unreachable

_LONGEST = 300
_BY_STATUS = {
    402: "asks for payment or more credit. See to your account there, then try again.",
    413: "takes no request as large as this one. Start afresh with `/new`.",
    429: "is limiting requests. Wait a little, then send the message again.",
    529: "is overloaded. Wait a little, then send the message again.",
}
"""What a service that answers with this status does, and what to do then."""

_AGAIN = "then go on with `agent --continue`"


@dataclass(frozen=True, slots=True)
class _Request:
    """What is known of the request that failed."""

    url: str
    model: str
    key: str
    """The value it carried; empty for none."""

    @property
    def host(self) -> str:
        return place(self.url)

    @property
    def provider(self) -> Provider | None:
        """None: a server of the person's own."""
        try:
            return provider_at(self.url)
        except ValueError:
            return None


def words_for(error: BaseException) -> str | None:
    """None for an error that is not of a request. Never holds a key."""
    if type(error) is ValueError and str(error).startswith(_NO_STREAM):
        return (
            "The model's server sent nothing that is an answer. If that happens again, check"
            " `model.base_url`: it usually ends in /v1."
        )
    request = _request(error)
    if request is None:
        return None
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return without_secrets(_of_status(status, error, request))
    if any(type(cause).__name__ == "ReadTimeout" for cause in causes_of(error)):
        return (
            f"{request.host} sent nothing for longer than `model.idle_timeout_s`. Send the message"
            " again, or set it higher for a slow server."
        )
    return why_unreachable(error, request.url, os.environ)


def _of_status(status: int, error: BaseException, request: _Request) -> str:
    said = _said(error)
    if status == 401:  # unauthorised
        return _wrong_key(request)
    if status == 403:  # forbidden
        return _not_allowed(request, is_page=_is_page(error))
    if status in {404, 405}:
        return _not_there(request, said)
    if 300 <= status < 400:  # redirections, which are not followed
        return _sent_on(error, request)
    if status == 407:  # the proxy's own 401
        return proxy_wants_password(*proxy_for(request.url, os.environ))
    return _plainly(_unpaid(status, said), request.host, said)


def _unpaid(status: int, said: str) -> int:
    """Some services call an empty account a limit."""
    return 402 if status == 429 and ("quota" in said or "billing" in said) else status


def _plainly(status: int, host: str, said: str) -> str:
    """What depends on nothing but the status."""
    if sentence := _BY_STATUS.get(status):
        return f"{host} {sentence}"
    if status >= 500:  # where the server's own failures begin
        return f"{host} failed (status {status}). Wait a little, then send the message again."
    return f"{host} refused the request (status {status}): {_short(said)}"


def _wrong_key(request: _Request) -> str:
    provider = request.provider
    command = f"`agent auth {provider.name if provider else origin(request.url)}`"
    if origin_of(request.key) is None:
        return f"{request.host} asks for a key, and none was sent. Run {command}, {_AGAIN}."
    return (
        f"{request.host} refused {_key_words(request)}. Put the right one there or run {command},"
        f" {_AGAIN}."
    )


def _key_words(request: _Request) -> str:
    return f"the key of {origin_of(request.key) or 'this request'}"


def _not_allowed(request: _Request, *, is_page: bool) -> str:
    if is_page:
        return (
            f"{request.host} refused the request with a web page: a firewall or proxy in between"
            " may do that. Check network and proxy."
        )
    return (
        f"{request.host} does not let {_key_words(request)} use `{request.model}`. Allow it in your"
        " account there, or choose another model with `/model`."
    )


def _sent_on(error: BaseException, request: _Request) -> str:
    headers: Any = getattr(getattr(error, "response", None), "headers", {})
    target = place(str(headers.get("location", "")))
    return (
        f"{request.host} wants the request sent to {target or 'another address'}, and nothing was"
        " sent there. If that is right, write the new address into `model.base_url`."
    )


def _not_there(request: _Request, said: str) -> str:
    if request.model in said or request.provider:
        return f"{request.host} does not know the model `{request.model}`. Choose with `/model`."
    return (
        f"There is no model service at {request.url}. Check `model.base_url`, which usually ends"
        f" in /v1, and the model's name, `{request.model}`."
    )


_NO_STREAM = "No generation"
"""What the framework makes of an answer that it cannot read as a stream."""


def _request(error: BaseException) -> _Request | None:
    for one in causes_of(error):
        # The clients share no class for this, and each has its own copy of its HTTP library.
        request: Any = getattr(one, "request", None)
        if getattr(request, "url", None) is not None:
            url = str(request.url.copy_with(username=None, password=None, query=None))
            return _Request(url, _model(request), _key(request.headers))
    return None


def _model(request: Any) -> str:  # noqa: ANN401  # of the client's HTTP library
    try:
        body: object = json.loads(request.content)
    except (ValueError, RuntimeError, AttributeError):
        return "the model"
    named = cast("Mapping[str, object]", body).get("model") if isinstance(body, dict) else None
    return named if isinstance(named, str) else "the model"


def _key(headers: Mapping[str, str]) -> str:
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    return bearer or headers.get("x-api-key", "") or headers.get("x-goog-api-key", "")


def _said(error: BaseException) -> str:
    """The server's own words."""
    body: object = getattr(error, "body", None)
    for _ in range(2):  # some clients leave out the outer `error`
        if isinstance(body, dict):
            fields = cast("Mapping[str, object]", body)
            message = fields.get("message")
            if isinstance(message, str):
                return f"{message} ({fields.get('code') or fields.get('type') or 'no code'})"
            body = fields.get("error")
    return body if isinstance(body, str) else str(error)


def _is_page(error: BaseException) -> bool:
    headers: Any = getattr(getattr(error, "response", None), "headers", {})
    return "text/html" in str(headers.get("content-type", ""))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
