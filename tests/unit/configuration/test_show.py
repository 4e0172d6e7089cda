"""The settings as the person and programs see them."""

import json
from pathlib import Path

from handrail.configuration.load import load_configuration
from handrail.configuration.show import as_json, as_lines
from handrail.places import Places


def test_every_value_stands_with_its_origin(tmp_path: Path) -> None:
    places = Places(home=tmp_path, config=tmp_path)
    environ = {"HANDRAIL_SHELL_ENV": "CI"}
    loaded = load_configuration(places, tmp_path, environ, {"model.name": "openai:x"})
    assert list(as_lines(loaded)) == [
        'model.name = "openai:x"  (--model)',
        "model.base_url = not set  (built in)",
        "model.context_window = not set  (built in)",
        "model.max_output_tokens = not set  (built in)",
        "context.summarize_at = 0.85  (built in)",
        "context.keep = 0.1  (built in)",
        "context.offload_chars = 80000  (built in)",
        "shell.timeout_s = 120  (built in)",
        'shell.env = ["CI"]  (HANDRAIL_SHELL_ENV)',
    ]
    shown = json.loads(as_json(loaded))
    assert shown["model.name"] == {"value": "openai:x", "origin": "--model"}
    assert shown["model.base_url"] == {"value": None, "origin": "built in"}
