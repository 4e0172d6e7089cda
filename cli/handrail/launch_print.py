"""Settles what a run with nobody there is to do, and runs it."""

import asyncio
import os
from collections.abc import Mapping

from handrail.errors import NotConfiguredError
from handrail.first_steps import first_steps
from handrail.ground import Flags, find_ground
from handrail.headless.material import compose, read_piped
from handrail.headless.order import read_order
from handrail.headless.outlet import fill_closed_descriptors
from handrail.headless.process import Tell, run_in_process
from handrail.preparation import choose_session, with_checked_databases
from handrail.sessions.conversation import Conversation
from handrail.sessions.opening import opener
from handrail.whole_text import without_surrogates


def print_session(
    flags: Flags,
    options: Mapping[str, str | None],
    message: str,
    *,
    go_on: bool,
    resume: str | None,
) -> int:
    """Everything that can be refused is refused before standard input is read."""
    fill_closed_descriptors()
    order = read_order(options)
    ground = find_ground()
    configuration = ground.configuration(flags)
    choice = choose_session(ground, flags["model.name"], go_on=go_on, resume=resume)
    if not (configuration.settings.model.name or choice.model):
        raise NotConfiguredError(first_steps(ground.places.settings_file, os.environ))
    prompt = without_surrogates(compose(message, read_piped()))
    ground.places.make_project(ground.project)
    open_session = opener(ground.project, configuration.settings, ground.places, order.caps)

    async def open_telling(tell: Tell) -> Conversation:
        for notice in configuration.notices:
            tell(notice)
        return await with_checked_databases(open_session, ground, tell)(choice)

    return asyncio.run(run_in_process(order, prompt, str(ground.project), open_telling))
