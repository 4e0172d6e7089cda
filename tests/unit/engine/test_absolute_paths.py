"""One meaning of a path in every tool."""

from pathlib import Path

import pytest
from langchain_core.messages import ToolCall

from handrail.engine.absolute_paths import AbsolutePaths


@pytest.mark.parametrize(
    ("tool", "args", "expected"),
    [
        ("read_file", {"file_path": "a.py"}, {"file_path": "/p/a.py"}),
        ("read_file", {"file_path": "./x/../a.py"}, {"file_path": "/p/a.py"}),
        ("write_file", {"file_path": "/scratch/n"}, {"file_path": "/scratch/n"}),
        ("write_file", {"file_path": "/scratch/../etc/x"}, {"file_path": "/etc/x"}),
        ("edit_file", {"file_path": "//etc/x"}, {"file_path": "/etc/x"}),
        ("delete", {"file_path": "../up"}, {"file_path": "/up"}),
        ("ls", {"path": "."}, {"path": "/p"}),
        ("grep", {"pattern": "x"}, {"pattern": "x", "path": "/p"}),
        ("grep", {"pattern": "x", "path": None}, {"pattern": "x", "path": "/p"}),
        ("glob", {"pattern": "*.py"}, {"pattern": "*.py", "path": "/p"}),
        ("glob", {"pattern": "/p/*.py"}, {"pattern": "/p/*.py"}),
        ("execute", {"command": "cat a.py"}, {"command": "cat a.py"}),
        ("read_file", {"file_path": "[...slug].tsx"}, {"file_path": "/p/[...slug].tsx"}),
        ("read_file", {"file_path": "a..b"}, {"file_path": "/p/a..b"}),
        ("read_file", {"file_path": 7}, {"file_path": 7}),
    ],
)
def test_a_path_is_absolute_and_normal(
    tool: str, args: dict[str, object], expected: dict[str, object]
) -> None:
    call = ToolCall(name=tool, args=args, id="1", type="tool_call")
    assert AbsolutePaths(Path("/p")).rewritten(call)["args"] == expected
