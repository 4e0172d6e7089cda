"""A repository to work in and a home to work from, both new for every test."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support.processes import kill_processes_in

AGENT = Path(sys.executable).with_name("agent")

SOURCE = "def area(width, height):\n    return 2 * (width + height)\n"
# Another size than SOURCE: Python takes bytecode for current while second and size are the same.
FIXED = "def area(width, height):\n    return width * height\n"
TESTS = """\
import unittest

from shapes import area


class AreaTest(unittest.TestCase):
    def test_area(self):
        self.assertEqual(area(3, 4), 12)


if __name__ == "__main__":
    unittest.main()
"""
RUN_TESTS = "python -m unittest -q"


@dataclass(frozen=True, slots=True)
class ScratchRepo:
    """A git repository with one commit: `shapes.py` has a fault that `test_shapes.py` finds."""

    root: Path

    @property
    def source(self) -> Path:
        return self.root / "shapes.py"

    def is_fixed(self) -> bool:
        return self.source.read_text() == FIXED

    def git(self, *args: str) -> str:
        env = {"PATH": os.environ["PATH"], "HOME": str(self.root), "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *args], cwd=self.root, env=env, capture_output=True, text=True, check=True
        )
        return done.stdout


def make_scratch_repo(root: Path) -> ScratchRepo:
    root.mkdir(parents=True)
    repo = ScratchRepo(root)
    repo.source.write_text(SOURCE)
    (root / "test_shapes.py").write_text(TESTS)
    (root / ".gitignore").write_text("__pycache__/\n")
    repo.git("init", "-q", "-b", "main")
    repo.git("config", "user.name", "Tester")
    repo.git("config", "user.email", "tester@localhost")
    repo.git("add", ".")
    repo.git("commit", "-q", "-m", "Shapes")
    return repo


@dataclass(frozen=True, slots=True)
class AgentHome:
    """A person's account: a home folder with Handrail's data in it, and nothing else."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "handrail"

    def env(self, **extra: str) -> dict[str, str]:
        return {
            "HANDRAIL_HOME": str(self.data),
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "PATH": f"{AGENT.parent}:{os.environ['PATH']}",
            "TERM": "xterm-256color",
            **extra,
        }

    def configure(self, text: str) -> None:
        """Writes the user's settings."""
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        (self.data / "config.toml").write_text(text)

    def end_processes(self) -> None:
        """Kills whatever still runs from here."""
        kill_processes_in(self.folder)
