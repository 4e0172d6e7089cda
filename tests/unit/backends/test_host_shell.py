"""What commands print, what they see, and what of it comes back."""

import asyncio
import contextvars
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from deepagents.backends.protocol import ExecuteResponse, SandboxBackendProtocol

from handrail_backends.host_shell import HostShell

CALL = contextvars.ContextVar("CALL", default="")


def shell_in(project: Path, **environ: str) -> HostShell:
    return HostShell(
        project, mounts=(), timeout_s=30, environ={"PATH": os.environ["PATH"], **environ}
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "project"
    root.mkdir()
    return root


async def test_every_command_starts_in_the_project(project: Path) -> None:
    shell = shell_in(project)
    assert await shell.aexecute("pwd; cd /; export X=1") == ExecuteResponse(
        f"{project}\n", 0, False
    )
    assert await shell.aexecute("pwd; echo [$X]") == ExecuteResponse(f"{project}\n[]\n", 0, False)


async def test_output_comes_while_the_command_runs(project: Path) -> None:
    os.mkfifo(project / "gate")
    seen: list[str] = []
    first = asyncio.Event()

    def take(text: str) -> None:
        seen.append(text)
        first.set()

    shell = HostShell(project, mounts=(), timeout_s=30, on_output=take)
    running = asyncio.create_task(shell.aexecute("echo one; cat gate; echo two"))
    await first.wait()
    assert seen == ["one\n"]
    await asyncio.to_thread((project / "gate").write_text, "")
    assert (await running).output == "".join(seen) == "one\ntwo\n"


async def test_output_is_told_in_the_context_of_its_call(project: Path) -> None:
    told: list[tuple[str, str, bool]] = []

    def take(text: str) -> None:
        told.append((CALL.get(), text, threading.current_thread() is threading.main_thread()))

    shell = HostShell(project, mounts=(), timeout_s=30, on_output=take)

    async def call(name: str) -> None:
        CALL.set(name)
        await shell.aexecute(f"echo {name}")

    await asyncio.gather(*(asyncio.create_task(call(name)) for name in "ab"))
    assert sorted(told) == [("a", "a\n", True), ("b", "b\n", True)]


async def test_a_character_in_two_pieces_is_whole_on_the_screen(project: Path) -> None:
    os.mkfifo(project / "gate")
    seen: list[str] = []
    first = asyncio.Event()

    def take(text: str) -> None:
        seen.append(text)
        first.set()

    shell = HostShell(project, mounts=(), timeout_s=30, on_output=take)
    command = r"printf 'a\342\202'; cat gate; printf '\254\377\n'"
    running = asyncio.create_task(shell.aexecute(command))
    await first.wait()
    await asyncio.to_thread((project / "gate").write_text, "")
    assert (await running).output == "a\u20ac\ufffd\n"
    assert seen == ["a", "\u20ac\ufffd\n"]


async def test_bytes_that_are_no_text_do_not_hide_the_rest(project: Path) -> None:
    result = await shell_in(project).aexecute(r"printf 'caf\351 ok\n\000'")
    assert result == ExecuteResponse("caf\ufffd ok\n\0", 0, False)


async def test_output_over_the_limit_keeps_head_and_tail(project: Path) -> None:
    shell = HostShell(project, mounts=(), timeout_s=30, max_output_bytes=2_000)
    result = await shell.aexecute("seq 1 100000")
    assert result.truncated
    assert result.output.startswith("1\n2\n3\n")
    assert result.output.endswith("\n99999\n100000\n")
    assert "\n[... 586,895 bytes left out ...]\n" in result.output


async def test_output_over_the_limit_is_not_passed_on(project: Path) -> None:
    seen: list[str] = []
    shell = HostShell(
        project, mounts=(), timeout_s=30, on_output=seen.append, max_output_bytes=2_000
    )
    result = await shell.aexecute("for i in 1 2 3 4 5 6; do printf %01500d 0; sleep 0.01; done")
    note = "\n[... what follows is not shown while it comes ...]\n"
    assert "".join(seen) == "0" * 2_000 + note
    assert result.truncated


FLOOD = """
import asyncio, resource, sys
from pathlib import Path
from handrail_backends.limits import Collector
from handrail_backends.process import Command, run

def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit

async def main():
    collector = Collector(1_000_000)
    command = Command(("/bin/sh", "-c", "yes"), Path("/"), {"PATH": "/usr/bin:/bin"})
    before = peak()
    ending = await run(command, timeout_s=1, feed=collector.feed)
    print(ending.timed_out, collector.total > 20_000_000, peak() - before < 20_000_000)

asyncio.run(main())
"""


def test_a_flood_needs_bounded_memory_and_the_loop_keeps_its_time() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FLOOD], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("True True True\n", "")


async def test_no_secret_reaches_a_command(project: Path) -> None:
    secrets = {"OPENAI_API_KEY": "sk-MARK", "DB_PASSWORD": "MARK", "MY_TOKEN": "MARK"}
    result = await shell_in(project, HOME="/home/u", **secrets).aexecute("env; set")
    assert "HOME=/home/u\n" in result.output
    assert "MARK" not in result.output


async def test_programs_are_told_that_nobody_answers(project: Path) -> None:
    names = "TERM PAGER GIT_PAGER GIT_EDITOR GIT_TERMINAL_PROMPT NO_COLOR PYTHONUNBUFFERED"
    result = await shell_in(project).aexecute(f"printenv {names}")
    assert result.output.split() == ["dumb", "cat", "cat", "true", "0", "1", "1"]


async def test_python_is_not_the_one_this_program_runs_in(project: Path) -> None:
    venv = Path(sys.prefix)
    shell = shell_in(project, PATH=f"{venv}/bin:/usr/bin:/bin", VIRTUAL_ENV=str(venv))
    result = await shell.aexecute("command -v python3; echo [$VIRTUAL_ENV]")
    assert str(venv) not in result.output
    assert result.output.endswith("[]\n")


async def test_start_files_of_the_shell_are_not_read(project: Path) -> None:
    (project / ".bashrc").write_text("echo evil")
    (project / ".bash_profile").write_text("echo evil")
    shell = shell_in(project, HOME=str(project), BASH_ENV=str(project / ".bashrc"))
    assert (await shell.aexecute("echo fine")).output == "fine\n"


def not_run(because: str) -> ExecuteResponse:
    return ExecuteResponse(f"[The command was not run: {because}.]", 126, False)


async def test_a_project_that_is_gone_is_an_answer(project: Path) -> None:
    shell = shell_in(project)
    await asyncio.to_thread(project.rmdir)
    assert await shell.aexecute("pwd") == not_run(
        f"the project's folder {project} is not there any more"
    )


@pytest.mark.parametrize(
    ("code", "because"),
    [
        (0, "it holds a NUL character"),
        (0xD83D, "it holds half of a surrogate pair, which is no text"),
        (0xDCFF, "it holds half of a surrogate pair, which is no text"),
    ],
)
async def test_a_command_that_is_no_text_is_an_answer(
    project: Path, code: int, because: str
) -> None:
    assert await shell_in(project).aexecute(f"echo {chr(code)}") == not_run(because)


async def test_a_command_the_system_refuses_is_an_answer(project: Path) -> None:
    result = await shell_in(project).aexecute("true #" + "x" * 10_000_000)
    assert result == not_run("the system did not start it: Argument list too long")


async def test_a_time_out_of_nothing_means_the_default(project: Path) -> None:
    assert (await shell_in(project).aexecute("echo ok", timeout=0)).output == "ok\n"


def test_without_a_loop_it_runs_as_well(project: Path) -> None:
    assert shell_in(project).execute("echo ok; exit 3") == ExecuteResponse("ok\n", 3, False)


async def test_inside_a_loop_the_blocking_call_runs_as_well(project: Path) -> None:
    assert shell_in(project).execute("echo ok", timeout=5) == ExecuteResponse("ok\n", 0, False)


def test_it_is_what_the_library_calls_a_machine(project: Path) -> None:
    shell = shell_in(project)
    assert isinstance(shell, SandboxBackendProtocol)
    assert shell.id == "host"
