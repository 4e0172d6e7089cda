"""Runs the sample project's tests and reads the test runner's own report."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_SECONDS = 120
_RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
_RESULT = re.compile(r"^(?:OK|FAILED)(?: \(([^)]*)\))?$", re.MULTILINE)
_COUNT = re.compile(r"([a-z ]+)=(\d+)")
_FAILURES = ("failures", "errors", "unexpected successes")


@dataclass(frozen=True, slots=True)
class SampleReport:
    """What the runner counted; None of both when it gave no report."""

    passed: int | None
    failed: int | None

    @property
    def is_green(self) -> bool:
        return bool(self.passed) and self.failed == 0

    @property
    def line(self) -> str:
        if self.passed is None or self.failed is None:
            return "sample tests: the test runner gave no report"
        return f"sample tests: {self.passed} passed, {self.failed} failed"


NO_REPORT = SampleReport(None, None)


def run_sample_tests(project: Path) -> SampleReport:
    """The report of `python3 -m unittest`, run without the person's Python settings."""
    python = shutil.which("python3") or sys.executable
    try:
        done = subprocess.run(
            [python, "-B", "-m", "unittest"],
            cwd=project,
            env={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(project.parent)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return NO_REPORT
    return read_report(done.stderr.decode("utf-8", "replace"))


def read_report(text: str) -> SampleReport:
    """From the end of what unittest writes: `Ran 6 tests in 0.01s` and `FAILED (failures=1)`."""
    ran = _RAN.findall(text)
    result = _RESULT.findall(text)
    if not ran or not result:
        return NO_REPORT
    counts = {name.strip(): int(number) for name, number in _COUNT.findall(result[-1])}
    failed = sum(counts.get(name, 0) for name in _FAILURES)
    not_passed = failed + counts.get("skipped", 0) + counts.get("expected failures", 0)
    return SampleReport(max(0, int(ran[-1]) - not_passed), failed)
