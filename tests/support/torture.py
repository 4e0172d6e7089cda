"""Kills turns at random moments and judges what the next sitting makes of them."""

import random
import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.engine_bed import call
from tests.support.killed_turns import Grave, Kill, Nursery, Seen

Script = Mapping[str, object]

_MOST_PASSED = 90
"""Points of a turn that a kill is drawn from; later ones than a turn has leave it alone."""
_LONGEST_MS = 1_500
_AROUND_CALLS = (
    "asked",
    "after decided",
    "after started",
    "output",
    "before finished",
    "after finished",
    "before aput_writes",
    "after aput_writes",
    "before aput",
)
"""Where it hurts: these are aimed at, beside moments that are drawn from all there are."""


def _run(word: str) -> dict[str, object]:
    return call("execute", command=f"echo {word} >> runs; echo result-{word}")


def _task(description: str) -> dict[str, object]:
    return call("task", description=description, subagent_type="general-purpose")


def commands() -> Script:
    rounds = [{"calls": [_run("a")]}, {"say": "well", "calls": [_run("b"), _run("c")]}]
    return _story([*rounds, {"say": "done"}])


def edits() -> Script:
    write = call("write_file", file_path="log.txt", content="start\n")
    edit = call("edit_file", file_path="log.txt", old_string="start\n", new_string="start\nmore\n")
    note = call("write_file", file_path="/scratch/note.md", content="noted")
    return _story([{"calls": [write, note]}, {"calls": [edit, _run("a")]}, {"say": "done"}])


def subagents() -> Script:
    return _story(
        [{"calls": [_task("the first"), _task("the second"), _run("last")]}, {"say": "done"}],
        {"user": "first", "rounds": [{"calls": [_run("a"), _run("b")]}, {"say": "did a and b"}]},
        {"user": "second", "rounds": [{"calls": [_run("c")]}, {"say": "did c"}]},
    )


def reads_and_notes() -> Script:
    reads = [call("ls", path="."), call("grep", pattern="x"), call("read_file", file_path="none")]
    todos = call("write_todos", todos=[{"content": "it", "status": "in_progress"}])
    return _story([{"calls": [todos, *reads, _run("a")]}, {"calls": [_run("b")]}, {"say": "done"}])


SCRIPTS: tuple[Callable[[], Script], ...] = (commands, edits, subagents, reads_and_notes)
"""Another mixture is another function here; effects are lines in `runs`, each with its own word."""

_DECISIONS: tuple[Mapping[str, object], ...] = (
    {"kind": "approve"},
    {"kind": "approve"},
    {"kind": "approve", "grant": "session"},
    {"kind": "reject", "message": "no"},
    {"kind": "respond", "message": "it is done"},
)


def _story(rounds: list[Mapping[str, object]], *agents: Mapping[str, object]) -> Script:
    story: dict[str, object] = {
        "script": 1,
        "turns": [{"rounds": rounds}, {"rounds": [{"say": "here I am"}]}],
    }
    return story | ({"agents": {"general-purpose": list(agents)}} if agents else {})


@dataclass
class Figures:
    """What was seen; `failures` says of each fault in which kill it was."""

    kills: int = 0
    spared: int = 0
    """Turns that ended before their kill came."""
    double: int = 0
    lost: int = 0
    stuck: int = 0
    failures: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        return (
            f"{self.kills} turns killed, {self.spared} more ended before their kill:"
            f" {self.double} double executions, {self.lost} lost finished results,"
            f" {self.stuck} sessions that do not continue"
        )


class Torture:
    """Reproducible by its seed, except for kills by the clock."""

    def __init__(self, nursery: Nursery, folder: Path, seed: int) -> None:
        self._nursery = nursery
        self._folder = folder
        self._seed = seed
        self.figures = Figures()

    def run(self, kills: int, tell: Callable[[str], None] = lambda line: None) -> Figures:
        number = 0
        while self.figures.kills < kills:
            self._one(number)
            number += 1
            if number % 20 == 0:
                tell(str(self.figures))
        return self.figures

    def _one(self, number: int) -> None:
        chance = random.Random(f"{self._seed}-{number}")  # reproducible on purpose
        grave = Grave(self._folder / str(number), self._nursery)
        if chance.random() < 0.2:
            grave.same_ids = "call_0"
        script = chance.choice(SCRIPTS)
        grave.script(script())
        seen = [self._killed(grave, chance)]
        if chance.random() < 0.3:  # a second kill, while the turn is taken up
            seen.append(self._killed(grave, chance, resume=True, text=""))
        if any(one.status == -signal.SIGKILL for one in seen):
            self.figures.kills += 1
        else:
            self.figures.spared += 1
        is_ignored = chance.random() < 0.2
        last = grave.sit(resume=True, text="are you there", ignore_unfinished=is_ignored)
        ends = " then ".join(one.killed_at or str(one.status) for one in seen)
        self._judge(grave, [*seen, last], f"kill {number} ({script.__name__}, {ends})")

    def _killed(self, grave: Grave, chance: random.Random, **wish: object) -> Seen:
        answers = [[chance.choice(_DECISIONS)] for _ in range(chance.randrange(3))]
        way = chance.random()
        if way < 0.4:
            kill = Kill(chance.choice(_AROUND_CALLS), nth=chance.randint(1, 4))
            return grave.sit(kill=kill, answers=answers, **wish)
        if way < 0.7:
            kill = Kill("", nth=chance.randint(1, _MOST_PASSED))
            return grave.sit(kill=kill, answers=answers, **wish)
        return grave.sit(kill_after_ms=chance.randint(50, _LONGEST_MS), answers=answers, **wish)

    def _judge(self, grave: Grave, seen: list[Seen], where: str) -> None:
        for effects in (grave.ran("runs"), grave.ran("log.txt")):
            if len(set(effects)) != len(effects):
                self.figures.double += 1
                self.figures.failures.append(f"{where}: did {effects}")
        if lost := lost_results(seen):
            self.figures.lost += 1
            self.figures.failures.append(f"{where}: lost {sorted(lost)}")
        last = seen[-1]
        broken = [fault for one in seen for fault in one.faults]
        if last.status != 0 or last.ended != "TurnFinished" or broken:
            self.figures.stuck += 1
            end = last.events[-1] if last.events else "nothing"
            self.figures.failures.append(f"{where}: {last.status} {broken} {end}")


_RESULT = re.compile(r"result-\w+")


def lost_results(seen: list[Seen]) -> set[str]:
    """Results the person saw finished in a killed sitting that no later request holds.

    A sub-agent that reported has its results in its own words.
    """
    finished = {
        word
        for one in seen[:-1]
        for event in one.events
        if event["type"] == "CallFinished" and event["call"]["name"] == "execute"
        for word in _RESULT.findall(event["text"])
    }
    told = {
        word
        for one in seen
        for entry in one.entries
        if "request" in entry
        for _, text in entry["request"]
        for word in _RESULT.findall(text)
    }
    return finished - told
