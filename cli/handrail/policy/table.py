"""The built-in table: reads pass, everything that changes or sends something asks."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from handrail.policy.verdict import Judgement, Verdict

_READS = frozenset({"ls", "read_file", "glob", "grep"})
_OWN = frozenset({"write_todos", "task"})
_CHANGES = frozenset({"write_file", "edit_file", "delete"})

_ARTIFACTS = frozenset({"large_tool_results", "conversation_history", "tasks"})
"""Below /scratch/, kept as they were written."""

_ALLOW_READ = Judgement(Verdict.ALLOW, "reading is allowed")
_ALLOW_OWN = Judgement(Verdict.ALLOW, "changes nothing by itself")
_ALLOW_SCRATCH = Judgement(Verdict.ALLOW, "/scratch/ holds the session's own notes")
_ASK_CHANGE = Judgement(Verdict.ASK, "changes a file")
_DENY_ARTIFACT = Judgement(Verdict.DENY, "what was offloaded can be read but not changed")
_ALLOW_GRANT = Judgement(Verdict.ALLOW, "allowed for this session")

GATED_TOOLS = ("execute", *sorted(_CHANGES))
"""The tools whose calls can ask."""


@dataclass(frozen=True, slots=True)
class Policy:
    """`allowed` holds what the person allowed for the session: see `grant_key`."""

    allowed: frozenset[tuple[str, str]] = frozenset()

    def judge(self, tool: str, args: Mapping[str, object]) -> Judgement:
        """The verdict for one call whose paths are absolute."""
        if tool in _READS:
            return _ALLOW_READ
        if tool in _OWN:
            return _ALLOW_OWN
        judgement = _judge_other(tool, args)
        if judgement.verdict is Verdict.ASK and grant_key(tool, args) in self.allowed:
            return _ALLOW_GRANT
        return judgement


def grant_key(tool: str, args: Mapping[str, object]) -> tuple[str, str]:
    """What "for this session" covers: a command's bytes, a file's path, else all arguments."""
    if tool == "execute":
        return tool, str(args.get("command", ""))
    if tool in ("write_file", "edit_file"):
        return "change", str(args.get("file_path", ""))
    return tool, repr(sorted(args.items()))


def _judge_other(tool: str, args: Mapping[str, object]) -> Judgement:
    if tool in _CHANGES:
        return _judge_change(args)
    if tool == "execute":
        return Judgement(Verdict.ASK, "runs a command on this machine")
    return Judgement(Verdict.ASK, f"no rule covers the tool {tool}")


def _judge_change(args: Mapping[str, object]) -> Judgement:
    parts = PurePosixPath(str(args.get("file_path", ""))).parts
    if ".." in parts:
        return _ASK_CHANGE
    if parts[:2] == ("/", "scratch"):
        return _DENY_ARTIFACT if parts[2:3] and parts[2] in _ARTIFACTS else _ALLOW_SCRATCH
    if parts[:2] == ("/", "memories"):
        return Judgement(Verdict.ASK, "changes what is remembered across sessions")
    return _ASK_CHANGE


def may_change(tool: str) -> bool:
    """Whether a call of this tool may change something, and so keeps its place in the order."""
    return tool not in _READS and tool not in _OWN


def stays_in_session(tool: str, args: Mapping[str, object]) -> bool:
    """Whether the call's effect is a part of the session's own state, kept and lost with it."""
    path = PurePosixPath(str(args.get("file_path", "")))
    return tool in _CHANGES and path.parts[:2] == ("/", "scratch") and ".." not in path.parts
