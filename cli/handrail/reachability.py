"""Why a server cannot be reached, and what to do: names, refusals, certificates, proxies, time."""

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from typing import cast
from urllib.parse import urlsplit

_DEEPEST = 12
_CERTIFICATES = {
    10: "has expired: renew it there, and check this machine's clock",
    18: "is signed by itself: name its file in SSL_CERT_FILE if you trust it",
    19: "comes from an authority unknown here: name its file in SSL_CERT_FILE if you trust it",
    20: "comes from an authority unknown here: name its file in SSL_CERT_FILE if you trust it",
    62: "is for another name: write the name the certificate has into `model.base_url`",
}
"""By OpenSSL's number for what is wrong with it."""


def why_unreachable(error: BaseException, url: str, environ: Mapping[str, str]) -> str | None:
    """Sentences on one line; None for a failure of another kind.

    `url` is the address of the request. What is said of it holds no user name or password.
    """
    causes = list(causes_of(error))
    proxy = _proxy(url, environ)
    for cause in causes:
        if said := _of_certificate(cause, url) or _of_proxy_answer(cause, proxy):
            return said
    server, where = f"The server {place(url)}", "Check `model.base_url` and your network."
    if proxy:
        server = f"The proxy {proxy[1]}"
        where = f"Correct or unset {proxy[0]}, or name the server in NO_PROXY."
    for cause in causes:
        if said := _of_connection(cause, server, where):
            return said
    return _of_protocol(causes, url)


def place(url: str) -> str:
    """Host and port as they stand in the address."""
    try:
        parts = urlsplit(url)
        return parts.hostname + (f":{parts.port}" if parts.port else "") if parts.hostname else url
    except ValueError:
        return "of the address"


def _of_certificate(cause: BaseException, url: str) -> str | None:
    if not isinstance(cause, ssl.SSLCertVerificationError):
        return None
    fault = _CERTIFICATES.get(
        cause.verify_code, f"was not accepted ({cause.verify_message}): check it there"
    )
    return f"The certificate of {place(url)} {fault}."


def _of_proxy_answer(cause: BaseException, proxy: tuple[str, str] | None) -> str | None:
    """What the proxy itself says to a request for a connection."""
    if type(cause).__name__ != "ProxyError" and "Tunnel connection failed" not in str(cause):
        return None
    variable, name = proxy or ("HTTPS_PROXY", "in between")
    if "407" in str(cause):
        return proxy_wants_password(variable, name)
    return f"The proxy {name} would not pass the request on. Check {variable}, or ask who runs it."


def proxy_wants_password(variable: str, name: str) -> str:
    return (
        f"The proxy {name} asks for a name and password. Put them into {variable}, as in"
        f" `http://NAME:PASSWORD@{name}`, and start again."
    )


def proxy_for(url: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """The variable that names the proxy for this address, and the proxy."""
    return _proxy(url, environ) or ("HTTPS_PROXY", "in between")


def _of_connection(cause: BaseException, server: str, where: str) -> str | None:
    if isinstance(cause, socket.gaierror):
        return f"{server} was not found: its name has no address. {where}"
    if isinstance(cause, ConnectionRefusedError):
        return f"{server} refused the connection: nothing listens there. {where}"
    if isinstance(cause, OSError) and cause.errno in _NO_WAY:
        return f"{server} cannot be reached: no network leads there. {where}"
    if isinstance(cause, TimeoutError) or type(cause).__name__ == "ConnectTimeout":
        return f"{server} did not answer in time. {where}"
    return None


def _of_protocol(causes: list[BaseException], url: str) -> str | None:
    """Something answers, but not in the language of the address."""
    here = place(url)
    began = isinstance(causes[0], OSError) or any(_is(cause, "ConnectError") for cause in causes)
    if began and any(isinstance(cause, ssl.SSLError) for cause in causes):
        return (
            f"There is no TLS at {here}, or it was cut off. If the server speaks plain HTTP, write"
            " `http://` in `model.base_url`."
        )
    if any(_NOT_HTTP.search(f"{type(cause).__name__}: {cause}") for cause in causes):
        return (
            f"What answers at {here} closed the connection or is no web server. Check the port and"
            " `http` or `https` in `model.base_url`."
        )
    return None


_NO_WAY = {101, 113, 51, 65}
"""Network or host unreachable, on Linux and on macOS."""

_NOT_HTTP = re.compile(
    "RemoteDisconnected|BadStatusLine|RemoteProtocolError: (Server disconnected without|illegal)"
)
"""Before the first byte of an answer; a connection lost later says nothing of the server."""


def _is(error: BaseException, name: str) -> bool:
    return type(error).__name__ == name


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """The error and what led to it, groups included."""
    waiting = [error]
    for _ in range(_DEEPEST):
        if not waiting:
            return
        one = waiting.pop(0)
        yield one
        if isinstance(one, BaseExceptionGroup):
            waiting.extend(cast("BaseExceptionGroup[BaseException]", one).exceptions)
        if before := one.__cause__ or one.__context__:
            waiting.append(before)


def _proxy(url: str, environ: Mapping[str, str]) -> tuple[str, str] | None:
    """The variable and host of the proxy that a request to this address goes through."""
    parts = urlsplit(url)
    lowered = {name.lower(): name for name in environ if environ[name]}
    proxies = {
        name.removesuffix("_proxy"): (written, environ[written])
        for name, written in lowered.items()
        if name.endswith("_proxy")
    }
    if not parts.hostname or _is_exempt(parts.hostname, proxies.get("no", ("", ""))[1]):
        return None
    found = proxies.get(parts.scheme) or proxies.get("all")
    if found is None:
        return None
    variable, address = found
    return variable, place(address if "://" in address else f"http://{address}")


def _is_exempt(host: str, no_proxy: str) -> bool:
    names = [name.strip().lstrip(".").lower() for name in no_proxy.split(",")]
    return any(name == "*" or f".{host}".endswith(f".{name}") for name in names if name)
