"""Ends a turn in the transcript that its process did not live to end, and says what was cut."""

from collections.abc import Sequence

from handrail.events import Notice, TurnFailed, TurnFinished, TurnStarted, TurnStopped
from handrail.sessions.transcript import Transcript

_ENDS = (TurnFinished, TurnStopped, TurnFailed)
_MOST_CHARS = 80
"""Of each call that is named."""
_MOST_CALLS = 5


def end_cut_turn(transcript: Transcript, interrupted: Sequence[str]) -> None:
    """`interrupted` tells the calls that had begun and whose effect is unknown."""
    if not _is_open(transcript):
        return
    transcript.append(Notice(_sentence(interrupted)))
    transcript.append(TurnStopped())


def _is_open(transcript: Transcript) -> bool:
    for event in reversed(transcript.tail(1)):
        if isinstance(event, _ENDS):
            return False
        if isinstance(event, TurnStarted):
            return True
    return False


def _sentence(interrupted: Sequence[str]) -> str:
    if not interrupted:
        return "The last turn was cut off."
    number = len(interrupted)
    verb = "call was" if number == 1 else "calls were"
    named = [_short(one) for one in interrupted[:_MOST_CALLS]]
    more = ["..."] if number > _MOST_CALLS else []
    return f"The last turn was cut off; {number} {verb} interrupted: {'; '.join(named + more)}"


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 3]}..."
