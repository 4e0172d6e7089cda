"""The demo without a terminal: the real agent, tools and files; only the model is scripted."""

import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from handrail.demo.person import Message, RecordedDecision, read_messages
from handrail.demo.sample import Sample, make_sample
from handrail.demo.sample_tests import run_sample_tests
from handrail.demo.unattended import tell_unattended
from handrail.sessions.opening import opener
from handrail.settings import ModelSettings, Settings
from tests.support.scratch import AGENT, AgentHome


def demo(home: AgentHome, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [AGENT, "demo"],
        cwd=folder,
        env=home.env(TMPDIR=str(folder)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_whole_story_ends_with_the_report_and_touches_nothing_of_the_persons(
    agent_home: AgentHome, tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*"))
    process = demo(agent_home, tmp_path)
    out, err = process.communicate(timeout=100)
    assert (process.returncode, err) == (0, "")
    [folder] = tmp_path.glob("handrail-demo-*")
    lines = out.splitlines()
    assert lines[-2:] == [
        f"Everything is kept in {folder}",
        "sample tests: 6 passed, 0 failed",
    ]
    assert "There is no terminal here, so recorded decisions are followed." in lines
    recorded = [line.strip() for line in lines if line.startswith("  recorded decision: ")]
    assert recorded == [
        "recorded decision: approve (the project's own tests)",
        "recorded decision: approve (the change is small and does what was asked)",
        "recorded decision: approve (the same tests again)",
        "recorded decision: approve (it only prints)",
        "recorded decision: approve (this is what was said)",
        "recorded decision: approve (it only looks)",
    ]
    told = " ".join(out.split())
    for part in (
        "todos 0 of 4",
        "grep took=",
        "run python3 -m unittest exit 1",
        '- return float(duration.rstrip("ms"))',
        "run python3 -m unittest exit 0",
        "todos 4 of 4",
        "offloaded 93 kB -> /scratch/large_tool_results/sample_year",
        "Of 1800 requests, 27 took longer than a second",
        "write /memories/user/preferences.md",
        "logbook/parse.py | 4 +++-",
    ):
        assert part in told
    assert re.search(r"summarised \d+ messages -> /scratch/conversation_history/\S+\.md", told)
    assert sorted(it for it in tmp_path.rglob("*") if folder not in (it, *it.parents)) == before
    assert (folder / "data" / "user.db").exists()


def test_a_reader_that_leaves_does_no_harm(agent_home: AgentHome, tmp_path: Path) -> None:
    process = demo(agent_home, tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=100) == 0


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return make_sample(paced=False)


async def tell(sample: Sample, messages: list[Message], capsys: pytest.CaptureFixture[str]) -> str:
    settings = Settings(model=ModelSettings(name=f"script:{sample.script}"))
    open_session = opener(sample.project, settings, sample.places)
    with capsys.disabled(), (sample.folder / "out").open("w+") as out:
        told = await tell_unattended(messages, open_session, out, root=str(sample.project))
        assert told
        out.seek(0)
        return " ".join(out.read().split())


async def test_a_refused_change_leaves_the_fault_and_the_story_goes_on(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = read_messages(sample.decisions, sample.project)
    tests, change, _ = first.decisions
    refused = RecordedDecision(change.tool, change.about, "reject", "leave it")
    told = await tell(sample, [Message(first.says, (tests, refused)), *others], capsys)
    assert run_sample_tests(sample.project).line == "sample tests: 5 passed, 1 failed"
    for part in (
        "Then I leave the file as it is.",
        "The report still finds none of the 1800 requests slow.",
        "Nothing has changed, as you did not want the change",
    ):
        assert part in told


async def test_nothing_happens_when_nothing_is_approved(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    messages = read_messages(sample.decisions, sample.project)
    told = await tell(sample, [Message(it.says, ()) for it in messages], capsys)
    assert run_sample_tests(sample.project).line == "sample tests: 5 passed, 1 failed"
    for part in ("Then I cannot count them.", "Then I write nothing down.", "As you like."):
        assert part in told


async def test_the_preference_is_kept_in_the_demos_own_memory(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    await tell(sample, list(read_messages(sample.decisions, sample.project)), capsys)
    with closing(sqlite3.connect(sample.places.user_memory_db)) as memory:
        kept = "".join(str(row) for row in memory.execute("select * from store"))
    assert "Docstrings: one line, with an example in it." in kept
