"""A call in a few words, sanitised and on one line: what it is, and on what."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from handrail.events import Call
from handrail.render.amounts import plural
from handrail.render.fit import cut_end
from handrail.render.sanitise import sanitise_line

_MAX_NAME = 24
_MAX_VALUE = 400
"""Of a longer argument only the start is shown."""


@dataclass(frozen=True, slots=True)
class Described:
    """For example `run` and `pytest -q`."""

    tool: str
    what: str

    @property
    def line(self) -> str:
        return f"{self.tool} {self.what}".rstrip()


def describe(call: Call, root: str = "") -> Described:
    """The call in one line; paths below `root` are shown relative to it."""
    name, say = _KNOWN.get(call.name, (call.name, _arguments))
    what = say(call.args, root)
    shown = _arguments(call.args, root) if what is None else what
    return Described(cut_end(sanitise_line(name), _MAX_NAME), sanitise_line(shown))


def relative(path: str, root: str) -> str:
    """The path as seen from `root` when it lies below it."""
    prefix = root.rstrip("/") + "/"
    return path.removeprefix(prefix) or path if root else path


def _arguments(args: Mapping[str, object], root: str) -> str:
    del root
    return " ".join(f"{key}={value!s:.{_MAX_VALUE}}" for key, value in args.items())


def _file(args: Mapping[str, object], root: str) -> str | None:
    """None, here and below, when the arguments lack their usual form and are shown as they are."""
    path = _text(args, "file_path")
    return relative(path, root) if path else None


def _file_range(args: Mapping[str, object], root: str) -> str | None:
    path = _file(args, root)
    offset, limit = args.get("offset"), args.get("limit")
    start = offset if isinstance(offset, int) else 0
    if path is None or (start <= 0 and not isinstance(limit, int)):
        return path
    return f"{path} {start + 1}-{start + limit if isinstance(limit, int) else ''}"


def _folder(args: Mapping[str, object], root: str) -> str:
    path = _text(args, "path")
    return "." if not path or path == root else relative(path, root)


def _search(args: Mapping[str, object], root: str) -> str | None:
    pattern, glob, folder = _text(args, "pattern"), _text(args, "glob"), _folder(args, root)
    if pattern is None:
        return None
    return pattern + ("" if folder == "." else f" in {folder}") + (f" ({glob})" if glob else "")


def _command(args: Mapping[str, object], root: str) -> str | None:
    del root
    command = _text(args, "command")
    return None if command is None else _first_line(command)


def _task(args: Mapping[str, object], root: str) -> str | None:
    del root
    task = _text(args, "description")
    agent = _text(args, "subagent_type") or "agent"
    return None if task is None else f"{agent}: {_first_line(task)}"


def _nothing(args: Mapping[str, object], root: str) -> str:
    del args, root
    return ""


def _first_line(text: str) -> str:
    first, newline, rest = text.strip("\n").partition("\n")
    return f"{first} … {plural(rest.count(chr(10)) + 1, 'more line')}" if newline else first


def _text(args: Mapping[str, object], key: str) -> str | None:
    value = args.get(key)
    return value if isinstance(value, str) else None


_KNOWN: Mapping[str, tuple[str, Callable[[Mapping[str, object], str], str | None]]] = {
    "delete": ("delete", _file),
    "edit_file": ("edit", _file),
    "execute": ("run", _command),
    "glob": ("glob", _search),
    "grep": ("grep", _search),
    "ls": ("ls", _folder),
    "read_file": ("read", _file_range),
    "task": ("task", _task),
    "write_file": ("write", _file),
    "write_todos": ("todos", _nothing),
}
