"""Commands on the user's own machine: streamed, bounded, without secrets, gone when they end."""

import asyncio
import codecs
import contextvars
import os
import shutil
import signal
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from deepagents.backends.protocol import ExecuteResponse, SandboxBackendProtocol
from typing_extensions import override

from handrail_backends.environment import command_environment, running_venv
from handrail_backends.limits import Collector
from handrail_backends.outside import OutsideMounts
from handrail_backends.process import Command, Ending, NotStartedError, run

TIMED_OUT = 124
NOT_RUN = 126
"""The exit codes that `timeout` and shells use for this."""


def _tell_nobody(_: str) -> None:
    """For those who only want the result."""


class HostShell(OutsideMounts, SandboxBackendProtocol):
    """Each command starts in the project, in a session of its own, with nothing to read from.

    `on_output` gets the text while it comes, in the context of the call: on its event loop, or
    for `execute` in a thread. After `max_output_bytes` it gets no more; the result keeps head and
    tail.
    """

    def __init__(
        self,
        project: Path,
        *,
        mounts: Sequence[str],
        timeout_s: int,
        extra_env: Collection[str] = (),
        on_output: Callable[[str], None] = _tell_nobody,
        max_output_bytes: int = 10_000_000,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(project.resolve(), mounts)
        self._timeout_s = timeout_s
        self._on_output = on_output
        self._max_output_bytes = max_output_bytes
        self._env = command_environment(
            os.environ if environ is None else environ,
            project=project,
            extra=extra_env,
            own_venv=running_venv(),
        )
        self._shell = _shell(self._env["PATH"])

    @property
    @override
    def id(self) -> str:
        return "host"

    @override
    def execute(self, command: str, *, timeout: int | None = None) -> ExecuteResponse:
        context = contextvars.copy_context()
        with ThreadPoolExecutor(max_workers=1) as pool:
            running = self.aexecute(command, timeout=timeout)
            return pool.submit(context.run, asyncio.run, running).result()

    @override
    async def aexecute(
        self,
        command: str,
        *,
        timeout: int | None = None,  # the library's name for it
    ) -> ExecuteResponse:
        """A time-out of 0 means the default."""
        refusal = self._not_runnable(command)
        if refusal is not None:
            return refusal
        timeout_s = timeout or self._timeout_s
        output = _Received(self._max_output_bytes, self._on_output)
        started = Command((*self._shell, command), self._project, self._env)
        try:
            ending = await run(started, timeout_s=timeout_s, feed=output.feed)
        except NotStartedError as error:
            return _not_run(f"the system did not start it: {error}")
        output.finish()
        notes = _notes(ending, timeout_s)
        text = _with_notes(output.collected.text(), notes)
        return ExecuteResponse(text, _exit_code(ending), output.collected.is_cut)

    def _not_runnable(self, command: str) -> ExecuteResponse | None:
        if not self._project.is_dir():
            return _not_run(f"the project's folder {self._project} is not there any more")
        if "\0" in command:
            return _not_run("it holds a NUL character")
        try:
            command.encode("utf-8")
        except UnicodeEncodeError:
            return _not_run("it holds half of a surrogate pair, which is no text")
        return None


class _Received:
    """Keeps a command's output, and passes it on while it comes."""

    def __init__(self, max_bytes: int, pass_on: Callable[[str], None]) -> None:
        self.collected = Collector(max_bytes)
        self._max_bytes = max_bytes
        self._pass_on = pass_on
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, chunk: bytes) -> None:
        room = self._max_bytes - self.collected.total
        self.collected.feed(chunk)
        if room > 0:
            self._tell(self._decoder.decode(chunk[:room]))
        if 0 <= room < len(chunk):
            self._tell("\n[... what follows is not shown while it comes ...]\n")

    def finish(self) -> None:
        self._tell(self._decoder.decode(b"", final=True))

    def _tell(self, text: str) -> None:
        if text:
            self._pass_on(text)


def _shell(path: str) -> tuple[str, ...]:
    for bash in ("/bin/bash", "/usr/bin/bash", shutil.which("bash", path=path)):
        if bash and os.access(bash, os.X_OK):
            return bash, "--noprofile", "--norc", "-c"
    return "/bin/sh", "-c"


def _exit_code(ending: Ending) -> int:
    if ending.timed_out:
        return TIMED_OUT
    return ending.returncode if ending.returncode >= 0 else 128 - ending.returncode


def _not_run(because: str) -> ExecuteResponse:
    return ExecuteResponse(f"[The command was not run: {because}.]", NOT_RUN)


def _notes(ending: Ending, timeout_s: int) -> list[str]:
    """What the output and the exit code, which the library adds, do not say."""
    notes: list[str] = []
    if ending.timed_out:
        notes.append(
            f"[Timed out after {timeout_s} s and was stopped with everything it had started."
            " A longer timeout can be given.]"
        )
    elif ending.returncode < 0:
        notes.append(f"[Ended by {_signal_name(-ending.returncode)}.]")
    if ending.stopped:
        names = ", ".join(sorted({member.name for member in ending.stopped if member.name}))
        notes.append(
            "[Something was still running in the background when the command ended, and was stopped"
            + (f": {names}.]" if names else ".]")
        )
    if ending.output_is_held:
        notes.append(
            "[A process that left the command's session still has its output open."
            " What it prints from now on is lost.]"
        )
    return notes


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _with_notes(output: str, notes: Sequence[str]) -> str:
    if not output and not notes:
        return "[no output]"
    line_end = "\n" if output and notes and not output.endswith("\n") else ""
    return output + line_end + "\n".join(notes)
