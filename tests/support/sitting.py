"""A person at the screen, in the process of the test: keys in a pipe, an emulated terminal."""

import asyncio
import io
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.input.defaults import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from handrail.exit_codes import ExitCode
from handrail.repl.loop import Repl
from handrail.repl.surroundings import Surroundings
from handrail.sessions.conversation import Conversation, OpenSession, SessionChoice
from tests.support.fake_conversation import FakeSessions
from tests.support.screen import EmulatedScreen
from tests.support.terminal import KEYS

_WAIT_S = 10.0
_LOOK_S = 0.005

Condition = str | Callable[[], bool]


class _Paper(io.StringIO):
    """Shows what is written to it."""

    def __init__(self, stream: pyte.Stream) -> None:
        super().__init__()
        self._stream = stream
        self.written: list[str] = []

    def write(self, text: str, /) -> int:
        self.written.append(text)
        self._stream.feed(text)
        return len(text)


class Sitting:
    def __init__(self, keyboard: PipeInput, lines: int, columns: int) -> None:
        self._keyboard = keyboard
        self.emulated = EmulatedScreen(columns, lines, lambda _: None)
        self._paper = _Paper(pyte.Stream(self.emulated))
        self.output = Vt100_Output(self._paper, self._size, term="xterm-256color")
        self.left: asyncio.Task[ExitCode] | None = None

    def type(self, text: str) -> None:
        self._keyboard.send_text(text)

    def press(self, *names: str) -> None:
        for name in names:
            self._keyboard.send_text(KEYS[name])

    def paste(self, text: str) -> None:
        self._keyboard.send_text(f"\x1b[200~{text}\x1b[201~")

    def resize(self, lines: int, columns: int) -> None:
        self.emulated.resize(lines, columns)

    async def enter(self, text: str) -> None:
        """Types the text, sees it stand in the input and sends it."""
        self.type(text)
        await self.sees(text)
        self.press("enter")

    async def sees(self, condition: Condition) -> None:
        """Waits for a text on the screen or above it, or for a condition."""
        deadline = time.monotonic() + _WAIT_S
        while not self._holds(condition):
            if self.left is not None and self.left.done():
                await self.left
            assert time.monotonic() < deadline, f"waited for {condition!r}\n{self.text}"
            await asyncio.sleep(_LOOK_S)

    async def sees_no_more(self, text: str) -> None:
        await self.sees(lambda: text not in self.screen)

    async def leaves(self) -> ExitCode:
        """Waits for the end."""
        assert self.left is not None
        async with asyncio.timeout(_WAIT_S):
            return await self.left

    @property
    def screen(self) -> str:
        return "\n".join(self.emulated.visible()).rstrip()

    @property
    def text(self) -> str:
        """The scrollback and the screen below it."""
        return "\n".join([*self.emulated.above(), *self.emulated.visible()]).rstrip()

    @property
    def raw(self) -> str:
        """Everything that was written to the terminal."""
        return "".join(self._paper.written)

    def _size(self) -> Size:
        return Size(rows=self.emulated.lines, columns=self.emulated.columns)

    def _holds(self, condition: Condition) -> bool:
        return condition in self.text if isinstance(condition, str) else condition()


@asynccontextmanager
async def sitting(
    opens: Conversation | OpenSession,
    *,
    lines: int = 24,
    columns: int = 80,
    project: Path = Path("/project"),
    history: Path | None = None,
    facts: Sequence[tuple[str, str]] = (),
    choice: SessionChoice | None = None,
    message: str = "",
) -> AsyncGenerator[Sitting]:
    """The screen is up when this enters, and ended when it leaves."""
    open_session = opens if callable(opens) else FakeSessions([opens])
    around = Surroundings(project, "fake:model", history, facts)
    with create_pipe_input() as keyboard:
        person = Sitting(keyboard, lines, columns)
        repl = Repl(
            open_session,
            around,
            choice=choice,
            message=message,
            keyboard=keyboard,
            output=person.output,
        )
        person.left = asyncio.create_task(repl.run())
        try:
            await person.sees("context")
            yield person
        finally:
            repl.leave()
            await person.leaves()
