"""The demo's sample: a real copy, a real repository, real test runs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import handrail.demo
from handrail.demo.sample import Sample, make_sample
from handrail.demo.sample_tests import NO_REPORT, SampleReport, read_report, run_sample_tests
from handrail.engine.script_reader import load_script
from handrail.errors import HandrailError, StorageError

SAMPLE_PACKAGE = Path(handrail.demo.__path__[0])

MENDED = """    if duration.endswith("ms"):
        return float(duration[:-2])
    return float(duration[:-1]) * 1000"""


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return make_sample(paced=True)


def mend(sample: Sample) -> None:
    parse = sample.project / "logbook" / "parse.py"
    text = parse.read_text("utf-8")
    parse.write_text(text.replace('    return float(duration.rstrip("ms"))', MENDED), "utf-8")


def output(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_copy_is_a_clean_repository_with_one_commit(sample: Sample) -> None:
    assert output(sample.project, "git", "status", "--porcelain") == ""
    log = output(sample.project, "git", "log", "--format=%an|%ae|%s|%D")
    assert log == "Handrail demo|demo@handrail.invalid|The logbook as it was found|HEAD -> main\n"
    tracked = output(sample.project, "git", "ls-files").split()
    assert tracked == [
        ".gitignore",
        "AGENTS.md",
        "logbook/__init__.py",
        "logbook/parse.py",
        "logbook/report.py",
        "logbook/year.py",
        "tests/__init__.py",
        "tests/test_parse.py",
        "tests/test_report.py",
    ]
    assert not list(sample.project.glob(".git/hooks/*"))


def test_all_of_it_lies_in_one_folder(sample: Sample) -> None:
    below = (sample.project, sample.script, sample.places.home, sample.places.config)
    assert all(path.is_relative_to(sample.folder) for path in below)
    assert sample.folder.stat().st_mode & 0o777 == 0o700


def test_nobody_waits_for_a_pace_where_nobody_watches(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unwatched = make_sample(paced=False)
    paces = [load_script(it.script, {"project": "/p"}).pace_ms for it in (sample, unwatched)]
    assert paces[0] > 0
    assert paces[1] == 0


def test_a_read_only_package_gives_a_writable_copy(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    shutil.copytree(SAMPLE_PACKAGE, package)
    for path in (*package.rglob("*"), package):
        path.chmod(0o555 if path.is_dir() else 0o444)
    monkeypatch.setattr("handrail.demo.sample._PACKAGE", package)
    copy = make_sample(paced=True)
    package.chmod(0o755)
    for path in package.rglob("*"):
        path.chmod(0o755)
    modes = {it.stat().st_mode & 0o200 for it in (copy.project, *copy.project.rglob("*.py"))}
    assert modes == {0o200}


def test_git_settings_hooks_and_variables_of_the_person_have_no_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    hooks = home / "hooks"
    hooks.mkdir(parents=True)
    hook = hooks / "pre-commit"
    hook.write_text('#!/bin/sh\ntouch "$0.ran"\nexit 1\n', "utf-8")
    hook.chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[core]\n  hooksPath = {hooks}\n[commit]\n  gpgSign = true\n[user]\n  name = Someone\n",
        "utf-8",
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Someone")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    sample = make_sample(paced=True)
    monkeypatch.delenv("GIT_DIR")
    assert (
        output(sample.project, "git", "log", "--format=%an %cn") == "Handrail demo Handrail demo\n"
    )
    assert [it.name for it in hooks.iterdir()] == ["pre-commit"]
    assert not (tmp_path / "elsewhere").exists()


def test_without_git_the_demo_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HandrailError) as caught:
        make_sample(paced=True)
    assert caught.value.paragraph == (
        "The demo needs git, and there is no `git` on the PATH. "
        "Install git and start the demo again."
    )


def test_a_place_that_cannot_be_written_is_an_error_with_a_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(StorageError) as caught:
        make_sample(paced=True)
    assert caught.value.paragraph == (
        f"The sample project cannot be copied to {tmp_path / 'none'}: No such file or directory. "
        "Make room there, or set TMPDIR to a folder that can be written."
    )


def test_one_test_fails_until_the_fault_is_mended(sample: Sample) -> None:
    before = run_sample_tests(sample.project)
    mend(sample)
    assert (before, run_sample_tests(sample.project)) == (SampleReport(5, 1), SampleReport(6, 0))
    assert output(sample.project, "git", "status", "--porcelain") == " M logbook/parse.py\n"


def test_the_sample_year_is_long_and_its_report_shows_the_fault(sample: Sample) -> None:
    before = output(sample.project, sys.executable, "-B", "-m", "logbook.year")
    mend(sample)
    after = output(sample.project, sys.executable, "-B", "-m", "logbook.year")
    assert len(before) > 80_000
    assert before.splitlines()[:-1] == after.splitlines()[:-1]
    assert before.splitlines()[-1] == "1800 requests, 24 failed, 0 took longer than a second"
    assert after.splitlines()[-1] == "1800 requests, 24 failed, 27 took longer than a second"


@pytest.mark.parametrize(
    ("text", "report", "line"),
    [
        (
            "..\nRan 6 tests in 0.011s\n\nOK\n",
            SampleReport(6, 0),
            "sample tests: 6 passed, 0 failed",
        ),
        (
            "Ran 6 tests in 0.011s\n\nFAILED (failures=1, errors=2)\n",
            SampleReport(3, 3),
            "sample tests: 3 passed, 3 failed",
        ),
        (
            "Ran 1 test in 0.011s\n\nFAILED (errors=1)\n",
            SampleReport(0, 1),
            "sample tests: 0 passed, 1 failed",
        ),
        (
            "Ran 6 tests in 0.011s\n\n"
            "FAILED (skipped=1, expected failures=1, unexpected successes=1)\n",
            SampleReport(3, 1),
            "sample tests: 3 passed, 1 failed",
        ),
        ("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", NO_REPORT, None),
        ("Traceback\nSyntaxError\n", NO_REPORT, None),
    ],
)
def test_the_runners_report_is_read(text: str, report: SampleReport, line: str | None) -> None:
    assert read_report(text) == report
    assert report.line == (line or "sample tests: the test runner gave no report")


def test_only_tests_that_ran_and_passed_are_green() -> None:
    reports = (SampleReport(6, 0), SampleReport(5, 1), SampleReport(0, 0), NO_REPORT)
    assert [it.is_green for it in reports] == [True, False, False, False]


def test_the_runner_does_without_the_persons_python_settings(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unittest.py").write_text("raise SystemExit(3)\n", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert run_sample_tests(sample.project) == SampleReport(5, 1)
    assert not list(sample.project.rglob("__pycache__"))
    assert os.environ["PYTHONPATH"] == str(tmp_path)
