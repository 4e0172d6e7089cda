"""Where a script goes on: told by the conversation, by memory where its messages are gone."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from handrail.engine.script_format import MAIN_ROLE, Choice, Reply, Round, Script, Turn

MARK = "script"
"""The key in an answer's response metadata that says which round it was."""

Path = tuple[int, ...]
"""Round, then alternative and round for each choice on the way down."""


@dataclass(frozen=True, slots=True)
class Position:
    """A round that was answered; an empty path is the end of a turn, turn -1 the very start."""

    turn: int
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What comes next: a reply of the script, or a plain sentence where it has none."""

    at: Position
    reply: Reply


@dataclass(frozen=True, slots=True)
class Given:
    """The latest step from one point of a conversation; its answer may have failed or got lost."""

    step: Step
    human_key: str


@dataclass(slots=True)
class ScriptMemory:
    """What the conversation alone does not tell; shared by the models of all roles."""

    last: dict[str, Position] = field(default_factory=dict[str, Position])
    given: dict[tuple[str, str], "Given"] = field(default_factory=dict[tuple[str, str], "Given"])
    begun: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    summaries: int = 0
    lock: Lock = field(default_factory=Lock)


@dataclass(frozen=True, slots=True)
class _Conversation:
    """A request, as far as a script looks at it."""

    spoken: Position | None
    origin: str
    """What tells this request from those of other conversations and after other answers."""
    human: HumanMessage | None
    """The person's last message after what was spoken."""
    summarised: bool
    results: str

    @property
    def human_key(self) -> str:
        return _key(self.human) if self.human is not None else ""


def _key(message: BaseMessage) -> str:
    return message.id or message.text


def next_step(
    script: Script, role: str, messages: Sequence[BaseMessage], memory: ScriptMemory
) -> Step:
    """The answer to a request of a role other than the summariser's."""
    seen = _look_at(script, role, messages)
    with memory.lock:
        given = memory.given.get((role, seen.origin))
        step = _decide(script, role, seen, given, memory)
        memory.last[role] = step.at
        memory.given[role, seen.origin] = Given(step, seen.human_key)
    return step


def _decide(
    script: Script, role: str, seen: _Conversation, given: Given | None, memory: ScriptMemory
) -> Step:
    turns = script.turns_of(role)
    is_retry = given is not None and given.human_key == seen.human_key
    if given is not None and is_retry and given.step.reply.error is None:
        return given.step
    at = given.step.at if given is not None else _last_position(role, seen, memory)
    if seen.human is not None and not is_retry:
        return _first_of_turn(script, role, seen, at, memory)
    path = _after(turns, at, seen.results)
    if path is None:
        return _silent(at, f"The script {script.name} has nothing more to say in this turn.")
    return Step(Position(at.turn, path), _reply_at(turns[at.turn].rounds, path))


def _last_position(role: str, seen: _Conversation, memory: ScriptMemory) -> Position:
    if seen.spoken is not None:
        return seen.spoken
    if seen.summarised:
        return memory.last.get(role, Position(-1))
    return Position(-1)


def _first_of_turn(
    script: Script, role: str, seen: _Conversation, at: Position, memory: ScriptMemory
) -> Step:
    turns = script.turns_of(role)
    turn = _choose_turn(turns, role, seen, at, memory)
    if turn is None:
        return _silent(Position(at.turn), _no_turn(script, role, at))
    path = _enter(turns[turn].rounds, 0, "")
    assert path is not None, "a turn has at least one round"
    return Step(Position(turn, path), _reply_at(turns[turn].rounds, path))


def _choose_turn(
    turns: Sequence[Turn], role: str, seen: _Conversation, at: Position, memory: ScriptMemory
) -> int | None:
    """The next turn whose pattern fits. Every sub-agent takes one that no other one took."""
    taken: set[int] = set()
    key = (role, seen.human_key)
    if role != MAIN_ROLE:
        if key in memory.begun:
            return memory.begun[key]
        taken = {turn for (name, _), turn in memory.begun.items() if name == role}
    text = seen.human.text if seen.human is not None else ""
    for index, turn in enumerate(turns):
        fits = turn.user is None or turn.user.search(text)
        if index > at.turn and index not in taken and fits:
            if role != MAIN_ROLE:
                memory.begun[key] = index
            return index
    return None


def _no_turn(script: Script, role: str, at: Position) -> str:
    if role != MAIN_ROLE:
        return f"The script {script.name} has no turn left for the sub-agent {role}."
    if at.turn + 1 >= len(script.turns):
        return f"The script {script.name} has ended: there are no more turns in it."
    return f"The script {script.name} has no answer to this message."


def _silent(at: Position, sentence: str) -> Step:
    return Step(at, Reply(say=(sentence,)))


def _look_at(script: Script, role: str, messages: Sequence[BaseMessage]) -> _Conversation:
    spoken: Position | None = None
    tail: list[BaseMessage] = []
    origin = next((_key(it) for it in messages if isinstance(it, HumanMessage)), "")
    for message in messages:
        mark = _mark_of(script, role, message)
        if mark is None:
            tail.append(message)
        else:
            spoken, origin, tail = mark, _key(message), []
    people = [it for it in tail if isinstance(it, HumanMessage) and not _source_of(it)]
    return _Conversation(
        spoken=spoken,
        origin=origin,
        human=people[-1] if people else None,
        summarised=any(_source_of(it) == "summarization" for it in messages),
        results="\n".join(it.text for it in tail if isinstance(it, ToolMessage)),
    )


def _source_of(message: BaseMessage) -> object:
    kwargs = cast("dict[str, object]", message.additional_kwargs)
    return kwargs.get("lc_source")


def mark(script: Script, role: str, at: Position) -> dict[str, object]:
    """What an answer carries so that a later request, even in another process, finds its place."""
    return {"name": script.name, "role": role, "turn": at.turn, "path": list(at.path)}


def _mark_of(script: Script, role: str, message: BaseMessage) -> Position | None:
    """The position in an answer of this script and role. It was stored, so it is checked."""
    if not isinstance(message, AIMessage):
        return None
    metadata = cast("dict[str, object]", message.response_metadata)
    stored = metadata.get(MARK)
    if not isinstance(stored, dict):
        return None
    found = cast("dict[str, object]", stored)
    turn, path = found.get("turn"), found.get("path")
    if (found.get("name"), found.get("role")) != (script.name, role):
        return None
    if not isinstance(turn, int) or not isinstance(path, list):
        return None
    return Position(turn, tuple(it for it in cast("list[object]", path) if isinstance(it, int)))


def _after(turns: Sequence[Turn], at: Position, results: str) -> Path | None:
    """The round after a position; None when the turn has none or the script has changed since."""
    if not at.path or not 0 <= at.turn < len(turns):
        return None
    try:
        return _follow(turns[at.turn].rounds, at.path, results)
    except LookupError:
        return None


def _follow(rounds: Sequence[Round], path: Path, results: str) -> Path | None:
    index, *rest = path
    if not rest:
        return _enter(rounds, index + 1, results)
    choice = rounds[index]
    if not isinstance(choice, Choice) or len(rest) == 1:
        raise LookupError(path)
    alternative = choice.alternatives[rest[0]]
    inner = _follow(alternative.rounds, tuple(rest[1:]), results)
    if inner is not None:
        return (index, rest[0], *inner)
    return _enter(rounds, index if alternative.repeat else index + 1, results)


def _enter(rounds: Sequence[Round], index: int, results: str) -> Path | None:
    """The way down to a reply from the round at `index`."""
    if index >= len(rounds):
        return None
    choice = rounds[index]
    if isinstance(choice, Reply):
        return (index,)
    for number, alternative in enumerate(choice.alternatives):
        if alternative.when is None or alternative.when.search(results):
            inner = _enter(alternative.rounds, 0, results)
            return (index, number, *inner) if inner is not None else None
    return None


def _reply_at(rounds: Sequence[Round], path: Path) -> Reply:
    index, *rest = path
    match rounds[index], rest:
        case Reply() as reply, []:
            return reply
        case Choice(alternatives), [number, *inner]:
            return _reply_at(alternatives[number].rounds, tuple(inner))
        case _:
            raise LookupError(path)
