"""Opens real sessions on a scripted model in a project of the test's own."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from handrail.caps import Caps
from handrail.events import ApprovalRequested, CallFinished, CallProposed, Decision, Event
from handrail.places import Places
from handrail.sessions.conversation import Conversation, Decide, SessionChoice
from handrail.sessions.opening import opener
from handrail.settings import Settings

E = TypeVar("E", bound=Event)

Rounds = Sequence[Mapping[str, object]]
"""Of one turn, as a script file holds them."""

APPROVE = Decision("approve")


@dataclass
class Person:
    """Answers approvals with `answers` in turn, then with `otherwise`; remembers what was asked."""

    answers: list[tuple[Decision, ...]] = field(default_factory=list[tuple[Decision, ...]])
    otherwise: Decision = APPROVE
    asked: list[ApprovalRequested] = field(default_factory=list[ApprovalRequested])

    async def decide(self, request: ApprovalRequested) -> tuple[Decision, ...]:
        self.asked.append(request)
        if self.answers:
            return self.answers.pop(0)
        return tuple(self.otherwise for _ in request.calls)

    @property
    def asked_calls(self) -> list[list[tuple[str, Mapping[str, object]]]]:
        return [[(p.call.name, dict(p.call.args)) for p in request.calls] for request in self.asked]


@dataclass
class Bed:
    """A project and a data home below a temporary folder."""

    root: Path
    settings: Settings = field(default_factory=Settings)
    caps: Caps = field(default_factory=Caps)

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def places(self) -> Places:
        return Places(self.root / "home", self.root / "home")

    def write(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    @asynccontextmanager
    async def open(
        self, script: Rounds | Mapping[str, object], *, choice: SessionChoice | None = None
    ) -> AsyncGenerator[Conversation]:
        """A session on a script: the rounds of one turn, or a whole script file's data."""
        self.project.mkdir(parents=True, exist_ok=True)
        file = self.root / "script.yaml"
        whole = script if isinstance(script, Mapping) else one_turn(script)
        file.write_text(json.dumps(whole))
        wanted = replace(choice or SessionChoice(), model=f"script:{file}")
        conversation = await opener(self.project, self.settings, self.places, self.caps)(wanted)
        try:
            yield conversation
        finally:
            await conversation.close()

    async def play(
        self, script: Rounds | Mapping[str, object], *, person: Person | None = None
    ) -> list[Event]:
        """One turn in a new session."""
        async with self.open(script) as conversation:
            return await turn(conversation, person or Person())


def one_turn(rounds: Rounds) -> dict[str, object]:
    return {"script": 1, "turns": [{"rounds": rounds}], "summary": "what went before"}


def call(tool: str, **args: object) -> dict[str, object]:
    return {"tool": tool, "args": args}


async def turn(
    conversation: Conversation,
    person: Person,
    text: str = "go",
    *,
    on: Callable[[Event], None] = lambda event: None,
) -> list[Event]:
    return await collect(conversation.run(text, person.decide), on=on)


async def go_on(conversation: Conversation, decide: Decide) -> list[Event]:
    return await collect(conversation.go_on(decide))


async def collect(
    events: AsyncIterator[Event], *, on: Callable[[Event], None] = lambda event: None
) -> list[Event]:
    seen: list[Event] = []
    async for event in events:
        seen.append(event)
        on(event)
    return seen


def only(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def results(events: Sequence[Event]) -> list[str]:
    """What the calls answered, in the order they were proposed."""
    order = [event.call.id for event in only(events, CallProposed)]
    finished = only(events, CallFinished)
    return [event.text for event in sorted(finished, key=lambda it: order.index(it.call.id))]
