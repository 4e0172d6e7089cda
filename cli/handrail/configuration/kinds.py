"""The kinds of values a setting can have: what fits, and how to say what was expected."""

import re
import shlex
from dataclasses import dataclass
from typing import Protocol, cast
from urllib.parse import urlsplit

from handrail.credentials.secret import looks_like_a_key

Value = str | int | float | tuple[str, ...] | None
"""What a setting can be."""


class UnfitError(Exception):
    """The value is not of its kind; the text says what was expected."""


class Kind(Protocol):
    def from_toml(self, value: object) -> Value:
        """Raises `UnfitError`."""
        ...

    def from_text(self, text: str) -> Value:
        """The same for a variable or a flag."""
        ...


@dataclass(frozen=True, slots=True)
class ModelName:
    def from_toml(self, value: object) -> Value:
        text = value.strip() if isinstance(value, str) else ""
        provider, _, name = text.partition(":")
        if not provider or not name or not text.isprintable():
            raise UnfitError("a text like `provider:model` or `script:FILE`")
        return text

    def from_text(self, text: str) -> Value:
        return self.from_toml(text)


class Choice:
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def from_toml(self, value: object) -> Value:
        if not isinstance(value, str) or value.strip() not in self.words:
            raise UnfitError(" or ".join(f"`{word}`" for word in self.words))
        return value.strip()

    def from_text(self, text: str) -> Value:
        return self.from_toml(text)


@dataclass(frozen=True, slots=True)
class Url:
    """Without anything secret: it is shown on screens and in messages."""

    def from_toml(self, value: object) -> Value:
        if not isinstance(value, str) or not _is_plain_url(value.strip()):
            raise UnfitError(
                "an address like `http://localhost:8000/v1` without user name, password or query"
            )
        return value.strip()

    def from_text(self, text: str) -> Value:
        return self.from_toml(text)


@dataclass(frozen=True, slots=True)
class Whole:
    least: int
    most: int

    def from_toml(self, value: object) -> Value:
        if type(value) is not int or not self.least <= value <= self.most:
            raise UnfitError(f"a whole number from {self.least} to {self.most}")
        return value

    def from_text(self, text: str) -> Value:
        digits = text.strip().replace("_", "")
        return self.from_toml(int(digits) if re.fullmatch(r"[+-]?[0-9]{1,18}", digits) else None)


@dataclass(frozen=True, slots=True)
class Share:
    least: float
    most: float

    def from_toml(self, value: object) -> Value:
        if type(value) is not float or not self.least <= value <= self.most:
            raise UnfitError(f"a number from {self.least} to {self.most}")
        return value

    def from_text(self, text: str) -> Value:
        try:
            return self.from_toml(float(text))
        except ValueError:
            return self.from_toml(None)


@dataclass(frozen=True, slots=True)
class VariableNames:
    def from_toml(self, value: object) -> Value:
        names = cast("list[object]", value) if isinstance(value, list) else None
        if names is None or not all(_is_variable_name(name) for name in names):
            raise UnfitError('a list of names of variables like `["CI", "LANG"]`')
        return tuple(dict.fromkeys(str(name) for name in names))

    def from_text(self, text: str) -> Value:
        return self.from_toml([name for name in re.split(r"[,\s]+", text) if name])


@dataclass(frozen=True, slots=True)
class KeyCommand:
    """A program with its arguments; no shell reads it."""

    def from_toml(self, value: object) -> Value:
        parts = _split(value) if isinstance(value, str) else value
        words = cast("list[object]", parts) if isinstance(parts, list) else []
        texts = tuple(word for word in words if isinstance(word, str) and "\0" not in word)
        if not texts or len(texts) != len(words) or looks_like_a_key(" ".join(texts)):
            raise UnfitError(
                'a command that prints the key, like `["pass", "show", "openai"]`,'
                " and never the key itself"
            )
        return texts

    def from_text(self, text: str) -> Value:
        return self.from_toml(text)


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _is_variable_name(name: object) -> bool:
    return isinstance(name, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None


def _is_plain_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        _ = url.port
    except ValueError:
        return False
    if not text.isprintable() or " " in text or url.username is not None:
        return False
    return (
        url.scheme in ("http", "https") and bool(url.hostname) and not (url.query or url.fragment)
    )
