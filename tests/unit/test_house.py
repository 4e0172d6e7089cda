"""The rules of the source tree that no linter knows: sizes, names, first sentences, imports."""

import ast
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import handrail

ROOT = Path(__file__).parents[2]
SOURCE_ROOTS = ("cli", "backends", "tests", "bench", "scripts")
IMPORT_QUIETLY = ROOT / "tests" / "support" / "import_quietly.py"
SAMPLE_PROJECT = ROOT / "cli" / "handrail" / "demo" / "project"

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}
HEAVY = {
    "deepagents",
    "langchain",
    "langchain_core",
    "langgraph",
    "openai",
    "anthropic",
    "pydantic",
}


@cache
def source_files() -> tuple[Path, ...]:
    found = (path for root in SOURCE_ROOTS for path in (ROOT / root).rglob("*.py"))
    return tuple(sorted(path for path in found if not path.is_relative_to(SAMPLE_PROJECT)))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def functions() -> Iterator[tuple[str, int]]:
    for path in source_files():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", length


def shown(paths: Iterator[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_no_file_is_longer_than_500_lines_and_half_are_at_most_120() -> None:
    lengths = [line_count(path) for path in source_files()]

    assert shown(path for path in source_files() if line_count(path) > 500) == []
    assert statistics.median(lengths) <= 120


def test_no_function_is_longer_than_60_lines_and_nine_of_ten_are_at_most_30() -> None:
    lengths = [length for _, length in functions()]

    assert [function for function in functions() if function[1] > 60] == []
    assert statistics.quantiles(lengths, n=10)[8] <= 30


def test_the_entry_the_loop_and_the_key_bindings_stay_below_200_lines() -> None:
    package = ROOT / "cli" / "handrail"
    watched = re.compile(r"\b(KeyBindings|Application)(\[.*\])?\(")
    loops = (
        path
        for path in (package / "repl").rglob("*.py")
        if path.stem == "loop" or watched.search(path.read_text(encoding="utf-8"))
    )
    kept_small = [package / "main.py", *loops]

    assert len(kept_small) > 1
    assert shown(path for path in kept_small if line_count(path) > 200) == []


def test_every_module_starts_with_one_sentence_that_says_what_it_owns() -> None:
    def has_first_sentence(path: Path) -> bool:
        first_paragraph = (ast.get_docstring(tree(path)) or "").partition("\n\n")[0]
        return re.fullmatch(r"\S.+[.:]", first_paragraph, re.DOTALL) is not None

    assert shown(path for path in source_files() if not has_first_sentence(path)) == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert shown(p for p in source_files() if FORBIDDEN_NAMES & set(p.stem.split("_"))) == []


def test_the_version_is_the_newest_of_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)

    assert versions[0] == handrail.__version__


def start_up_modules() -> list[str]:
    """Everything that may be imported before the first prompt: the engine comes behind it."""
    package = ROOT / "cli" / "handrail"
    later = {package / "engine", package / "demo" / "project"}
    names: list[str] = []
    for path in sorted(package.rglob("*.py")):
        if path.name == "__main__.py" or later & set(path.parents):
            continue
        parts = path.relative_to(package.parent).with_suffix("").parts
        names.append(".".join(parts).removesuffix(".__init__"))
    return names


def test_importing_the_start_up_modules_does_nothing_and_loads_nothing_heavy(
    tmp_path: Path,
) -> None:
    modules = start_up_modules()
    assert {"handrail.main", "handrail.settings", "handrail.repl"} <= set(modules)

    done = subprocess.run(
        [sys.executable, "-I", "-B", IMPORT_QUIETLY, *modules],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": os.defpath, "HEAVY": " ".join(HEAVY)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.stdout, done.stderr, done.returncode) == ("heavy:\n", "", 0)
    assert list(tmp_path.iterdir()) == []
