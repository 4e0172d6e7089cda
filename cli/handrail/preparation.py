"""What every start of a session needs first: which session it is, and readable databases."""

import asyncio
from collections.abc import Callable

from handrail.database import prepare_database
from handrail.ground import Ground
from handrail.plain_output import print_text
from handrail.sessions.conversation import Conversation, OpenSession, SessionChoice
from handrail.sessions.index import SessionIndex


def choose_session(
    ground: Ground, model: str | None, *, go_on: bool, resume: str | None
) -> SessionChoice:
    """A session goes on with the model it had, unless the command line names one."""
    if resume is None and not go_on:
        return SessionChoice()
    with SessionIndex.open(ground.places) as index:
        for notice in index.notices:
            print_text(notice, error=True)
        if resume is None:
            record = index.latest(ground.project)
        else:
            record = index.find(ground.project, resume)
    return SessionChoice(resume=True, id=record.id, model=model or record.model)


def with_checked_databases(
    open_session: OpenSession, ground: Ground, say: Callable[[str], None]
) -> OpenSession:
    """Before anything opens them, the framework included, unreadable ones are moved aside."""
    places, project = ground.places, ground.project
    unchecked = [
        places.user_db,
        places.user_memory_db,
        places.project_db(project),
        places.threads_db(project),
    ]

    async def open_checked(choice: SessionChoice) -> Conversation:
        while unchecked:
            for notice in await asyncio.to_thread(prepare_database, unchecked.pop()):
                say(notice)
        return await open_session(choice)

    return open_checked
