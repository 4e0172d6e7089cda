"""The settings as the person and programs see them."""

import json
from pathlib import Path

from handrail.configuration.keys import KEYS
from handrail.configuration.load import load_configuration
from handrail.configuration.show import as_json, as_lines
from handrail.places import Places


def test_every_value_stands_with_its_origin(tmp_path: Path) -> None:
    places = Places(home=tmp_path, config=tmp_path)
    environ = {"HANDRAIL_SHELL_ENV": "CI"}
    loaded = load_configuration(places, tmp_path, environ, {"model.name": "openai:x"})
    lines = list(as_lines(loaded))
    assert len(lines) == len(KEYS)
    for expected in (
        'model.name = "openai:x"  (--model)',
        "model.base_url = not set  (built in)",
        "context.keep = 0.1  (built in)",
        'shell.env = ["CI"]  (HANDRAIL_SHELL_ENV)',
    ):
        assert expected in lines
    shown = json.loads(as_json(loaded))
    assert shown["model.name"] == {"value": "openai:x", "origin": "--model"}
    assert shown["model.base_url"] == {"value": None, "origin": "built in"}
