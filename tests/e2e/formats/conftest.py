"""One service that speaks every format, and sessions that go on from one to the other."""

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pytest

from handrail.places import Places
from handrail.sessions.conversation import Conversation, SessionChoice
from handrail.sessions.opening import opener
from handrail.settings import ModelSettings, Settings
from tests.support.anthropic_messages import AnthropicMessages
from tests.support.model_server import ModelServer, Received
from tests.support.openai_chat import OpenAIChat
from tests.support.openai_responses import OpenAIResponses
from tests.support.wire_format import WireFormat

Format = Literal["chat", "responses", "anthropic"]

FORMATS: Sequence[Format] = ("chat", "responses", "anthropic")
PATHS = {"chat": "/chat/completions", "responses": "/responses", "anthropic": "/messages"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A project, and the service that its sessions ask."""

    root: Path
    server: ModelServer

    @property
    def project(self) -> Path:
        return self.root / "project"

    def settings(self, form: Format, window: int, name: str) -> Settings:
        if form == "anthropic":
            model = ModelSettings(f"anthropic:{name}", self.server.root_url)
        else:
            model = ModelSettings(f"openai:{name}", self.server.base_url, api=form)
        return Settings(replace(model, context_window=window))

    @asynccontextmanager
    async def open(
        self,
        form: Format,
        session: str | None = None,
        *,
        window: int = 100_000,
        name: str = "one",
    ) -> AsyncGenerator[Conversation]:
        settings = self.settings(form, window, name)
        places = Places(self.root / "home", self.root / "home")
        choice = SessionChoice(id=session, model=settings.model.name)
        conversation = await opener(self.project, settings, places)(choice)
        try:
            yield conversation
        finally:
            await conversation.close()

    def asked(self, form: Format) -> list[Received]:
        return [each for each in self.server.requests if each.path.endswith(PATHS[form])]


def spoken_formats() -> Sequence[WireFormat]:
    names = ("one", "two")
    return (OpenAIChat(*names), OpenAIResponses(*names), AnthropicMessages(*names))


@pytest.fixture
def exchange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Exchange]:
    """Fails the test when a request was refused or a script ran out."""
    with ModelServer(*spoken_formats()) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        made = Exchange(tmp_path, server)
        made.project.mkdir()
        yield made
    assert [str(error) for error in server.errors] == []
    assert [refusal.message for refusal in server.refusals] == []
