"""Whatever ends a run from outside: no traceback, the session kept, and a code of its own."""

import fcntl
import select
import signal
import subprocess
import termios
import time
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.processes import processes_in
from tests.support.replies import Gate, call, reply
from tests.support.scratch import AGENT
from tests.support.unattended import WAIT_S, ended, run, session_of, shell, start
from tests.support.workplace import Workplace

MUCH = "word " * 60_000
"""More than a pipe holds, in events."""

STALLED_S = 0.5
"""A pipe that got nothing for so long is full."""


def waiting_in(pipe: int) -> int:
    """Bytes that nobody has read yet."""
    size = array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, size)
    return size[0]


def wait_stalled(pipe: int) -> None:
    last, since = 0, time.monotonic()

    def is_stalled() -> bool:
        nonlocal last, since
        size = waiting_in(pipe)
        if size != last or size < select.PIPE_BUF:
            last, since = size, time.monotonic()
        return time.monotonic() - since > STALLED_S

    wait_until(is_stalled)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGHUP, 129), (signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_a_signal_stops_the_turn_and_keeps_the_session(
    place: Workplace, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    place.server.script(reply("It begins ", Gate(), "and never ends"))
    lines = tmp_path / "lines"
    with lines.open("w") as stdout:
        process = start(place, "go", "--output", "jsonl", stdout=stdout)
        wait_until(lambda: "TextDelta" in lines.read_text())
        process.send_signal(number)
        done = replace(ended(process), out=lines.read_text())
    assert done.code == code
    assert done.err == f"Stopped by {number.name}. What was finished is kept.\n"
    assert [line["type"] for line in done.lines][-3:] == ["TextFinished", "TurnStopped", "RunEnded"]
    assert processes_in(place.home.folder) == []

    place.server.script(reply("Here."))
    assert run(place, "-c", "are you there").out == "Here.\n"
    said = [str(message["content"]) for message in place.server.requests[-1].messages]
    assert "It begins" in said[2]


def test_a_signal_before_the_session_is_open_ends_it_at_once(place: Workplace) -> None:
    process = start(place, "go", stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stderr is not None
    process.stderr.readline()
    process.send_signal(signal.SIGINT)
    done = ended(process)
    assert (done.code, done.out, done.err) == (130, "", "")


def test_a_signal_ends_it_although_nobody_takes_its_output(place: Workplace) -> None:
    place.server.script(reply(MUCH))
    process = start(place, "go", "--output", "jsonl")
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    wait_stalled(pipe)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 143
    process.communicate()


def test_a_hang_up_that_the_caller_ignores_is_ignored(place: Workplace) -> None:
    gate = Gate()
    place.server.script(reply("Still ", gate, "here."))
    process = subprocess.Popen(
        ["nohup", AGENT, "-p", "go"],
        cwd=place.repo.root,
        env=place.env(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    gate.wait_reached()
    process.send_signal(signal.SIGHUP)
    gate.open()
    done = ended(process)
    assert (done.code, done.out) == (0, "Still here.\n")


def test_a_reader_that_leaves_stops_the_turn(place: Workplace) -> None:
    gate = Gate()
    place.server.script(reply("one ", gate))
    done = shell(place, "agent -p go --output jsonl | head -1; echo ${PIPESTATUS[0]}")
    first, code = done.out.splitlines()
    assert first.startswith('{"type":"SessionOpened"')
    assert (code, done.err) == ("141", "")


def test_a_full_disk_is_told(place: Workplace) -> None:
    place.server.script(reply("answer"))
    done = shell(place, "agent -p go >/dev/full")
    assert done.code == 1
    assert done.err.endswith(
        "The output cannot be written: No space left on device. What was finished is kept.\n"
    )


def test_closed_input_output_and_errors_are_no_trouble(place: Workplace) -> None:
    place.server.script(reply(call("ls", path=".")), reply("answer"))
    assert shell(place, "agent -p go --final ../answer <&- >&- 2>&-").code == 0
    assert (place.repo.root.parent / "answer").read_text() == "answer\n"


def test_errors_that_nobody_reads_are_no_trouble(place: Workplace) -> None:
    place.server.script(reply(call("ls", path=".")), reply("answer"))
    done = shell(place, "{ agent -p go 2>&3 3>&-; } 3> >(exec true); echo $?")
    assert done.out == "answer\n0\n"


def test_the_answer_comes_at_a_terminal_too(place: Workplace) -> None:
    place.server.script(reply("answer"))
    with place.open("-p", "go") as terminal:
        assert terminal.wait_exit() == 0
        assert terminal.text().rstrip().endswith("\nanswer")


def test_the_session_goes_on_without_a_screen_and_with_one(place: Workplace) -> None:
    place.server.script(reply("First."), reply("Second."))
    session = session_of(run(place, "remember 7"))
    assert run(place, "--resume", session, "which").out == "Second.\n"
    assert len(place.server.requests[-1].messages) == 4
    place.server.script(reply("Third."))
    with place.open("--resume", session, "and now") as terminal:
        terminal.wait_for("remember 7")
        terminal.wait_for("Third.")
        assert terminal.leave() == 0


def test_a_session_that_is_not_there_or_is_open_elsewhere_is_refused(place: Workplace) -> None:
    assert run(place, "-c", "go").code == 6
    gate = Gate()
    place.server.script(reply("First."), reply("It ", gate))
    session = session_of(run(place, "go"))
    process = start(place, "--resume", session, "again")
    gate.wait_reached()
    done = run(place, "--resume", session, "me too")
    assert (done.code, done.out) == (6, "")
    gate.open()
    assert ended(process).code == 0
