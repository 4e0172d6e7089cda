"""The verdict of a call."""

from dataclasses import dataclass
from enum import IntEnum


class Verdict(IntEnum):
    """Ordered, so that the strictest part of a call wins with `max`."""

    ALLOW = 0
    ASK = 1
    DENY = 2


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: Verdict
    because: str
    """What decided, in a few words for the person and, on a refusal, for the model."""
