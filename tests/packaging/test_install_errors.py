"""install.sh where something is missing: one paragraph, a code of its own, nothing changed."""

import subprocess
from pathlib import Path

import pytest

from tests.packaging.machine import BASE_PYTHON, ROOT, Machine

DEAD_PROXY = "http://127.0.0.1:9"
NO_NETWORK = {
    "ALL_PROXY": DEAD_PROXY,
    "HTTPS_PROXY": DEAD_PROXY,
    "https_proxy": DEAD_PROXY,
    "NO_PROXY": "",
    "no_proxy": "",
    "PIP_CONFIG_FILE": "/dev/null",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_INDEX_URL": "https://index.invalid/simple",
    "PIP_NO_CACHE_DIR": "1",
    "PIP_RETRIES": "1",
    "UV_DEFAULT_INDEX": "https://index.invalid/simple",
    "UV_HTTP_RETRIES": "0",
}
PYTHON_3_9 = f"""exec "{BASE_PYTHON}" -c 'import sys
sys.version_info = (3, 9, 2, "final", 0)
exec(sys.argv[2])' "$@\""""


def assert_refused(
    done: subprocess.CompletedProcess[str], code: int, machine: Machine, *words: str
) -> None:
    """Refused with `code` and a paragraph that holds `words`; no command was installed."""
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, last.partition(" ")[0]) == (code, "error:"), done.stderr
    assert [word for word in words if word not in last] == []
    assert not machine.tool.exists()
    assert not (machine.bin / "handrail").exists()


def test_a_python_that_is_too_old(machine: Machine) -> None:
    machine.add_command("python3", PYTHON_3_9)

    done = machine.install()

    assert_refused(done, 20, machine, "Python 3.11 or later", "python3 is 3.9", "HANDRAIL_PYTHON")


def test_no_python_at_all(machine: Machine) -> None:
    machine.remove_command("python3")

    assert_refused(machine.install(), 20, machine, "found none that runs")


def test_a_named_python_that_does_not_run_is_not_replaced_by_another(machine: Machine) -> None:
    done = machine.install(HANDRAIL_PYTHON="python3.13")

    assert_refused(done, 20, machine, "HANDRAIL_PYTHON is python3.13")


def test_no_git(machine: Machine) -> None:
    machine.remove_command("git")

    assert_refused(machine.install(), 21, machine, "git was not found")


def test_the_continuous_integration_runs_the_checks_of_the_same_script(machine: Machine) -> None:
    machine.remove_command("git")

    assert_refused(machine.run(ROOT / ".ci" / "run"), 21, machine, "git was not found")


def test_a_home_that_cannot_be_written_to(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    done = machine.install(HOME=str(tmp_path / "file" / "home"))

    assert_refused(done, 22, machine, f"{tmp_path}/file/home/.local", "UV_TOOL_DIR")


def test_a_folder_for_commands_that_cannot_be_written_to(machine: Machine) -> None:
    done = machine.install(UV_TOOL_BIN_DIR="/proc/nothing")

    assert_refused(done, 22, machine, "/proc/nothing", "UV_TOOL_BIN_DIR")


def test_no_network_for_the_packages(machine: Machine, tmp_path: Path) -> None:
    done = machine.install(UV_CACHE_DIR=str(tmp_path / "empty"), **NO_NETWORK)

    assert_refused(done, 23, machine, "could not be reached", "HTTPS_PROXY")


def test_no_network_for_uv(machine: Machine) -> None:
    machine.remove_command("uv")

    assert_refused(
        machine.install(**NO_NETWORK), 23, machine, "fetching uv", "could not be reached"
    )


def test_no_uv_and_no_pip(machine: Machine, tmp_path: Path) -> None:
    machine.remove_command("uv")
    for module in ("pip", "venv"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit('missing')", encoding="utf-8")

    done = machine.install(PYTHONPATH=str(tmp_path))

    assert_refused(done, 24, machine, "no pip", "python3-pip")


@pytest.mark.parametrize("name", ["agent", "handrail"])
def test_a_program_of_that_name_in_the_folder_of_commands_is_kept(
    machine: Machine, name: str
) -> None:
    machine.bin.mkdir(parents=True)
    other = machine.bin / name
    other.write_text("another", encoding="utf-8")

    done = machine.install()

    assert done.returncode == 25
    assert f"error: {other} is another program" in done.stderr
    assert other.read_text(encoding="utf-8") == "another"
    assert not machine.tool.exists()


@pytest.mark.parametrize("args", [("--nonsense",), ("--demo", "--check")])
def test_a_wrong_option_shows_the_usage(machine: Machine, args: tuple[str, ...]) -> None:
    done = machine.install(*args)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: ./install.sh")


def test_help_lists_options_and_exit_codes(machine: Machine) -> None:
    done = machine.install("--help")

    assert (done.returncode, done.stderr) == (0, "")
    assert [code for code in range(20, 26) if f" {code}  " not in done.stdout] == []
