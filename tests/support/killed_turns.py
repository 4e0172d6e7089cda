"""Sittings in real processes that are killed, and what they left behind."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from tests.support.engine_bed import Bed, Rounds, one_turn

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Kill:
    """The `nth` passing of a point about something that holds `about`, once `after` was passed.

    Points are `asked`, `output`, `event`, `chunk`, and `before` and `after` a method's name.
    """

    point: str
    about: str = ""
    nth: int = 1
    after: str = ""
    after_about: str = ""
    stop: bool = False
    """The person stops the turn there instead."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a child process does: open the session, take up what is unfinished, say `text`."""

    root: str
    text: str = "go"
    resume: bool = False
    ignore_unfinished: bool = False
    kill: Kill | None = None
    kill_after_ms: int = 0
    answers: Sequence[Sequence[Mapping[str, object]]] = ()
    """The decisions of one approval after the other; then everything is approved."""
    id_of_every_call: str = ""
    """For servers that give every call the same id."""

    @classmethod
    def read(cls, line: str) -> Self:
        data = json.loads(line)
        kill = data.pop("kill")
        return cls(**data, kill=Kill(**kill) if kill else None)


@dataclass(frozen=True, slots=True)
class Seen:
    """The log of one sitting."""

    status: int
    """As `subprocess` gives it: negative for a signal."""
    entries: Sequence[Mapping[str, Any]]

    @property
    def asked(self) -> list[list[str]]:
        return [entry["asked"] for entry in self.entries if "asked" in entry]

    @property
    def unfinished(self) -> bool:
        return any(entry.get("unfinished") for entry in self.entries)

    @property
    def requests(self) -> list[list[list[str]]]:
        """Of the main agent: role and text of each message."""
        return [e["request"] for e in self.entries if "request" in e and e["role"] == "main"]

    @property
    def faults(self) -> list[str]:
        return [fault for entry in self.entries for fault in entry.get("faults", ())]

    @property
    def past(self) -> list[Mapping[str, Any]]:
        return [event for entry in self.entries for event in entry.get("past", ())]

    @property
    def events(self) -> list[Mapping[str, Any]]:
        return [entry["event"] for entry in self.entries if "event" in entry]

    @property
    def ended(self) -> str:
        """The kind of the last event."""
        return str(self.events[-1]["type"]) if self.events else ""

    @property
    def killed_at(self) -> str:
        return next((entry["killed"] for entry in self.entries if "killed" in entry), "")

    def answers(self, role: str) -> list[str]:
        """The tools' answers that agents of a role were given, each once."""
        asked = [entry["request"] for entry in self.entries if entry.get("role") == role]
        return list(dict.fromkeys(text for it in asked for kind, text in it if kind == "tool"))

    def results(self) -> list[str]:
        """The tools' answers in the main agent's last request."""
        return [text for kind, text in self.requests[-1] if kind == "tool"]


class Nursery:
    """A process that has imported everything and forks a child for every sitting."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.nursery"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()

    def play(self, sitting: Sitting) -> Seen:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        log = Path(sitting.root, "log.jsonl")
        before = log.stat().st_size if log.exists() else 0
        self._process.stdin.write(json.dumps(asdict(sitting)) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        with log.open() as file:
            file.seek(before)
            entries = [cast("Mapping[str, Any]", json.loads(line)) for line in file]
        return Seen(status, entries)


@dataclass
class Grave:
    """A bed whose sittings run, and die, in the nursery."""

    root: Path
    nursery: Nursery
    same_ids: str = ""
    bed: Bed = field(init=False)

    def __post_init__(self) -> None:
        self.bed = Bed(self.root)
        self.bed.project.mkdir(parents=True, exist_ok=True)

    def script(self, script: Rounds | Mapping[str, object]) -> None:
        whole = script if isinstance(script, Mapping) else one_turn(script)
        (self.root / "script.yaml").write_text(json.dumps(whole))

    def sit(self, **wish: Any) -> Seen:  # noqa: ANN401  # the fields of a sitting
        wish.setdefault("id_of_every_call", self.same_ids)
        return self.nursery.play(Sitting(str(self.root), **wish))

    def ran(self, name: str = "runs") -> list[str]:
        """The effects of commands, a line for each run."""
        path = self.bed.project / name
        return path.read_text().split() if path.exists() else []


def lasting(word: str) -> str:
    """A command with an effect that says so and then runs as long as its agent lives."""
    return f"echo {word} >> runs; echo has-{word}; tail -s 0.05 --pid=$PPID -f /dev/null"
