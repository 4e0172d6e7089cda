"""How commands end, and that nothing of them is left."""

import asyncio
import os
import re
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from handrail_backends import process
from handrail_backends.host_shell import HostShell
from handrail_backends.process_group import Session
from tests.support.processes import is_running


class Watched:
    """A shell whose live output can be waited for."""

    def __init__(self, project: Path) -> None:
        self.shell = HostShell(project, mounts=(), timeout_s=30, on_output=self._take)
        self._text = ""
        self._changed = asyncio.Event()

    def _take(self, text: str) -> None:
        self._text += text
        self._changed.set()

    async def numbers(self, count: int) -> list[int]:
        """The first process ids a command printed."""
        async with asyncio.timeout(10):
            while len(found := re.findall(r"(\d+)\n", self._text)) < count:
                self._changed.clear()
                await self._changed.wait()
        return [int(number) for number in found]


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


GRANDCHILDREN = "bash -c 'sleep 300 & echo $!; sleep 300 & echo $!; wait' & echo $!; wait"
STUBBORN = """python3 -c '
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
while True: time.sleep(300)
'"""
OWN_GROUPS = "set -m; sleep 300 & echo $!; sleep 300 & echo $!; echo $$; wait"


async def timed_out(watched: Watched, command: str) -> None:
    result = await watched.shell.aexecute(command, timeout=2)
    assert result.exit_code == 124
    assert result.output.endswith(
        "[Timed out after 2 s and was stopped with everything it had started."
        " A longer timeout can be given.]"
    )


async def cancelled(watched: Watched, command: str) -> None:
    running = asyncio.create_task(watched.shell.aexecute(command))
    await watched.numbers(1 if command is STUBBORN else 3)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.parametrize("end", [timed_out, cancelled])
@pytest.mark.parametrize(
    "command",
    [GRANDCHILDREN, STUBBORN, OWN_GROUPS],
    ids=["grandchildren", "ignores-sigterm", "own-process-groups"],
)
async def test_after_a_time_out_or_a_stop_no_descendant_runs(
    watched: Watched, command: str, end: Callable[[Watched, str], Awaitable[None]]
) -> None:
    await end(watched, command)
    started = await watched.numbers(1 if command is STUBBORN else 3)
    assert [pid for pid in started if is_running(pid)] == []


async def test_a_second_stop_does_not_wait_for_the_grace(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "GRACE_S", 60)
    running = asyncio.create_task(watched.shell.aexecute(STUBBORN))
    pid = (await watched.numbers(1))[0]
    before = time.monotonic()
    running.cancel()
    assert (await asyncio.wait([running], timeout=0.1))[0] == set()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    while is_running(pid):
        assert time.monotonic() - before < 20


async def test_a_stop_lets_a_command_tidy_up(watched: Watched, tmp_path: Path) -> None:
    command = "trap 'echo tidy > done; exit' TERM; echo $$; sleep 300 & wait"
    running = asyncio.create_task(watched.shell.aexecute(command))
    await watched.numbers(1)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (tmp_path / "done").read_text() == "tidy\n"


async def test_output_before_a_time_out_is_kept(watched: Watched) -> None:
    result = await watched.shell.aexecute("echo before; sleep 300", timeout=1)
    assert result.output.startswith("before\n[Timed out after 1 s")


async def test_a_background_process_does_not_hold_up_the_answer(watched: Watched) -> None:
    before = time.monotonic()
    result = await watched.shell.aexecute("sleep 300 & echo $!")
    pid = (await watched.numbers(1))[0]
    assert time.monotonic() - before < 5
    assert result.output == (
        f"{pid}\n[Something was still running in the background when the command ended,"
        " and was stopped: sleep.]"
    )
    assert result.exit_code == 0
    assert not is_running(pid)


async def test_a_process_that_left_the_session_does_not_hold_up_the_answer(
    watched: Watched,
) -> None:
    before = time.monotonic()
    result = await watched.shell.aexecute("setsid sh -c 'echo $$; exec sleep 300' & sleep 0.3")
    pid = (await watched.numbers(1))[0]
    os.kill(pid, signal.SIGKILL)
    assert time.monotonic() - before < 5
    assert result.output.partition("\n")[2] == (
        "[A process that left the command's session still has its output open."
        " What it prints from now on is lost.]"
    )


async def test_what_ends_right_after_the_command_is_waited_for(watched: Watched) -> None:
    result = await watched.shell.aexecute("echo hello > >(sleep 0.05; cat)")
    assert (result.output, result.exit_code) == ("hello\n", 0)


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("exit 7", "[no output]", 7),
        ("echo out; echo err >&2", "out\nerr\n", 0),
        ("kill -KILL $$", "[Ended by SIGKILL.]", 137),
        ("kill -TERM $$", "[Ended by SIGTERM.]", 143),
        ("printf x; kill -KILL $$", "x\n[Ended by SIGKILL.]", 137),
        ("exec >&- 2>&-; sleep 0.1", "[no output]", 0),
        ("yes | head -n 1", "y\n", 0),
        ("no-such-command-anywhere 2>/dev/null", "[no output]", 127),
    ],
)
async def test_an_ending_is_told_once(
    watched: Watched, command: str, output: str, exit_code: int
) -> None:
    result = await watched.shell.aexecute(command)
    assert (result.output, result.exit_code, result.truncated) == (output, exit_code, False)


@pytest.mark.parametrize("command", ["read -p 'ok? ' x; echo \"[$x]\"", "cat", "cat </dev/tty"])
async def test_a_question_gets_the_end_of_input_at_once(watched: Watched, command: str) -> None:
    before = time.monotonic()
    await watched.shell.aexecute(command)
    assert time.monotonic() - before < 5


async def test_a_broken_listener_ends_the_command(tmp_path: Path) -> None:
    pids: list[str] = []

    def broken(text: str) -> None:
        pids.append(text)
        raise LookupError(text)

    shell = HostShell(tmp_path, mounts=(), timeout_s=30, on_output=broken)
    before = time.monotonic()
    with pytest.raises(LookupError):
        await shell.aexecute("echo $$; sleep 300")
    assert time.monotonic() - before < 15
    assert not is_running(int(pids[0]))


async def test_without_proc_the_process_group_is_ended(tmp_path: Path) -> None:
    shell = await asyncio.create_subprocess_exec(
        "sh", "-c", "sleep 300 & sleep 300", start_new_session=True
    )
    session = Session(shell.pid, proc=tmp_path)
    assert [member.pid for member in session.members()] == [shell.pid]
    ending = asyncio.create_task(session.end(5))
    await shell.wait()
    await ending
    assert session.members() == []


async def test_a_session_without_members_is_over(tmp_path: Path) -> None:
    done = await asyncio.create_subprocess_exec("true", start_new_session=True)
    await done.wait()
    for session in (Session(done.pid), Session(done.pid, proc=tmp_path)):
        assert await session.is_over(0)
