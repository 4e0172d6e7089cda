"""The examples in the documentation of the scripted model."""

import re
from pathlib import Path

import pytest

from handrail.engine.script_format import Script
from handrail.engine.script_reader import load_script

DOCUMENT = Path(__file__).parents[2] / "docs" / "scripted-model.md"
EXAMPLES = re.findall(
    r"^```yaml\n(.*?)^```$", DOCUMENT.read_text("utf-8"), re.MULTILINE | re.DOTALL
)


def test_the_document_has_examples() -> None:
    assert len(EXAMPLES) == 4


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_a_script(tmp_path: Path, example: str) -> None:
    file = tmp_path / "example.yaml"
    file.write_text(example, encoding="utf-8")
    assert isinstance(load_script(file, {"project": "/project"}), Script)
