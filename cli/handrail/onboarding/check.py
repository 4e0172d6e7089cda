"""Asks a service for its list of models, to see whether it takes a key."""

import os
from email.message import Message
from http.client import HTTPException
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from handrail import __version__
from handrail.credentials.secret import Secret, without_secrets
from handrail.onboarding.service import Service
from handrail.reachability import proxy_for, proxy_wants_password, why_unreachable

_TIME_LIMIT_S = 20.0


class _Stay(HTTPRedirectHandler):
    """A key goes to the address it is for and nowhere else."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> Request | None:
        del req, fp, code, msg, headers, newurl


def complaint_about(service: Service, secret: Secret) -> str | None:
    """None when the service took the key, else a line that says what is wrong."""
    headers = service.provider.headers_with(secret.reveal())
    headers["User-Agent"] = f"handrail/{__version__}"
    request = Request(service.models_url, headers=headers)  # noqa: S310 - a checked http address
    try:
        with build_opener(_Stay).open(request, timeout=_TIME_LIMIT_S):
            return None
    except HTTPError as error:
        with error:
            return _of_status(error.code, service)
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        cause = reason if isinstance(reason, BaseException) else error
        said = why_unreachable(cause, service.models_url, os.environ)
        return without_secrets(said or f"{service.title} could not be asked: {cause}")


def _of_status(status: int, service: Service) -> str:
    if status in {401, 403}:
        return f"{service.title} refuses this key (status {status}). Copy it there once more."
    if status in {404, 405}:
        return f"There is no list of models at {service.models_url}, so the key was not checked."
    if status == 407:  # the proxy's own 401
        return proxy_wants_password(*proxy_for(service.models_url, os.environ))
    return f"{service.title} answers with status {status}, so the key was not checked."
