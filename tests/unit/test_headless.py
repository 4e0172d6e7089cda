"""Turns printed where no terminal is, through real pipes."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from io import BytesIO, StringIO, TextIOWrapper

from handrail.events import MAIN, Call, CallFinished, Event, TextFinished, TurnFinished, TurnStarted
from handrail.headless.printing import print_turn

RUN = Call("c1", "execute", {"command": "echo '\x1b[2J' ä"})
TURN: Sequence[Event] = (
    TurnStarted("say [hello]"),
    CallFinished(MAIN, RUN, True, "\x1b[2J ä\n[Command succeeded with exit code 0]", 0),
    TextFinished(MAIN, "m1", "Done: *[/]*."),
    TurnFinished("Done: *[/]*."),
)
PRINTED = """\

> say [hello]

  run   echo '␛[2J' ä                           exit 0
    ␛[2J ä

  Done: [/].
"""
PRINT_MUCH = """
import asyncio, sys
from handrail.events import Notice, TurnFinished
from handrail.headless.printing import print_turn

async def turn():
    for _ in range(1000):
        yield Notice("x" * 1000)
    yield TurnFinished("the end")

closed = []
last = asyncio.run(print_turn(turn(), sys.stdout, on_closed=lambda: closed.append(1)))
print("whatever follows", flush=True)
print(last, closed, file=sys.stderr)
"""


async def events(turn: Sequence[Event]) -> AsyncIterator[Event]:
    for event in turn:
        await asyncio.sleep(0)
        yield event


async def test_a_turn_is_printed_without_colours_and_its_last_event_returned() -> None:
    out = StringIO()

    last = await print_turn(events(TURN), out)

    assert out.getvalue() == PRINTED
    assert last == TURN[-1]


async def test_characters_the_output_cannot_hold_are_written_as_escapes() -> None:
    raw = BytesIO()
    out = TextIOWrapper(raw, encoding="ascii")

    await print_turn(events(TURN[1:2]), out)

    assert raw.getvalue() == (
        b"  run   echo '\\u241b[2J' \\xe4                           exit 0\n    \\u241b[2J \\xe4\n"
    )


def test_a_reader_that_left_ends_the_printing_but_not_the_turn() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", PRINT_MUCH],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert child.stdout is not None
    child.stdout.read(10)
    child.stdout.close()
    _, errors = child.communicate(timeout=60)

    assert errors.decode() == "TurnFinished(text='the end') [1]\n"
    assert child.returncode == 0
