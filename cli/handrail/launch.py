"""Settles which session to start with which model, and starts the screen."""

import asyncio
import os
import sys
from typing import TextIO

from handrail.configuration.load import Configuration
from handrail.errors import NotConfiguredError, TerminalError
from handrail.first_steps import first_steps
from handrail.ground import Flags, Ground, find_ground
from handrail.preparation import choose_session, with_checked_databases
from handrail.render.theme import paint_for
from handrail.repl.loop import Repl, Surroundings
from handrail.sessions.conversation import SessionChoice
from handrail.sessions.opening import opener
from handrail.whole_text import without_surrogates


def start_session(flags: Flags, message: str, *, go_on: bool, resume: str | None) -> int:
    """Everything that can be refused is refused before the screen comes up."""
    ground = find_ground()
    configuration = ground.configuration(flags)
    choice = choose_session(ground, flags["model.name"], go_on=go_on, resume=resume)
    if not (configuration.settings.model.name or choice.model):
        raise NotConfiguredError(first_steps(ground.places.settings_file, os.environ))
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stdout)):
        raise TerminalError(
            "`agent` talks to a person, but input or output is no terminal. Nothing was started.",
            hint="Start it in a terminal; `agent -p` and `agent demo` work without one.",
        )
    ground.places.make_project(ground.project)
    repl = _screen(ground, configuration, choice, without_surrogates(message))
    return asyncio.run(repl.run())


def _screen(
    ground: Ground, configuration: Configuration, choice: SessionChoice, message: str
) -> Repl:
    places, project = ground.places, ground.project
    around = Surroundings(
        project=project,
        model=choice.model or configuration.settings.model.name or "",
        history=places.project_folder(project) / "history",
        facts=(
            ("project", str(project)),
            ("data", str(places.home)),
            ("settings", str(places.settings_file)),
        ),
        paint=paint_for(os.environ, is_terminal=True),
    )

    def say(notice: str) -> None:
        repl.say(notice)

    open_session = opener(project, configuration.settings, places)
    checked = with_checked_databases(open_session, ground, say)
    repl = Repl(checked, around, choice=choice, message=message)
    for notice in configuration.notices:
        say(notice)
    return repl


def _is_terminal(stream: TextIO | None) -> bool:
    """A stream that was closed before the start is None."""
    return stream is not None and stream.isatty()
