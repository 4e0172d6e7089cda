"""The prompts are found in a wheel, in a checkout and in an sdist, and read as they are now."""

from pathlib import Path

import pytest

from handrail.errors import HandrailError
from handrail.prompt_files import prompts_folder, read_prompt

ROOT = Path(__file__).parents[2]


def make_package(parent: Path) -> Path:
    package = parent / "handrail"
    (package / "prompts").mkdir(parents=True)
    (package / "prompts" / "system.md").write_text("packaged", encoding="utf-8")
    return package


def test_the_running_package_reads_the_prompts_of_this_checkout() -> None:
    assert prompts_folder() == ROOT / "prompts"


def test_an_installed_package_brings_its_prompts(tmp_path: Path) -> None:
    package = make_package(tmp_path / "site-packages")

    assert prompts_folder(package) == package / "prompts"


def test_a_copy_inside_the_package_does_not_win_in_a_checkout(tmp_path: Path) -> None:
    package = make_package(tmp_path / "cli")
    (tmp_path / "backends" / "handrail_backends").mkdir(parents=True)
    (tmp_path / "prompts").mkdir()

    assert prompts_folder(package) == tmp_path / "prompts"


def test_prompts_of_another_project_around_an_installed_package_are_not_taken(
    tmp_path: Path,
) -> None:
    package = make_package(tmp_path / "cli")
    (tmp_path / "prompts").mkdir()
    (tmp_path / "backends").mkdir()
    (tmp_path / "pyproject.toml").touch()

    assert prompts_folder(package) == package / "prompts"


def test_white_space_around_a_prompt_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "system.md").write_text("\n\n Be brief.\n\nAnd true. \n", encoding="utf-8")

    assert read_prompt("system", folder=tmp_path) == "Be brief.\n\nAnd true."


def test_a_name_may_hold_a_slash(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "execute.md").write_text(
        "Runs a command: 1 \u2264 2.\n", encoding="utf-8"
    )

    assert read_prompt("tools/execute", folder=tmp_path) == "Runs a command: 1 \u2264 2."


def test_an_edited_prompt_counts_at_the_next_reading(tmp_path: Path) -> None:
    prompt = tmp_path / "system.md"
    prompt.write_text("before", encoding="utf-8")
    read_prompt("system", folder=tmp_path)
    prompt.write_text("after", encoding="utf-8")

    assert read_prompt("system", folder=tmp_path) == "after"


def test_every_prompt_of_the_checkout_can_be_read_and_says_something() -> None:
    folder = prompts_folder()
    names = [path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md")]

    assert "system" in names
    assert [name for name in names if not read_prompt(name)] == []


def test_a_missing_prompt_is_named_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(HandrailError) as caught:
        read_prompt("tools/none", folder=tmp_path)

    assert caught.value.paragraph == (
        f"The prompt {tmp_path}/tools/none.md cannot be read: No such file or directory. "
        "Install Handrail again, or restore the file from its repository."
    )


def test_a_prompt_that_is_not_text_is_named_in_the_error(tmp_path: Path) -> None:
    (tmp_path / "system.md").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(HandrailError, match=r"system\.md cannot be read: it is not UTF-8\."):
        read_prompt("system", folder=tmp_path)
