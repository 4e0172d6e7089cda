"""Opens everything a session's agent stands on, and closes it again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from handrail.caps import Caps
from handrail.credentials.keyring import Keyring
from handrail.engine.agent import Agent
from handrail.engine.build import Parts, build_agent
from handrail.engine.journal import Journal
from handrail.engine.local_context import look_around
from handrail.engine.models import Models, load_models
from handrail.engine.present_text import PresentText
from handrail.engine.recollection import recollect
from handrail.engine.signals import CURRENT_CALL, emit
from handrail.engine.storage import close_store, open_saver, open_store
from handrail.engine.summaries import window_of
from handrail.errors import UsageError
from handrail.events import MAIN, CallOutput, ResultOffloaded
from handrail.settings import Settings
from handrail_backends.host_shell import HostShell
from handrail_backends.mounts import MountError, build_mounts, mount_names


@dataclass(frozen=True, slots=True)
class Wish:
    """Which agent is wanted, and the files it uses."""

    project: Path
    settings: Settings
    keyring: Keyring
    thread: str
    artifacts: Path
    journal: Path
    threads: Path
    memories: Path
    caps: Caps


@dataclass(frozen=True, slots=True)
class Assembled:
    agent: Agent
    window: int | None
    branch: str | None
    read: Callable[[str], str | None]
    """See `Conversation.read`."""
    close: Callable[[], Awaitable[None]]


async def assemble(wish: Wish) -> Assembled:
    """Raises `HandrailError` when the model or a database cannot be used."""
    _keep_logs_off_the_screen()
    models, context = await asyncio.gather(
        asyncio.to_thread(load_models, wish.settings.model, wish.keyring, project=wish.project),
        asyncio.to_thread(look_around, wish.project),
    )
    async with AsyncExitStack() as stack:
        try:
            parts = await _open(wish, models, context.text(), stack)
        except MountError as error:
            raise UsageError(str(error)) from error
        agent = await asyncio.to_thread(build_agent, parts)
        opened = stack.pop_all()
    read = PresentText(user=wish.memories, project=wish.threads).read
    return Assembled(agent, window_of(models.main), context.branch, read, opened.aclose)


def _keep_logs_off_the_screen() -> None:
    """Without any handler the libraries' warnings would be printed to the terminal."""
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.NullHandler())


async def _open(wish: Wish, models: Models, context: str, stack: AsyncExitStack) -> Parts:
    journal = Journal(wish.journal)
    stack.callback(journal.close)
    saver = await open_saver(wish.threads)
    stack.push_async_callback(saver.conn.close)
    project_store = await open_store(wish.threads)
    stack.push_async_callback(close_store, project_store)
    user_store = await open_store(wish.memories)
    stack.push_async_callback(close_store, user_store)
    shell = HostShell(
        wish.project,
        mounts=mount_names(wish.project),
        timeout_s=wish.settings.shell.timeout_s,
        extra_env=wish.settings.shell.env,
        on_output=_tell_output,
    )
    backend = build_mounts(
        project=wish.project,
        artifacts=wish.artifacts,
        user_store=user_store,
        project_store=project_store,
        shell=shell,
        on_artifact=_tell_artifact,
    )
    context = "\n\n".join(part for part in (context, await recollect(backend)) if part)
    return Parts(
        models=models,
        backend=backend,
        project=wish.project,
        context=context,
        settings=wish.settings,
        journal=journal,
        saver=saver,
        thread=wish.thread,
        caps=wish.caps,
    )


def _tell_output(text: str) -> None:
    emit(CallOutput(CURRENT_CALL.get() or "", text))


def _tell_artifact(path: str, size: int) -> None:
    """Histories are told by the summary that writes them."""
    if "/large_tool_results/" in path:
        emit(ResultOffloaded(MAIN, CURRENT_CALL.get(), path, size))
