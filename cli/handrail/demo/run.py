"""The demo from its first line to the sample's own test report."""

import asyncio
import os
import sys
from collections.abc import Sequence
from io import StringIO
from typing import TextIO

from handrail.demo.at_terminal import Story
from handrail.demo.person import Message, read_messages
from handrail.demo.printing import print_lines
from handrail.demo.sample import Sample, make_sample
from handrail.demo.sample_tests import run_sample_tests
from handrail.demo.unattended import tell_unattended
from handrail.exit_codes import ExitCode
from handrail.render.theme import paint_for
from handrail.repl.surroundings import Surroundings
from handrail.sessions.opening import opener
from handrail.settings import ModelSettings, Settings

_INTRODUCTION = """\
A tour of Handrail on a copy of a small project. The model's words are
scripted; the agent, its tools and everything they do are real. Your own
files, sessions and memories are left alone.
"""
_ATTENDED = "You decide what it may do; its messages from you send themselves."
_UNATTENDED = "There is no terminal here, so recorded decisions are followed."


def run_demo() -> ExitCode:
    """The last line is the tests' report. Raises `HandrailError` when the demo cannot start."""
    out = _output()
    is_attended = _is_terminal(sys.stdin) and _is_terminal(out)
    sample = make_sample(paced=is_attended)
    messages = read_messages(sample.decisions, sample.project)
    print_lines(out, _INTRODUCTION, *_whereabouts(sample), "")
    print_lines(out, _ATTENDED if is_attended else _UNATTENDED, "")
    tell = _tell_at_terminal if is_attended else _tell_unattended
    code = tell(sample, messages)
    report = run_sample_tests(sample.project)
    print_lines(out, "", f"Everything is kept in {sample.folder}", report.line)
    return code if code or report.is_green else ExitCode.FAILURE


def _tell_at_terminal(sample: Sample, messages: Sequence[Message]) -> ExitCode:
    around = Surroundings(
        project=sample.project,
        model=_settings(sample).model.name or "",
        facts=tuple(_facts(sample).items()),
        paint=paint_for(os.environ, is_terminal=True),
        come_back=False,
    )
    story = Story(messages, opener(sample.project, _settings(sample), sample.places), around)
    code = asyncio.run(story.tell())
    return code if code or story.finished else ExitCode.FAILURE


def _tell_unattended(sample: Sample, messages: Sequence[Message]) -> ExitCode:
    open_session = opener(sample.project, _settings(sample), sample.places)
    telling = tell_unattended(messages, open_session, _output(), root=str(sample.project))
    return ExitCode.OK if asyncio.run(telling) else ExitCode.FAILURE


def _settings(sample: Sample) -> Settings:
    """The built-in ones: the person's own do not change the tour."""
    return Settings(model=ModelSettings(name=f"script:{sample.script}"))


def _facts(sample: Sample) -> dict[str, str]:
    return {
        "project": str(sample.project),
        "data": str(sample.places.home),
        "script": str(sample.script),
    }


def _whereabouts(sample: Sample) -> list[str]:
    return [f"  {name:<8}  {value}" for name, value in _facts(sample).items()]


def _output() -> TextIO:
    return sys.stdout or StringIO()


def _is_terminal(stream: TextIO | None) -> bool:
    """A stream that was closed before the start is None."""
    return stream is not None and stream.isatty()
