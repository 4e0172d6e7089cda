"""What a scripted failure raises: the errors that model providers raise for the same status."""

from langchain_core.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelError,
    ModelInvalidRequestError,
    ModelNotFoundError,
    ModelPermissionDeniedError,
    ModelRateLimitError,
)

from handrail.engine.script_format import ScriptedFailure


class ScriptedError(ModelError):
    """Carries the HTTP status as the providers' own errors do."""

    status_code: int | None = None


class ScriptedAuthenticationError(ScriptedError, ModelAuthenticationError):
    pass


class ScriptedPermissionError(ScriptedError, ModelPermissionDeniedError):
    pass


class ScriptedNotFoundError(ScriptedError, ModelNotFoundError):
    pass


class ScriptedRateLimitError(ScriptedError, ModelRateLimitError):
    pass


class ScriptedRequestError(ScriptedError, ModelInvalidRequestError):
    pass


class ScriptedServerError(ScriptedError, ModelAPIError):
    pass


class ScriptedConnectionError(ScriptedError, ModelConnectionError):
    pass


_BY_STATUS: dict[int, type[ScriptedError]] = {
    401: ScriptedAuthenticationError,
    403: ScriptedPermissionError,
    404: ScriptedNotFoundError,
    429: ScriptedRateLimitError,
}


def scripted_error(failure: ScriptedFailure) -> ScriptedError:
    error = _class_for(failure.status)(failure.message)
    error.status_code = failure.status
    return error


def _class_for(status: int | None) -> type[ScriptedError]:
    if status is None:
        return ScriptedConnectionError
    usual = ScriptedServerError if status >= 500 else ScriptedRequestError
    return _BY_STATUS.get(status, usual)
