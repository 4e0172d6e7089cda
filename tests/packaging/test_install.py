"""install.sh on a machine that has what it needs: install, update, remove, and what it says."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import handrail
from tests.packaging.machine import BASE_PYTHON, ROOT, Machine

pytestmark = pytest.mark.timeout(300)

Done = subprocess.CompletedProcess[str]

PRETEND_SYSTEM_PYTHON = """
import sysconfig
real = sysconfig.get_path
sysconfig.get_path = lambda name, *a, **k: {folder!r} if name == "stdlib" else real(name, *a, **k)
"""

UV_WITHOUT_THE_SYSTEMS_AUTHORITIES = """
case "$*:${UV_SYSTEM_CERTS:-}" in
    *--help:) ;;
    "tool install"*:) echo "invalid peer certificate: UnknownIssuer" >&2; exit 2 ;;
esac
"""


@pytest.fixture(scope="module")
def installed(new_machine: Callable[[], Machine]) -> tuple[Machine, Done]:
    machine = new_machine()
    return machine, machine.install("--demo")


def test_demo_installs_and_ends_with_the_report_of_the_sample_tests(
    installed: tuple[Machine, Done],
) -> None:
    machine, done = installed

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.fullmatch(r"sample tests: [1-9]\d* passed, 0 failed", done.stdout.splitlines()[-1])
    for command in ("agent", "handrail"):
        shown = machine.run(machine.bin / command, "--version")
        assert handrail.__version__ in shown.stdout.split()


def test_it_says_what_went_where_and_with_which_python(installed: tuple[Machine, Done]) -> None:
    machine, done = installed

    for place in (machine.bin / "agent", machine.bin / "handrail", machine.tool):
        assert str(place) in done.stdout
    assert f"Python {sys.version_info[0]}.{sys.version_info[1]} ({BASE_PYTHON})" in done.stdout


def test_a_folder_missing_on_the_path_is_named_with_the_line_to_add(
    installed: tuple[Machine, Done],
) -> None:
    machine, done = installed

    assert f'export PATH="{machine.bin}:$PATH"' in [
        line.strip() for line in done.stderr.splitlines()
    ]
    assert f"Add this line to {machine.home}/.bashrc" in done.stderr


def test_the_installed_versions_are_those_of_the_lock(installed: tuple[Machine, Done]) -> None:
    machine, _ = installed
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    locked = {f"{package['name']}=={package.get('version')}" for package in lock["package"]}

    shown = machine.run(
        machine.commands / "uv", "pip", "list", "--format=freeze", f"--python={machine.tool}"
    )
    versions = {line for line in shown.stdout.splitlines() if not line.startswith("handrail==")}

    assert "deepagents" in {line.partition("==")[0] for line in versions}
    assert versions - locked == set()


def test_installing_again_updates_and_is_silent_about_a_path_that_is_right(
    installed: tuple[Machine, Done],
) -> None:
    machine, _ = installed
    (machine.bin / "handrail").unlink()

    done = machine.install(PATH=f"{machine.bin}:{machine.commands}")

    assert (done.returncode, done.stderr) == (0, "")
    assert handrail.__version__ in machine.run(machine.bin / "handrail", "--version").stdout


def test_certificates_that_only_the_system_knows_are_tried_too(
    installed: tuple[Machine, Done],
) -> None:
    machine, _ = installed
    real = (machine.commands / "uv").read_text(encoding="utf-8").splitlines()[-1]
    machine.add_command("uv", UV_WITHOUT_THE_SYSTEMS_AUTHORITIES + real)

    done = machine.install()
    machine.add_command("uv", real)

    assert done.returncode == 0, done.stderr


def test_another_agent_that_comes_first_is_named(installed: tuple[Machine, Done]) -> None:
    machine, _ = installed
    other = machine.add_command("agent", "echo I am another")

    done = machine.install(PATH=f"{machine.commands}:{machine.bin}")

    assert done.returncode == 0
    assert f"warning: another program named agent, {other}, comes first" in done.stderr


@pytest.fixture(scope="module")
def local_uv(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which pip fetches uv without a network: this machine's, as a wheel."""
    folder = tmp_path_factory.mktemp("wheels")
    program = Path(shutil.which("uv") or "").resolve()
    info = "uv-99.0.0.dist-info"
    with zipfile.ZipFile(folder / "uv-99.0.0-py3-none-any.whl", "w") as wheel:
        wheel.write(program, "uv-99.0.0.data/scripts/uv")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: uv\nVersion: 99.0.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return {"PIP_FIND_LINKS": str(folder), "PIP_NO_INDEX": "1"}


@pytest.fixture(scope="module")
def system_python(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which the interpreter is one that pip must not install into (PEP 668)."""
    folder = tmp_path_factory.mktemp("system")
    (folder / "EXTERNALLY-MANAGED").write_text("[externally-managed]\n", encoding="utf-8")
    script = PRETEND_SYSTEM_PYTHON.format(folder=str(folder))
    (folder / "sitecustomize.py").write_text(script, encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


@pytest.fixture(scope="module")
def installed_without_uv(
    new_machine: Callable[[], Machine], local_uv: dict[str, str], system_python: dict[str, str]
) -> tuple[Machine, Done]:
    machine = new_machine()
    machine.remove_command("uv")
    return machine, machine.install(**local_uv, **system_python)


def test_uv_is_fetched_into_a_private_folder_also_beside_a_system_python(
    installed_without_uv: tuple[Machine, Done],
    local_uv: dict[str, str],
    system_python: dict[str, str],
) -> None:
    machine, done = installed_without_uv
    pip = ("-m", "pip", "install", "--force-reinstall", "uv")
    refused = machine.run(machine.commands / "python3", *pip, **local_uv, **system_python)
    if "externally-managed-environment" not in refused.stderr:
        pytest.skip("the pip of this Python is older than PEP 668")

    assert done.returncode == 0, done.stderr
    assert f"uv was missing, so it was fetched into {machine.private_uv}" in done.stdout
    assert handrail.__version__ in machine.run(machine.bin / "agent", "--version").stdout


def test_uninstalling_keeps_the_users_data_and_says_where_it_is(
    installed_without_uv: tuple[Machine, Done],
) -> None:
    machine, _ = installed_without_uv
    kept = machine.home / "kept"
    kept.mkdir()
    (kept / "user.db").write_text("mine", encoding="utf-8")

    done = machine.install("--uninstall", HANDRAIL_HOME=str(kept))
    again = machine.install("--uninstall")

    left = {path for path in machine.home.rglob("*") if not path.is_dir()}
    assert (done.returncode, done.stderr) == (0, "")
    assert str(kept) in done.stdout.splitlines()[-1]
    assert {path for path in left if path.parent.name != "tools"} == {kept / "user.db"}
    assert (again.returncode, again.stdout) == (
        0,
        "Handrail is not installed; there is nothing to remove.\n",
    )
