"""The interactive session, from the first screen until the person leaves."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Coroutine

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from handrail import __version__
from handrail.errors import HandrailError
from handrail.exit_codes import ExitCode
from handrail.render.amounts import plural
from handrail.render.sanitise import sanitise_line
from handrail.render.status_line import StatusLine
from handrail.repl.builtin import BUILTIN
from handrail.repl.burst import Burst
from handrail.repl.commands import Commands, Line, read_line
from handrail.repl.completion import CommandCompleter
from handrail.repl.desk import ApprovalDesk
from handrail.repl.faults import faults_to
from handrail.repl.gestures import Gestures
from handrail.repl.inputs import Inputs
from handrail.repl.keys import build_keys
from handrail.repl.printer import Printer, ink_loader
from handrail.repl.screen import Screen
from handrail.repl.signals import ended_by_signals
from handrail.repl.stage import Stage
from handrail.repl.surroundings import Surroundings
from handrail.repl.talk import Talk
from handrail.sessions.conversation import Conversation, OpenSession, SessionChoice

_EARLY_S = 0.05
"""What was typed before the first drawing is read within this time of it."""


class Repl:
    def __init__(
        self,
        open_session: OpenSession,
        around: Surroundings,
        *,
        choice: SessionChoice | None = None,
        message: str = "",
        commands: Commands | None = None,
        keyboard: Input | None = None,
        output: Output | None = None,
    ) -> None:
        """`message` is sent first. `keyboard` and `output` are the process's own if not given."""
        load = ink_loader(around.project, time.monotonic, around.paint)
        self.commands = Commands(BUILTIN) if commands is None else commands
        self.facts = around.facts
        self._around = around
        self._stage = Stage(
            root=str(around.project),
            desk=ApprovalDesk(self._keys_moved),
            inputs=Inputs(CommandCompleter(self.commands), around.history),
            printer=Printer(load, self._redraw),
            status=StatusLine(model=around.model),
        )
        self._talk = Talk(self._stage, open_session, choice or SessionChoice(), self._redraw)
        burst = Burst(time.monotonic)
        gestures = Gestures(
            self._stage, self._talk, self.commands, run_now=self._run_now, leave=self.leave
        )
        self._screen = Screen(
            self._stage,
            build_keys(self._stage, gestures, burst),
            burst,
            keyboard=keyboard,
            output=output,
            synchronised=around.paint != "plain",
        )
        if message.strip():
            self._stage.outbox.put(message)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def conversation(self) -> Conversation | None:
        return self._talk.conversation

    @property
    def choice(self) -> SessionChoice:
        return self._talk.choice

    @property
    def status(self) -> StatusLine:
        return self._stage.status

    def say(self, text: str) -> None:
        self._stage.printer.say(text)

    def send(self, text: str) -> None:
        """As if the person had entered it."""
        self._stage.outbox.put(text)

    async def open(self, choice: SessionChoice) -> None:
        await self._talk.open(choice)

    def leave(self) -> None:
        self._screen.leave(ExitCode.OK)

    async def run(self) -> ExitCode:
        """Until the person leaves, a signal ends it or the terminal has gone."""
        self._screen.print_above(self._header())
        try:
            with ended_by_signals(self._screen.leave), faults_to(self._tell_fault):
                code = await self._screen.run(self._start)
        except (EOFError, OSError):
            code = ExitCode.INTERRUPTED
        await self._end()
        return code

    def _start(self) -> None:
        """Everything slow starts behind the first drawing."""
        self._spawn(asyncio.to_thread(self._stage.printer.warm_up))
        self._spawn(self._serve())

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self) -> None:
        asyncio.get_running_loop().call_later(_EARLY_S, self._screen.read_early)
        await self._guarded(self._talk.open(self._talk.choice))
        while True:
            text = await self._stage.outbox.next()
            await self._guarded(self._dispatch(text))

    async def _dispatch(self, text: str) -> None:
        line = read_line(text)
        if line.command is None:
            last = await self._talk.send(line.message)
            if self._around.turn_over is not None:
                self._around.turn_over(line.message, last)
        else:
            await self._command(line)

    async def _command(self, line: Line) -> None:
        self._stage.printer.entered(f"/{line.command} {line.argument}".rstrip())
        try:
            await self.commands.find(line.command or "").action(self, line.argument)
        except HandrailError as error:
            self._stage.printer.say(error.paragraph, "failure")

    async def _guarded(self, work: Awaitable[None]) -> None:
        """A fault of ours ends what was being done, not the session."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 - the boundary of the background task
            self._tell_fault(repr(error))

    def _tell_fault(self, fault: str) -> None:
        words = f"Handrail met a fault of its own: {fault}. The session is kept; go on."
        self._stage.printer.say(words, "failure")

    def _run_now(self, line: Line) -> None:
        self._spawn(self._guarded(self._command(line)))

    async def _end(self) -> None:
        """The terminal is as it was; now the turn and the session end, and the tasks."""
        last = self._talk.conversation
        unsent = len(self._stage.outbox.take_back())
        with contextlib.suppress(OSError):
            self._screen.print_rest()
        await self._talk.end()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._talk.end()
        with contextlib.suppress(OSError):
            self._say_goodbye(last, unsent)

    def _say_goodbye(self, last: Conversation | None, unsent: int) -> None:
        if unsent:
            self._screen.print_above(f"{plural(unsent, 'queued message')} not sent.\n")
        if last is not None and self._talk.used and self._around.come_back:
            self._screen.print_above(f"To come back to this session: agent --resume {last.id}\n")
        self._screen.print_rest()

    def _header(self) -> str:
        return f"Handrail {__version__}  {sanitise_line(str(self._around.project))}\n"

    def _redraw(self) -> None:
        self._screen.redraw()

    def _keys_moved(self) -> None:
        self._screen.bottom.give_keys()
        self._screen.redraw()
