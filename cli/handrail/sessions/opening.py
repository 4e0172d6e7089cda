"""Opens sessions: finds or creates one, takes its lease, has its agent assembled."""

import asyncio
import os
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from handrail.caps import Caps
from handrail.credentials.keyring import Keyring
from handrail.errors import NotConfiguredError
from handrail.places import Places
from handrail.sessions.conversation import Conversation, OpenSession, SessionChoice
from handrail.sessions.cut_off import end_cut_turn
from handrail.sessions.index import SessionIndex, SessionRecord
from handrail.sessions.lease import Lease
from handrail.sessions.session import Session
from handrail.sessions.transcript import Transcript
from handrail.settings import Settings, with_model

if TYPE_CHECKING:
    from handrail.engine.assemble import Assembled, Wish


class Assembling(Protocol):
    """The engine's module, imported only when a session opens."""

    Wish: "type[Wish]"

    async def assemble(self, wish: "Wish") -> "Assembled": ...


def opener(
    project: Path, settings: Settings, places: Places, caps: Caps | None = None
) -> OpenSession:
    """Nothing is opened or imported before the first call."""
    return _Opener(project, settings, places, caps or Caps()).open


def _lasting(model: str) -> str:
    """The name under which a later process finds the same model, wherever it starts."""
    provider, _, name = model.partition(":")
    return f"script:{Path(name).absolute()}" if provider == "script" else model


@dataclass(frozen=True, slots=True)
class _Opener:
    project: Path
    settings: Settings
    places: Places
    caps: Caps

    async def open(self, choice: SessionChoice) -> Conversation:
        # The import takes most of the time; in a thread it leaves the prompt alive.
        engine = await asyncio.to_thread(import_module, "handrail.engine.assemble")
        async with AsyncExitStack() as stack:
            return await self._open(choice, cast("Assembling", engine), stack)

    async def _open(
        self, choice: SessionChoice, engine: "Assembling", stack: AsyncExitStack
    ) -> Session:
        index = stack.enter_context(SessionIndex.open(self.places))
        model, record = self._find(index, choice)
        self.places.make_project(self.project)
        folder = self.places.make_session(record.id)
        stack.enter_context(Lease(folder.folder, record.id))
        transcript = stack.enter_context(Transcript.open(self.places, self.project, record.id))
        assembled = await engine.assemble(self._wish(engine, record, model))
        stack.push_async_callback(assembled.close)
        interrupted = await assembled.agent.settle()
        unfinished = await assembled.agent.pending()
        if not unfinished:
            end_cut_turn(transcript, interrupted)
        return Session(
            replace(record, model=model),
            assembled,
            index,
            transcript,
            unfinished=unfinished,
            close=stack.pop_all().aclose,
        )

    def _find(self, index: SessionIndex, choice: SessionChoice) -> tuple[str, SessionRecord]:
        """The model and the session; a session goes on with the model it had."""
        record: SessionRecord | None = None
        if choice.id is not None:
            record = index.find(self.project, choice.id)
        elif choice.resume:
            record = index.latest(self.project)
        model = choice.model or (record.model if record else None) or self.settings.model.name
        if not model:
            raise NotConfiguredError(
                "No model was chosen.", hint="Choose one with `/model provider:model`."
            )
        model = _lasting(model)
        return model, record or index.create(self.project, model)

    def _wish(self, engine: "Assembling", record: SessionRecord, model: str) -> "Wish":
        return engine.Wish(
            project=self.project,
            settings=with_model(self.settings, model),
            keyring=Keyring(self.places.keys, self.settings.keys.commands, os.environ),
            thread=record.id,
            artifacts=self.places.session(record.id).artifacts,
            journal=self.places.project_db(self.project),
            threads=self.places.threads_db(self.project),
            memories=self.places.user_memory_db,
            caps=self.caps,
        )
