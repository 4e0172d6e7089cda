"""Runs `agent -p` as a process of its own, on the model service of a workplace."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, cast

from jsonschema import validate

from handrail.headless.schema import SCHEMA_FILE
from tests.support.json_shape import Json, string
from tests.support.model_server import Received
from tests.support.scratch import AGENT
from tests.support.workplace import Workplace

WAIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> Sequence[Json]:
        """Of the output, each checked against the published schema."""
        schema = json.loads(SCHEMA_FILE.read_text())
        lines = [cast("Json", json.loads(line)) for line in self.out.splitlines()]
        for line in lines:
            validate(line, schema)
        return lines

    def only(self, kind: str) -> Sequence[Json]:
        return [line for line in self.lines if line["type"] == kind]


def start(
    place: Workplace, *args: str, stdin: int | None = None, stdout: IO[str] | None = None
) -> subprocess.Popen[str]:
    """Without waiting; input is empty unless `stdin` is given."""
    return subprocess.Popen(
        [AGENT, "-p", *args],
        cwd=place.repo.root,
        env=place.env(),
        stdin=subprocess.DEVNULL if stdin is None else stdin,
        stdout=stdout or subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(place: Workplace, *args: str, piped: str | None = None) -> Done:
    process = start(place, *args, stdin=None if piped is None else subprocess.PIPE)
    return ended(process, piped)


def ended(process: subprocess.Popen[str], piped: str | None = None) -> Done:
    out, err = process.communicate(piped, timeout=WAIT_S)
    return Done(process.returncode, out, err)


def shell(place: Workplace, command: str) -> Done:
    """A line of bash in which `agent` is found."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=place.repo.root,
        env=place.env(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def session_of(done: Done) -> str:
    """The id that is told on standard error."""
    return done.err.partition("agent --resume ")[2].split()[0]


def prompt_of(request: Received) -> str:
    """The latest message of the person."""
    said = [string(m["content"]) for m in request.messages if m["role"] == "user"]
    return said[-1]
