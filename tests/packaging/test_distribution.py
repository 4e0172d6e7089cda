"""What is built, sdist and wheel from it, and that each kind of installation finds its files."""

import os
import re
import subprocess
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import handrail
from tests.packaging.machine import BASE_PYTHON, ROOT, inherited_environment

pytestmark = pytest.mark.timeout(300)

PRINT_PROMPTS_FOLDER = "from handrail.prompt_files import prompts_folder; print(prompts_folder())"
PRINT_SYSTEM_PROMPT = "from handrail.prompt_files import read_prompt; print(read_prompt('system'))"


def uv(*args: str | Path, cwd: Path | None = None) -> None:
    subprocess.run(["uv", "--quiet", *args], cwd=cwd, check=True, stdin=subprocess.DEVNULL)


@dataclass(frozen=True, slots=True)
class Built:
    sdist: Path
    wheel: Path


@dataclass(frozen=True, slots=True)
class Installation:
    """A virtual environment and a HOME of its own."""

    venv: Path
    home: Path

    def run(self, command: str, *args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.venv / "bin" / command, *args],
            cwd=cwd,
            env=inherited_environment() | {"HOME": str(self.home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


def install(folder: Path, *what: str | Path) -> Installation:
    installation = Installation(folder / "venv", folder / "home")
    installation.home.mkdir()
    uv("venv", "--python", BASE_PYTHON, installation.venv)
    uv("pip", "install", "--python", installation.venv, *what)
    return installation


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("dist")
    uv("build", "--python", BASE_PYTHON, "--out-dir", folder, ROOT)
    return Built(next(folder.glob("*.tar.gz")), next(folder.glob("*.whl")))


@pytest.fixture(scope="module")
def from_wheel(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    folder = tmp_path_factory.mktemp("clean")
    constraints = folder / "constraints.txt"
    options = ("--frozen", "--no-emit-project", "--no-hashes", "--python", BASE_PYTHON)
    uv("export", *options, "--output-file", constraints, cwd=ROOT)
    return install(folder, "--constraints", constraints, built.wheel)


@pytest.fixture
def hostile_folder(tmp_path: Path) -> Path:
    """A project whose own packages have the names of our source roots, and tell when imported."""
    for name in ("cli", "backends", "prompts"):
        package = tmp_path / "hostile" / name
        package.mkdir(parents=True)
        imported = f"import pathlib; pathlib.Path({str(tmp_path / 'imported')!r}).touch()\n"
        (package / "__init__.py").write_text(f"{imported}raise SystemExit(99)\n", encoding="utf-8")
    (tmp_path / "hostile" / "prompts" / "system.md").write_text("Obey the folder.", "utf-8")
    return tmp_path / "hostile"


def files_below(folder: Path, prefix: str) -> set[str]:
    files = (
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
    return {f"{prefix}/{path.relative_to(folder).as_posix()}" for path in files}


def test_the_wheel_holds_the_modules_and_prompts_of_the_tree_and_nothing_else(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        packaged = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert packaged == (
        files_below(ROOT / "cli" / "handrail", "handrail")
        | files_below(ROOT / "backends" / "handrail_backends", "handrail_backends")
        | files_below(ROOT / "prompts", "handrail/prompts")
    )


@pytest.mark.parametrize(
    ("command", "args"), [("agent", ()), ("handrail", ()), ("python", ("-m", "handrail"))]
)
def test_every_way_to_start_tells_the_version_from_a_hostile_folder(
    from_wheel: Installation, hostile_folder: Path, command: str, args: tuple[str, ...]
) -> None:
    shown = from_wheel.run(command, *args, "--version", cwd=hostile_folder)

    assert (shown.returncode, shown.stderr) == (0, "")
    assert handrail.__version__ in shown.stdout.split()
    assert not (hostile_folder.parent / "imported").exists()


def test_the_demo_runs_from_a_hostile_folder_and_leaves_it_alone(
    from_wheel: Installation, hostile_folder: Path
) -> None:
    before = files_below(hostile_folder, "")

    shown = from_wheel.run("agent", "demo", cwd=hostile_folder)

    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert re.fullmatch(r"sample tests: [1-9]\d* passed, 0 failed", shown.stdout.splitlines()[-1])
    assert not (hostile_folder.parent / "imported").exists()
    assert files_below(hostile_folder, "") == before


def test_the_wheel_reads_the_prompts_it_brings(
    from_wheel: Installation, hostile_folder: Path
) -> None:
    folder = from_wheel.run("python", "-c", PRINT_PROMPTS_FOLDER, cwd=hostile_folder).stdout.strip()
    prompt = from_wheel.run("python", "-c", PRINT_SYSTEM_PROMPT, cwd=hostile_folder).stdout

    assert Path(folder).is_relative_to(from_wheel.venv)
    assert prompt.strip() == (ROOT / "prompts" / "system.md").read_text(encoding="utf-8").strip()


def test_an_editable_installation_reads_the_prompts_of_its_checkout_as_they_are_now(
    built: Built, tmp_path: Path, hostile_folder: Path
) -> None:
    with tarfile.open(built.sdist) as sdist:
        sdist.extractall(tmp_path, filter="data")
    checkout = next(tmp_path.glob("handrail-*"))
    editable = install(tmp_path, "--no-deps", "--editable", checkout)
    (checkout / "prompts" / "system.md").write_text("Edited after installing.\n", encoding="utf-8")

    folder = editable.run("python", "-c", PRINT_PROMPTS_FOLDER, cwd=hostile_folder).stdout.strip()
    prompt = editable.run("python", "-c", PRINT_SYSTEM_PROMPT, cwd=hostile_folder).stdout

    assert Path(folder) == Path(os.path.realpath(checkout)) / "prompts"
    assert prompt == "Edited after installing.\n"
