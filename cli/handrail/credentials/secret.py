"""A key as a value that hides itself, and the one place where keys are taken out of texts."""

import re
from typing import final

_SHORTEST = 8
"""What is shorter is a placeholder such as `none`, and would be cut out of ordinary words."""

_LEFT_OUT = "[key]"
_LIKE_A_KEY = re.compile(r"(?<![\w-])(?:(?:sk|pk|rk|key)-[\w*-]{4,}|AIza[\w-]{20,})")

_origins: dict[str, str] = {}
"""By value, the secrets of this process: wherever something fails, they can be left out."""


@final
class Secret:
    """Only `reveal` gives the value away."""

    __slots__ = ("_value", "origin")

    def __init__(self, value: str, origin: str) -> None:
        self._value = value
        self.origin = origin
        """Where it was found, in words for a person: a variable, a file, a setting."""
        if len(value) >= _SHORTEST:
            _origins[value] = origin

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return f"Secret({self.origin!r})"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("A secret is written nowhere.")


def without_secrets(text: str) -> str:
    """The text without any secret of this process, nor anything that looks like a key."""
    for value in sorted(_origins, key=len, reverse=True):
        text = text.replace(value, _LEFT_OUT)
    return _LIKE_A_KEY.sub(_LEFT_OUT, text)


def looks_like_a_key(text: str) -> bool:
    return _LIKE_A_KEY.search(text) is not None


def origin_of(value: str) -> str | None:
    """Where a secret that a request carried was found."""
    return _origins.get(value)
