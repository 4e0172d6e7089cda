"""A machine for install.sh: a HOME of its own and a PATH that holds only what a test allows."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
BASE_PYTHON: str = getattr(sys, "_base_executable", sys.executable)
"""The interpreter under the test environment, as a user has one."""

_CHOSEN_BY_TESTS = ("agent", "handrail", "git", "pip", "pipx", "py", "uv")
_NOT_INHERITED = (
    "HANDRAIL_",
    "PYENV_",
    "PYTEST_",
    "PYTHON",
    "UV_CACHE_DIR",
    "UV_PROJECT_ENVIRONMENT",
    "UV_PYTHON",
    "UV_SYSTEM_CERTS",
    "UV_TOOL_",
    "VIRTUAL_ENV",
    "XDG_",
)


def inherited_environment() -> dict[str, str]:
    """The way to the package index stays, what could point into this checkout or this user goes."""
    return {name: text for name, text in os.environ.items() if not name.startswith(_NOT_INHERITED)}


def uv_cache() -> str:
    """The cache of whoever runs the tests, so that nothing is fetched for every test again."""
    return subprocess.run(
        ["uv", "cache", "dir"], check=True, capture_output=True, text=True
    ).stdout.strip()


@dataclass(frozen=True, slots=True)
class Machine:
    home: Path
    commands: Path
    """The one folder on the PATH."""
    env: dict[str, str]

    @property
    def bin(self) -> Path:
        return self.home / ".local" / "bin"

    @property
    def tool(self) -> Path:
        return self.home / ".local" / "share" / "uv" / "tools" / "handrail"

    @property
    def private_uv(self) -> Path:
        return self.home / ".local" / "share" / "handrail-install" / "uv"

    def add_command(self, name: str, script: str) -> Path:
        command = self.commands / name
        command.unlink(missing_ok=True)
        command.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        command.chmod(0o755)
        return command

    def remove_command(self, name: str) -> None:
        (self.commands / name).unlink()

    def run(self, program: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [program, *args],
            cwd=self.home.parent,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def install(self, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
        return self.run(ROOT / "install.sh", *args, **env)


def make_machine(folder: Path, *, cache: str) -> Machine:
    """With git, uv, a `python3` that runs and a `python3.13` that is there and does not."""
    home = folder / "home"
    home.mkdir()
    commands = folder / "commands"
    commands.mkdir()
    _link_system_commands(commands)
    env = inherited_environment() | {"HOME": str(home), "PATH": str(commands)}
    env |= {"UV_CACHE_DIR": cache, "UV_COMPILE_BYTECODE": "0", "SHELL": "/bin/bash"}
    machine = Machine(home, commands, env)
    for name in ("git", "uv"):
        machine.add_command(name, f'exec "{shutil.which(name)}" "$@"')
    machine.add_command("python3", f'exec "{BASE_PYTHON}" "$@"')
    machine.add_command("python3.13", 'echo "python3.13: command not found" >&2; exit 127')
    return machine


def _link_system_commands(commands: Path) -> None:
    for folder in ("/usr/bin", "/bin"):
        for command in Path(folder).iterdir():
            link = commands / command.name
            if not command.name.startswith(_CHOSEN_BY_TESTS) and not link.is_symlink():
                link.symlink_to(command)
