"""From an exception to the paragraph a person reads: what happened, what was kept, what to do."""

import time
from math import ceil

from handrail.crash import report
from handrail.credentials.secret import without_secrets
from handrail.engine.retries import GivenUpError
from handrail.engine.retry_rules import MID_ANSWER
from handrail.engine.service_words import words_for
from handrail.errors import HandrailError

_TOO_LONG = "ContextOverflowError"
"""Its status says less than its name."""

_KEPT = "Your message and everything finished before are kept."

_BY_STATUS = {
    400: "The model's server refused the request: {text}",
    401: "The model's server refused the key. Set the right one and send the message again.",
    402: "The model's server asks for payment: look at your account there, then try again.",
    403: "The model's server refuses this key access to the model. Choose another with `/model`.",
    404: "The model's server does not know this model or address. Check both.",
    413: "The request was too large for the model's server. Start afresh with `/new`.",
    429: "The model's server is limiting requests. Wait a little, then send the message again.",
    529: "The model's server is overloaded. Wait a little, then send the message again.",
}
_BY_NAME = {
    "APIConnectionError": "The model's server cannot be reached. Check network and address.",
    "APITimeoutError": "The model's server sent nothing for longer than `model.idle_timeout_s`.",
    _TOO_LONG: "The conversation no longer fits the model. Start afresh with `/new`.",
    "GraphRecursionError": "The turn took more steps than are allowed. Say how to go on.",
    "OperationalError": "The session's database could not be written: {text} Is the disk full?",
}
_LONGEST = 300


def explain(error: BaseException) -> str:
    """One paragraph without a traceback and without keys."""
    return without_secrets(_explained(error))


def _explained(error: BaseException) -> str:
    if isinstance(error, HandrailError):
        return error.paragraph
    if isinstance(error, GivenUpError):
        return f"{_given_up(error)} {_KEPT}"
    sentence = _sentence(error)
    if sentence is None:
        what = f"The turn failed ({type(error).__name__}): {_short(str(error))}"
        return f"{what} {_KEPT} {report(error)}"
    return f"{sentence} {_KEPT}"


def _given_up(error: GivenUpError) -> str:
    """What failed, what was tried, what to do."""
    if error.wait_s is not None:
        until = time.strftime("%Y-%m-%d %H:%M", time.localtime(time.time() + error.wait_s))
        return (
            f"The model's server asks to come back in {ceil(error.wait_s / 60)} minutes, at"
            f" {until}. Send the message again then, or choose another model with `/model`."
        )
    cause = error.__cause__
    told = words_for if error.reason in MID_ANSWER else _sentence
    sentence = cause and told(cause)
    if sentence is None:
        sentence = f"The model gave no whole answer: {error.reason}. Send the message again."
    tried = f" It was tried {error.tries} times in {ceil(error.took_s)} s."
    return sentence + (tried if error.tries > 1 else "")


def _sentence(error: BaseException) -> str | None:
    """What to say of a failure that is known."""
    names = [cls.__name__ for cls in type(error).__mro__]
    if _TOO_LONG not in names and (words := words_for(error)):
        return words
    found = _of_status(error) or next((_BY_NAME[name] for name in names if name in _BY_NAME), None)
    return found and found.format(text=_short(str(error)))


def _of_status(error: BaseException) -> str | None:
    """For a failure that knows its status and not its request."""
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return None
    if status >= 500 and status not in _BY_STATUS:  # the class of server errors
        return f"The model's server failed (status {status}). Wait a little, then try again."
    return _BY_STATUS.get(status)


def _short(text: str) -> str:
    """The first lines of a server's answer, on one."""
    text = without_secrets(" ".join(text.split()))
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
