"""What the command line and the files at the start lead to on the screen."""

from pathlib import Path

import pytest

from handrail.places import Places
from tests.support.workplace import Workplace

SCRIPT = """\
script: 1
turns:
  - rounds: [{say: Heard once.}]
  - rounds: [{say: Heard twice.}]
"""


@pytest.fixture
def scripted(tmp_path: Path) -> str:
    """The model."""
    script = tmp_path / "script.yaml"
    script.write_text(SCRIPT)
    return f"script:{script}"


def test_words_of_the_command_line_are_sent_first_and_a_session_goes_on_with_its_model(
    workplace: Workplace, scripted: str
) -> None:
    with workplace.open("fix", "--model", scripted, "it") as terminal:
        terminal.wait_for("> fix it")
        terminal.wait_for("Heard once.")
        assert terminal.leave() == 0
    with workplace.open("-c", "go", "on") as terminal:
        terminal.wait_for("Heard once.")
        terminal.wait_for("> go on")
        terminal.wait_for("Heard twice.")
        assert terminal.leave() == 0


def test_what_a_project_must_not_set_is_told_above_the_prompt(
    workplace: Workplace, scripted: str
) -> None:
    (workplace.repo.root / ".handrail").mkdir()
    (workplace.repo.root / ".handrail" / "config.toml").write_text("shell.env = ['SECRET']")
    with workplace.open("--model", scripted) as terminal:
        terminal.wait_for("shell.env in the project's .handrail/config.toml was ignored")
        assert terminal.leave() == 0


def test_unreadable_databases_are_kept_aside_and_the_session_works(
    workplace: Workplace, scripted: str
) -> None:
    places = Places(home=workplace.home.data, config=workplace.home.data)
    places.make_project(workplace.repo.root)
    databases = [
        places.user_db,
        places.user_memory_db,
        places.project_db(workplace.repo.root),
        places.threads_db(workplace.repo.root),
    ]
    for database in databases:
        database.write_bytes(b"no database " * 1000)
    with workplace.open("--model", scripted, "hello", size=(40, 100)) as terminal:
        terminal.wait_for("Heard once.")
        said = " ".join(terminal.text().split())
        assert said.count("cannot be read. It was kept as") == len(databases)
        assert terminal.leave() == 0
    kept = [*workplace.home.data.rglob("*.unreadable-*.db")]
    assert sorted(file.read_bytes() for file in kept) == [b"no database " * 1000] * len(databases)
