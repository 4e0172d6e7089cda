"""Reading a YAML file of our own strictly: every complaint names the file, the line and the key."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TypeVar, cast

import yaml

from handrail.errors import UsageError

_TAG = "tag:yaml.org,2002:"
_SCALARS = frozenset(_TAG + name for name in ("str", "int", "float", "bool", "null"))

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """A value in a file, and where it stands."""

    file: Path
    key: str
    node: yaml.Node

    def error(self, problem: str) -> UsageError:
        line = self.node.start_mark.line + 1
        where = f", {self.key}" if self.key else ""
        return UsageError(f"{self.file}, line {line}{where}: {problem}.")

    def mapping(self, allowed: tuple[str, ...], *, required: tuple[str, ...] = ()) -> "Fields":
        """The entries of a mapping that has all `required` and no other than the `allowed` keys."""
        fields = dict(self.pairs())
        for name, entry in fields.items():
            if name not in allowed:
                raise entry.error(f"this key is not known here; known are {', '.join(allowed)}")
        for name in required:
            if name not in fields:
                raise self.error(f"the key {name} is missing")
        return Fields(fields)

    def pairs(self) -> Iterator[tuple[str, "Entry"]]:
        """The entries of a mapping with free keys, each key once."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.error("must be a mapping of keys to values")
        seen: set[str] = set()
        for key_node, value_node in _pairs(self.node):
            name = Entry(self.file, self.key, key_node).text()
            entry = Entry(self.file, f"{self.key}.{name}" if self.key else name, value_node)
            if name in seen:
                raise Entry(self.file, entry.key, key_node).error("this key is there twice")
            seen.add(name)
            yield name, entry

    def items(self) -> tuple["Entry", ...]:
        """The entries of a list that is not empty."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.error("must be a list")
        nodes = cast("list[yaml.Node]", self.node.value)
        if not nodes:
            raise self.error("must not be empty")
        return tuple(Entry(self.file, self.key, node) for node in nodes)

    @property
    def is_list(self) -> bool:
        return isinstance(self.node, yaml.SequenceNode)

    def text(self) -> str:
        if not isinstance(self.node, yaml.ScalarNode) or self.node.tag != _TAG + "str":
            raise self.error("must be text; a number or a word such as yes needs quotes")
        text = cast("str", self.node.value)
        if not text.strip():
            raise self.error("must not be empty")
        return text

    def whole_number(self, *, at_least: int = 0) -> int:
        value = self.plain() if isinstance(self.node, yaml.ScalarNode) else None
        if not isinstance(value, int) or isinstance(value, bool) or value < at_least:
            raise self.error(f"must be a whole number, at least {at_least}")
        return value

    def flag(self) -> bool:
        value = self.plain() if isinstance(self.node, yaml.ScalarNode) else None
        if not isinstance(value, bool):
            raise self.error("must be true or false")
        return value

    def one_of(self, *words: str) -> str:
        text = self.text()
        if text not in words:
            raise self.error(f"must be one of {', '.join(words)}")
        return text

    def pattern(self) -> re.Pattern[str]:
        try:
            return re.compile(self.text(), re.MULTILINE)
        except re.error as error:
            raise self.error(f"is not a regular expression: {error}") from error

    def plain(self, text: Callable[["Entry"], str] | None = None) -> object:
        """The value as JSON knows it; `text` reads the texts in it."""
        if isinstance(self.node, yaml.MappingNode):
            return {name: entry.plain(text) for name, entry in self.pairs()}
        if isinstance(self.node, yaml.SequenceNode):
            nodes = cast("list[yaml.Node]", self.node.value)
            return [Entry(self.file, self.key, node).plain(text) for node in nodes]
        if self.node.tag not in _SCALARS:
            raise self.error("is read by YAML as a special value; put it in quotes")
        if self.node.tag == _TAG + "str":
            return text(self) if text is not None else cast("str", self.node.value)
        return _number_or_word(self)


@dataclass(frozen=True, slots=True)
class Fields:
    """The entries of a mapping whose keys were checked."""

    entries: dict[str, Entry]

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def __getitem__(self, name: str) -> Entry:
        return self.entries[name]

    def read(self, name: str, reader: Callable[[Entry], T], default: T) -> T:
        """What `reader` makes of the entry, or the default where it is not there."""
        entry = self.entries.get(name)
        return default if entry is None else reader(entry)


def read_strict_yaml(file: Path) -> Entry:
    """The top entry of a file; raises `UsageError` when it cannot be read or is not YAML."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text (byte {error.start}).") from error
    try:
        return Entry(file, "", _compose(text, file))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f", line {mark.line + 1}" if mark is not None else ""
        raise UsageError(f"{file}{line}: is not valid YAML: {error.problem}.") from error
    except yaml.YAMLError as error:
        raise UsageError(f"{file} is not valid YAML: {' '.join(str(error).split())}.") from error
    except RecursionError as error:
        raise UsageError(f"{file}: is nested too deeply.") from error


def _compose(text: str, file: Path) -> yaml.Node:
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        # An alias can name a value that holds itself, or a few bytes that unfold into millions.
        if isinstance(event, yaml.AliasEvent):
            line = f", line {event.start_mark.line + 1}" if event.start_mark is not None else ""
            raise UsageError(f"{file}{line}: anchors and aliases are not supported here.")
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(node, yaml.Node):
        raise UsageError(f"{file} is empty.")
    return node


def _pairs(node: yaml.MappingNode) -> list[tuple[yaml.Node, yaml.Node]]:
    return cast("list[tuple[yaml.Node, yaml.Node]]", node.value)


def _number_or_word(entry: Entry) -> object:
    value = cast("object", yaml.safe_load(cast("str", entry.node.value)))
    if isinstance(value, str) or (isinstance(value, float) and not isfinite(value)):
        raise entry.error("is not a value that JSON knows")
    return value
