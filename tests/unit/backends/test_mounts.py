"""The mount table under a real agent."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from deepagents import create_deep_agent  # pyright: ignore[reportUnknownVariableType]  # as the library types it
from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import Runnable
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from handrail_backends.host_shell import HostShell
from handrail_backends.mounts import MountError, build_mounts, mount_names
from tests.support.fake_model import FakeModel, calling

Graph = Runnable[dict[str, Any], dict[str, Any]]


@dataclass
class Bed:
    """A project, a session's artifacts and an agent over the mount table."""

    project: Path
    artifacts: Path
    told: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    files: dict[str, Any] = field(default_factory=dict[str, Any])

    async def run(self, *calls: tuple[str, dict[str, object]]) -> list[str]:
        """What the model is answered to each call, one call a message."""
        ids = [str(args.pop("id", f"call_{number}")) for number, (_, args) in enumerate(calls)]
        replies = [
            calling(name, call_id, **args) for (name, args), call_id in zip(calls, ids, strict=True)
        ]
        names = mount_names(self.project)
        backend = build_mounts(
            project=self.project,
            artifacts=self.artifacts,
            user_store=InMemoryStore(),
            project_store=InMemoryStore(),
            shell=HostShell(self.project, mounts=names, timeout_s=30),
            on_artifact=lambda path, size: self.told.append((path, size)),
        )
        agent = cast(
            "Graph",
            create_deep_agent(
                FakeModel(replies=replies), backend=backend, checkpointer=InMemorySaver()
            ),
        )
        state = await agent.ainvoke(
            {"messages": [HumanMessage("go", id="1")]}, {"configurable": {"thread_id": "1"}}
        )
        self.files = state.get("files", {})
        messages: list[BaseMessage] = state["messages"]
        return [str(each.text) for each in messages if isinstance(each, ToolMessage)]


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    root = tmp_path.resolve()
    (root / "project" / "src").mkdir(parents=True)
    (root / "project" / "src" / "a.py").write_bytes(b"x = 1\r\nneedle\r\n")
    return Bed(root / "project", root / "artifacts")


async def test_a_path_means_the_same_for_every_tool_and_command(bed: Bed) -> None:
    path = f"{bed.project}/src/a.py"
    assert await bed.run(
        ("ls", {"path": f"{bed.project}/src"}),
        ("glob", {"pattern": "**/*.py"}),
        ("grep", {"pattern": "needle"}),
        ("read_file", {"file_path": path}),
        ("edit_file", {"file_path": path, "old_string": "x = 1\n", "new_string": "x = 2\n"}),
        ("execute", {"command": f"pwd; cat {path}"}),
    ) == [
        f"['{path}']",
        f"['{path}']",
        path,
        "@@ lines 1-2 of 2 @@\nx = 1\nneedle",
        f"Successfully replaced 1 instance(s) of the string in '{path}'",
        f"{bed.project}\nx = 2\r\nneedle\r\n\n[Command succeeded with exit code 0]",
    ]
    assert (bed.project / "src" / "a.py").read_bytes() == b"x = 2\r\nneedle\r\n"


async def test_the_mounts_are_listed_at_the_root_and_below_scratch(bed: Bed) -> None:
    assert await bed.run(
        ("write_file", {"file_path": "/scratch/n.md", "content": "mine"}),
        ("ls", {"path": "/"}),
        ("ls", {"path": "/scratch"}),
        ("ls", {"path": "/memories"}),
        ("ls", {"path": "/scratch/tasks"}),
    ) == [
        "Updated file /scratch/n.md",
        str(sorted(["/memories/", "/scratch/", f"{bed.project}/"])),
        "['/scratch/conversation_history/', '/scratch/large_tool_results/', '/scratch/n.md',"
        " '/scratch/tasks/']",
        "['/memories/project/', '/memories/user/']",
        "No files found",
    ]
    assert list(bed.files) == ["/n.md"]
    assert not bed.artifacts.exists()


async def test_a_long_result_goes_to_disk_is_told_and_can_be_read_back(bed: Bed) -> None:
    answers = await bed.run(
        ("execute", {"command": "seq 1 40000", "id": "same"}),
        ("execute", {"command": "seq 2 40001", "id": "same"}),
        ("read_file", {"file_path": "/scratch/large_tool_results/same", "offset": 39_999}),
        ("read_file", {"file_path": "/scratch/large_tool_results/same-2", "offset": 39_999}),
        ("grep", {"pattern": "40001", "path": "/scratch"}),
    )
    first, second = "/scratch/large_tool_results/same", "/scratch/large_tool_results/same-2"
    assert f"at this path: {first}\n" in answers[0]
    assert f"at this path: {second}\n" in answers[1]
    assert answers[2].splitlines()[1] == "40000"
    assert answers[3].splitlines()[1] == "40001"
    assert answers[4] == second
    assert [path for path, _ in bed.told] == [first, second]
    kept = bed.artifacts / "large_tool_results"
    assert [size for _, size in bed.told] == [(kept / p).stat().st_size for p in ("same", "same-2")]
    assert bed.files == {}


async def test_what_lies_outside_is_refused_and_the_run_goes_on(bed: Bed) -> None:
    mounts = f"{bed.project}, /memories, /scratch"
    outside = "is outside what the file tools reach:"
    assert await bed.run(
        ("read_file", {"file_path": "/etc/passwd"}),
        ("write_file", {"file_path": "/src/b.py", "content": ""}),
        ("write_file", {"file_path": f"{bed.project}{bed.project}/b.py", "content": ""}),
        ("read_file", {"file_path": f"{bed.project}/a\0b"}),
        ("delete", {"file_path": str(bed.project)}),
        ("delete", {"file_path": "/scratch"}),
        ("write_file", {"file_path": f"{bed.project}/report..final.md", "content": ""}),
    ) == [
        f"Error: /etc/passwd {outside} {mounts}.",
        f"Not written: /src/b.py {outside} {mounts}. Did you mean {bed.project}/src/b.py?",
        f"Not written: {bed.project}{bed.project}/b.py names {bed.project} twice;"
        f" the path is {bed.project}/b.py.",
        f"Error: {bed.project}/a\\x00b holds a NUL character.",
        f"Not deleted: {bed.project} is the folder all of this lies in.",
        "Not deleted: /scratch itself stays.",
        f"Updated file {bed.project}/report..final.md",
    ]


async def test_scratch_files_follow_the_rules_of_files(bed: Bed) -> None:
    path = "/scratch/n.md"
    assert await bed.run(
        ("read_file", {"file_path": path}),
        ("edit_file", {"file_path": path, "old_string": "a", "new_string": "b"}),
        ("write_file", {"file_path": path, "content": "one\r\ntwo\r\n"}),
        ("edit_file", {"file_path": path, "old_string": "one\ntwo\n", "new_string": "one\n2\n"}),
        ("write_file", {"file_path": path, "content": "\ud83d"}),
        ("delete", {"file_path": path}),
    ) == [
        f"Error: {path} is not there.",
        f"Not edited: {path}. It is not there.",
        f"Updated file {path}",
        f"Successfully replaced 1 instance(s) of the string in '{path}'",
        f"Not written: {path}. The new text holds half of a surrogate pair,"
        " which no file can hold; leave it out.",
        f"Deleted {path}",
    ]


async def test_memory_is_a_mount_as_well(bed: Bed) -> None:
    assert await bed.run(
        ("write_file", {"file_path": "/memories/user/p.md", "content": "tabs"}),
        ("grep", {"pattern": "tabs"}),
        ("glob", {"pattern": "*.md", "path": "/memories"}),
        ("read_file", {"file_path": "/memories/user/p.md"}),
    ) == [
        "Updated file /memories/user/p.md",
        "/memories/user/p.md",
        "['/memories/user/p.md']",
        "@@ lines 1-1 of 1 @@\ntabs",
    ]


def build_at(project: Path, tmp_path: Path) -> None:
    build_mounts(
        project=project,
        artifacts=tmp_path,
        user_store=InMemoryStore(),
        project_store=InMemoryStore(),
        shell=HostShell(project, mounts=(), timeout_s=1),
        on_artifact=lambda _path, _size: None,
    )


@pytest.mark.parametrize("place", ["/", "/memories", "/memories/me", "/scratch/x", "/skills"])
def test_a_project_where_a_mount_is_cannot_be_mounted(place: str, tmp_path: Path) -> None:
    with pytest.raises(MountError, match=place):
        build_at(Path(place), tmp_path)


@pytest.mark.parametrize("name", ["back\\slash", "caf\udce9"])
def test_a_project_that_tools_cannot_name_cannot_be_mounted(name: str, tmp_path: Path) -> None:
    with pytest.raises(MountError, match="cannot name"):
        build_at(tmp_path / name, tmp_path)


def test_a_project_given_by_a_link_is_mounted_at_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to("real")
    assert mount_names(tmp_path / "alias") == (
        str(tmp_path.resolve() / "real"),
        "/memories",
        "/scratch",
    )
