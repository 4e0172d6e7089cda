"""From an exception to the paragraph a person reads: what happened, what was kept, what to do."""

import re
import time
from math import ceil

from handrail.crash import report
from handrail.engine.retries import GivenUpError
from handrail.engine.retry_rules import MID_ANSWER
from handrail.errors import HandrailError

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
    "ContextOverflowError": "The conversation no longer fits the model. Start afresh with `/new`.",
    "GraphRecursionError": "The turn took more steps than are allowed. Say how to go on.",
    "OperationalError": "The session's database could not be written: {text} Is the disk full?",
}
_LONGEST = 300


def explain(error: BaseException) -> str:
    """One paragraph without a traceback and without keys."""
    if isinstance(error, HandrailError):
        return error.paragraph
    if isinstance(error, GivenUpError):
        return f"{_given_up(error)} {_KEPT}"
    sentence = _sentence(error)
    if sentence is None:
        what = f"The turn failed ({type(error).__name__}): {_short(str(error))}"
        return f"{what} {_KEPT} {report(error)}"
    return f"{sentence.format(text=_short(str(error)))} {_KEPT}"


def _given_up(error: GivenUpError) -> str:
    """What failed, what was tried, what to do."""
    if error.wait_s is not None:
        until = time.strftime("%Y-%m-%d %H:%M", time.localtime(time.time() + error.wait_s))
        return (
            f"The model's server asks to come back in {ceil(error.wait_s / 60)} minutes, at {until}."
            " Send the message again then, or choose another model with `/model`."
        )
    cause = error.__cause__
    sentence = None if error.reason in MID_ANSWER or cause is None else _sentence(cause)
    if sentence is None:
        sentence = f"The model gave no whole answer: {error.reason}. Send the message again."
    tried = f" It was tried {error.tries} times in {ceil(error.took_s)} s."
    return sentence.format(text=_short(str(cause))) + (tried if error.tries > 1 else "")


def _sentence(error: BaseException) -> str | None:
    """What to say of a failure that is known; `{text}` stands for its own words."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        if sentence := _BY_STATUS.get(status):
            return sentence
        if status >= 500:  # the class of server errors
            return f"The model's server failed (status {status}). Wait a little, then try again."
    for cls in type(error).__mro__:
        if sentence := _BY_NAME.get(cls.__name__):
            return sentence
    return None


def _short(text: str) -> str:
    """The first lines of a server's answer, with anything like a key left out."""
    text = re.sub(r"\b(sk|key|pk)-[\w*-]{4,}", "[key]", " ".join(text.split()))
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
