"""What the first prompt needs of rendering comes without Rich's console."""

import subprocess
import sys

import pytest

LISTED = "import sys; print('rich' in sys.modules, 'rich.console' in sys.modules)"


def loaded_by(module: str) -> str:
    code = f"import {module}; {LISTED}"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.parametrize("module", ["handrail.render", "handrail.render.sanitise"])
def test_the_package_and_the_sanitiser_load_nothing_of_rich(module: str) -> None:
    assert loaded_by(module) == "False False"


@pytest.mark.parametrize("name", ["diff", "status_line", "theme", "words"])
def test_what_the_first_screen_needs_loads_no_console(name: str) -> None:
    assert loaded_by(f"handrail.render.{name}").endswith("False")
