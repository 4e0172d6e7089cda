"""Reads and checks a script file; see docs/scripted-model.md for the format."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from handrail.engine.script_format import (
    DEFAULT_WINDOW,
    MAIN_ROLE,
    SUMMARY_ROLE,
    Alternative,
    Choice,
    Reply,
    Round,
    Script,
    ScriptedCall,
    ScriptedFailure,
    ScriptedUsage,
    Turn,
)
from handrail.strict_yaml import Entry, Fields, read_strict_yaml

FORMAT_VERSION = 1

_REPLY_KEYS = ("say", "think", "calls", "usage", "finish", "error")
_FINISH = ("stop", "length", "content_filter")
_PLACEHOLDER = re.compile(r"\$\$\{|\$\{([^}]*)\}")
_WORD = re.compile(r"\S+\s*|\s+")


def load_script(path: Path, variables: Mapping[str, str] | None = None) -> Script:
    """The script in the file; `variables` are the values of `${name}`. Raises `UsageError`."""
    return _Reader(variables or {}).script(read_strict_yaml(path), path.stem)


@dataclass(slots=True)
class _Reader:
    variables: Mapping[str, str]
    call_ids: set[str] = field(default_factory=set[str])

    def script(self, top: Entry, name: str) -> Script:
        keys = ("script", "window", "pace", "turns", "agents", "summary")
        fields = top.mapping(keys, required=("script", "turns"))
        if fields["script"].whole_number() != FORMAT_VERSION:
            raise fields["script"].error(
                f"this version of the format is not known, use {FORMAT_VERSION}"
            )
        return Script(
            name=name,
            turns=self.turns(fields["turns"]),
            agents=fields.read("agents", self.agents, {}),
            summary=fields.read("summary", self.texts, ()),
            window=fields.read("window", lambda it: it.whole_number(at_least=1), DEFAULT_WINDOW),
            pace_ms=fields.read("pace", Entry.whole_number, 0),
        )

    def agents(self, entry: Entry) -> Mapping[str, tuple[Turn, ...]]:
        agents: dict[str, tuple[Turn, ...]] = {}
        for name, turns in entry.pairs():
            if name in (MAIN_ROLE, SUMMARY_ROLE):
                raise turns.error("this name is taken, a sub-agent cannot have it")
            agents[name] = self.turns(turns)
        return agents

    def turns(self, entry: Entry) -> tuple[Turn, ...]:
        return tuple(self.turn(item) for item in entry.items())

    def turn(self, entry: Entry) -> Turn:
        fields = entry.mapping(("user", "rounds"), required=("rounds",))
        rounds = self.rounds(fields["rounds"])
        return Turn(fields.read("user", Entry.pattern, None), rounds)

    def rounds(self, entry: Entry) -> tuple[Round, ...]:
        return tuple(self.round(item) for item in entry.items())

    def round(self, entry: Entry) -> Round:
        fields = entry.mapping((*_REPLY_KEYS, "choose"))
        if "choose" not in fields:
            return self.reply(entry, fields)
        if len(fields.entries) > 1:
            raise entry.error("choose stands alone; put the other keys into its alternatives")
        return self.choice(fields["choose"])

    def choice(self, entry: Entry) -> Choice:
        items = entry.items()
        alternatives = tuple(self.alternative(item) for item in items)
        for item, alternative in zip(items, alternatives, strict=True):
            is_last = item is items[-1]
            if is_last and alternative.when is not None:
                raise item.error("the last alternative is for everything else and has no when")
            if not is_last and alternative.when is None:
                raise item.error("only the last alternative may be without when")
        return Choice(alternatives)

    def alternative(self, entry: Entry) -> Alternative:
        fields = entry.mapping((*_REPLY_KEYS, "when", "rounds", "repeat"))
        when = fields.read("when", Entry.pattern, None)
        repeat = fields.read("repeat", Entry.flag, default=False)
        known_ids = len(self.call_ids)
        if "rounds" not in fields:
            rounds: tuple[Round, ...] = (self.reply(entry, fields),)
        elif any(key in fields for key in _REPLY_KEYS):
            raise entry.error("an alternative has either rounds or the keys of one round")
        else:
            rounds = self.rounds(fields["rounds"])
        if repeat and len(self.call_ids) > known_ids:
            raise entry.error("calls that may repeat cannot have an id of their own")
        return Alternative(when, rounds, repeat)

    def reply(self, entry: Entry, fields: Fields) -> Reply:
        reply = Reply(
            say=fields.read("say", self.pieces, ()),
            think=fields.read("think", self.pieces, ()),
            calls=fields.read("calls", self.calls, ()),
            usage=fields.read("usage", _usage, None),
            finish=fields.read("finish", _finish, None),
            error=fields.read("error", self.failure, None),
        )
        if not (reply.say or reply.calls or reply.finish or reply.error):
            raise entry.error("a round needs say, calls, finish, error or choose")
        return reply

    def pieces(self, entry: Entry) -> tuple[str, ...]:
        """A text in words, or the pieces of a list as they are."""
        if entry.is_list:
            return self.texts(entry)
        return tuple(_WORD.findall(self.text(entry).rstrip("\n")))

    def texts(self, entry: Entry) -> tuple[str, ...]:
        if entry.is_list:
            return tuple(self.text(item) for item in entry.items())
        return (self.text(entry),)

    def calls(self, entry: Entry) -> tuple[ScriptedCall, ...]:
        return tuple(self.call(item) for item in entry.items())

    def call(self, entry: Entry) -> ScriptedCall:
        fields = entry.mapping(("tool", "args", "id"), required=("tool",))
        identity = fields.read("id", Entry.text, None)
        if identity is not None and identity in self.call_ids:
            raise fields["id"].error("another call has this id already")
        if identity is not None:
            self.call_ids.add(identity)
        return ScriptedCall(fields["tool"].text(), fields.read("args", self.args, {}), identity)

    def args(self, entry: Entry) -> Mapping[str, object] | str:
        if isinstance(entry.plain(), str):
            return self.text(entry)
        return {name: value.plain(self.filled) for name, value in entry.pairs()}

    def failure(self, entry: Entry) -> ScriptedFailure:
        fields = entry.mapping(("message", "status"), required=("message",))
        status = fields.read("status", lambda it: it.whole_number(at_least=400), None)
        return ScriptedFailure(self.text(fields["message"]), status)

    def text(self, entry: Entry) -> str:
        entry.text()
        return self.filled(entry)

    def filled(self, entry: Entry) -> str:
        """The text with its placeholders filled; `$${` stands for `${`."""

        def fill(match: re.Match[str]) -> str:
            name = match.group(1)
            if name is None:
                return "${"
            if name not in self.variables:
                known = ", ".join(f"${{{it}}}" for it in sorted(self.variables)) or "none"
                raise entry.error(
                    f"the placeholder ${{{name}}} is not known (known: {known}); "
                    f"write $${{{name}}} for the characters themselves"
                )
            return self.variables[name]

        return _PLACEHOLDER.sub(fill, str(entry.plain()))


def _finish(entry: Entry) -> str:
    if entry.text() not in _FINISH:
        raise entry.error(f"an answer ends with one of {', '.join(_FINISH)}")
    return entry.text()


def _usage(entry: Entry) -> ScriptedUsage:
    fields = entry.mapping(("input", "output", "cached"), required=("input", "output"))
    usage = ScriptedUsage(
        input=fields["input"].whole_number(),
        output=fields["output"].whole_number(),
        cached=fields.read("cached", Entry.whole_number, 0),
    )
    if usage.cached > usage.input:
        raise fields["cached"].error("cannot be more than input, of which it is a part")
    return usage
