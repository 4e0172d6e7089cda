"""A project whose sessions talk to the loopback service through the real client."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from handrail.engine import retry_rules
from handrail.events import Event, TextDelta, TextFinished
from handrail.places import Places
from handrail.sessions.conversation import Conversation, SessionChoice
from handrail.sessions.opening import opener
from handrail.settings import ModelSettings, Settings
from tests.support.anthropic_messages import AnthropicMessages
from tests.support.engine_bed import only
from tests.support.faults import StallAfter
from tests.support.json_shape import string
from tests.support.model_server import ModelServer, Received
from tests.support.openai_chat import OpenAIChat
from tests.support.openai_responses import OpenAIResponses
from tests.support.replies import Fault

Api = Literal["chat", "responses", "anthropic"]


@dataclass(frozen=True, slots=True)
class Line:
    """From a session to the model service."""

    root: Path
    server: ModelServer

    @property
    def project(self) -> Path:
        return self.root / "project"

    @asynccontextmanager
    async def open(
        self,
        *,
        retries: int = 4,
        idle_s: float = 30,
        base_url: str = "",
        window: int = 100_000,
        api: Api = "chat",
        resume: bool = False,
    ) -> AsyncGenerator[Conversation]:
        is_anthropic = api == "anthropic"
        url = self.server.root_url if is_anthropic else self.server.base_url
        model = ModelSettings(
            "anthropic:loopback" if is_anthropic else "openai:loopback",
            base_url=base_url or url,
            api=None if api == "anthropic" else api,
            context_window=window,
            retries=retries,
            idle_timeout_s=idle_s,
        )
        places = Places(self.root / "home", self.root / "home")
        open_session = opener(self.project, Settings(model), places)
        conversation = await open_session(SessionChoice(resume=resume))
        try:
            yield conversation
        finally:
            await conversation.close()


def shown(events: Sequence[Event]) -> list[tuple[str, bool]]:
    """The texts and whether they are cut; their deltas must say the same."""
    texts: dict[str, str] = {}
    for event in only(events, TextDelta):
        texts[event.message_id] = texts.get(event.message_id, "") + event.text
    finished = only(events, TextFinished)
    assert {event.message_id: event.text for event in finished} == texts
    return [(event.text, event.cut) for event in finished]


def patience_for(fault: Fault) -> float:
    """Short where silence is the fault; elsewhere a slow machine must not look like one."""
    return 1 if isinstance(fault, StallAfter) else 30


def people(received: Received) -> str:
    """What the person said, as a request repeats it: as one message or as several."""
    said = [string(m.get("content")) for m in received.messages if m.get("role") == "user"]
    return "\n\n".join(said)


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """Speaks every format; a refusal or a script that ran out fails the test."""
    forms = OpenAIChat("loopback"), OpenAIResponses("loopback"), AnthropicMessages("loopback")
    with ModelServer(*forms) as server:
        yield server
    assert server.errors == []
    assert server.refusals == []


@pytest.fixture
def line(tmp_path: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Line:
    """Waits of our own are short."""
    monkeypatch.setenv("OPENAI_API_KEY", model_server.key)
    monkeypatch.setenv("ANTHROPIC_API_KEY", model_server.key)
    monkeypatch.setattr(retry_rules, "FIRST_WAIT_S", 0.002)
    made = Line(tmp_path, model_server)
    made.project.mkdir()
    return made
