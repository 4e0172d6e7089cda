"""A program in a real pseudo-terminal: what a test types and what a person would see."""

import contextlib
import os
import pty
import signal
import string
import termios
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect
import pyte

from tests.support.processes import kill_tree
from tests.support.screen import EmulatedScreen

Condition = str | Callable[["Terminal"], bool]
"""A text on the screen or above it (a line break counts as a space), or a question."""

WAIT_S = 30.0
"""Long enough for a loaded machine; a wait ends as soon as its condition holds."""

PICTURE_END = b"\x1b[?25h"
"""A program that draws hides the cursor before and shows it after."""

_PUMP_S = 0.05
_QUIET_S = 0.01
_WHOLE_S = 0.3
"""A picture whose end is not marked is taken for whole after a moment of silence, or then."""

_CHUNK = 65_536

KEYS: Mapping[str, str] = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "shift-tab": "\x1b[Z",
    "backspace": "\x7f",
    "delete": "\x1b[3~",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "page-up": "\x1b[5~",
    "page-down": "\x1b[6~",
    "alt-enter": "\x1b\r",
    **{f"ctrl-{letter}": chr(ord(letter) & 31) for letter in string.ascii_lowercase},
}

LineModes = tuple[int, int, int, int, tuple[int | bytes, ...]]
"""What `stty -a` shows of a terminal, without its speed."""


def _line_modes(fd: int) -> LineModes:
    iflag, oflag, cflag, lflag, _, _, chars = termios.tcgetattr(fd)
    return iflag, oflag, cflag, lflag, tuple(chars)


def fresh_line_modes() -> LineModes:
    """The line modes every new pseudo-terminal starts with."""
    master, slave = pty.openpty()
    try:
        return _line_modes(master)
    finally:
        os.close(slave)
        os.close(master)


class Terminal:
    """Runs one program until `wait_exit` or `close`. Only a method that waits moves the screen."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path | str,
        size: tuple[int, int] = (24, 80),
    ) -> None:
        """Starts `argv` with exactly `env` in a window of `size` (lines, columns)."""
        lines, columns = size
        self.raw = bytearray()
        """Every byte the program wrote."""
        self._unseen = bytearray()
        self._status: int | None = None
        self._modes = fresh_line_modes()
        self._child = _spawn(argv, env, str(cwd), size)
        self.pid = int(self._child.pid or 0)
        self.emulated = EmulatedScreen(columns, lines, self._answer)
        self._stream = pyte.ByteStream(self.emulated)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def send(self, keys: str | bytes) -> None:
        data = keys.encode() if isinstance(keys, str) else keys
        self._child.send(data)

    def send_line(self, text: str) -> None:
        self.send(text + KEYS["enter"])

    def paste(self, text: str) -> None:
        """As a terminal sends a paste to a program that asked for brackets."""
        self.send(f"\x1b[200~{text}\x1b[201~" if self.emulated.bracketed_paste else text)

    def press(self, *names: str) -> None:
        for name in names:
            self.send(KEYS[name])

    def signal(self, number: signal.Signals) -> None:
        """To the program alone; `press("ctrl-c")` is what a person does."""
        os.kill(self.pid, number)

    def resize(self, lines: int, columns: int) -> None:
        self.emulated.resize(lines, columns)
        termios.tcsetwinsize(self._child.child_fd, (lines, columns))

    def screen(self) -> str:
        return "\n".join(self.emulated.visible()).rstrip()

    def text(self) -> str:
        """The scrollback and the screen below it."""
        return "\n".join([*self.emulated.above(), *self.emulated.visible()]).rstrip()

    def status_line(self) -> str:
        """The lowest line of the screen that is not blank."""
        return self.screen().rpartition("\n")[2]

    def line_modes(self) -> LineModes:
        """As the program has set them, or left them."""
        if not self._child.closed:
            self._modes = _line_modes(self._child.child_fd)
        return self._modes

    def wait_for(self, condition: Condition, timeout: float = WAIT_S) -> None:
        """Looks at one picture after the other until `condition` holds; else shows everything."""
        deadline = time.monotonic() + timeout
        while not self._holds(condition):
            running = self._advance()
            if not running and not self._holds(condition):
                self._fail(f"the program ended ({self._status}) before", condition)
            if time.monotonic() > deadline and not self._holds(condition):
                self._fail(f"waited {timeout:g} s for", condition)

    def wait_gone(self, text: str, timeout: float = WAIT_S) -> None:
        """Until `text` is no longer on the screen; the scrollback does not count."""
        self.wait_for(lambda terminal: text not in terminal.screen(), timeout)

    def wait_exit(self, timeout: float = WAIT_S) -> int:
        """The exit status, or the negative number of the signal that ended it."""
        deadline = time.monotonic() + timeout
        while self._advance():
            if time.monotonic() > deadline:
                self._fail(f"waited {timeout:g} s for", "the exit of the program")
        assert self._status is not None
        return self._status

    def close(self) -> None:
        """Ends the program and everything it started."""
        if self._child.closed:
            return
        kill_tree(self.pid)
        self.wait_exit()
        self.line_modes()
        self._child.close(force=True)

    def _advance(self) -> bool:
        """Shows the next picture or, when none came, waits a moment; False after the last one.

        Even a picture that stood for an instant while the test was busy is not skipped.
        """
        deadline = time.monotonic() + _WHOLE_S
        while (end := self._unseen.find(PICTURE_END)) < 0:
            arrived = self._read(_QUIET_S if self._unseen else _PUMP_S)
            if not arrived and not self._unseen:
                return not self._ended()
            if not arrived or time.monotonic() > deadline:
                end = len(self._unseen)
                break
        picture = bytes(self._unseen[: end + len(PICTURE_END)])
        del self._unseen[: len(picture)]
        self._stream.feed(picture)
        return True

    def _read(self, wait_s: float) -> bool:
        """Whether something arrived in time."""
        try:
            data = self._child.read_nonblocking(_CHUNK, wait_s)
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            self._child.wait()
            return False
        self.raw += data
        self._unseen += data
        return True

    def _answer(self, data: str) -> None:
        with contextlib.suppress(OSError):  # the program may have gone since it asked
            self.send(data)

    def _ended(self) -> bool:
        if self._status is None and not self._child.isalive():
            exited, killed = self._child.exitstatus, self._child.signalstatus
            self._status = -killed if killed is not None else exited
        return self._status is not None

    def _holds(self, condition: Condition) -> bool:
        if callable(condition):
            return condition(self)
        text = self.text()
        return condition in text or " ".join(condition.split()) in " ".join(text.split())

    def _fail(self, what: str, condition: Condition) -> None:
        wanted = repr(condition) if isinstance(condition, str) else f"a condition ({condition!r})"
        frame = "=" * self.emulated.columns
        above = "\n".join(self.emulated.above()[-200:])
        message = f"{what} {wanted}\n{above}\n{frame}\n{self.screen()}\n{frame}"
        raise AssertionError(message)


def _spawn(
    argv: Sequence[str], env: Mapping[str, str], cwd: str, size: tuple[int, int]
) -> "pexpect.spawn[bytes]":
    with warnings.catch_warnings():
        # Forking beside threads is announced as a risk; this child only replaces itself.
        warnings.simplefilter("ignore", DeprecationWarning)
        child: pexpect.spawn[bytes] = pexpect.spawn(
            argv[0],
            list(argv[1:]),
            env=dict(env),
            cwd=cwd,
            dimensions=size,
            encoding=None,
            use_poll=True,
        )
    child.delaybeforesend = None
    vars(child)["ptyproc"].delayafterclose = 0  # nothing is left running when it is closed
    return child
