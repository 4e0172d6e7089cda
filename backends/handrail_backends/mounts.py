"""The mount table: which backend serves which path, the same for tools, commands and screen."""

from pathlib import Path

from deepagents.backends import CompositeBackend
from deepagents.backends.protocol import BackendProtocol, SandboxBackendProtocol
from langgraph.store.base import BaseStore

from handrail_backends.artifacts import ArtifactStore, OnWrite
from handrail_backends.memory import memory_mount
from handrail_backends.scratch import Scratch
from handrail_backends.table import Table
from handrail_backends.workspace import Workspace

MEMORIES = "/memories"
SCRATCH = "/scratch"
SKILLS = "/skills"

LARGE_TOOL_RESULTS = "large_tool_results"
CONVERSATION_HISTORY = "conversation_history"
TASKS = "tasks"
ARTIFACTS = (LARGE_TOOL_RESULTS, CONVERSATION_HISTORY, TASKS)
"""Folders of a session's artifacts, found below the scratch mount by the same names."""


class MountError(ValueError):
    """A project that cannot be mounted where it lies, and why: a sentence for the user."""


def mount_names(project: Path) -> tuple[str, ...]:
    return str(project.resolve()), MEMORIES, SCRATCH


def build_mounts(
    *,
    project: Path,
    artifacts: Path,
    user_store: BaseStore,
    project_store: BaseStore,
    shell: SandboxBackendProtocol,
    on_artifact: OnWrite,
) -> CompositeBackend:
    """Raises `MountError`. `on_artifact` gets path and size in bytes of what was offloaded."""
    workspace = Workspace(project)
    _check(workspace.cwd)
    memory = memory_mount(MEMORIES, user_store=user_store, project_store=project_store)
    routes: dict[str, BackendProtocol] = {
        f"{workspace.cwd}/": workspace,
        f"{MEMORIES}/": memory,
        f"{SCRATCH}/": _scratch_mount(artifacts, on_artifact),
    }
    return Table(shell, routes, artifacts_root=SCRATCH)


def _scratch_mount(artifacts: Path, on_artifact: OnWrite) -> CompositeBackend:
    """A table of its own, so that listing and searching it cover the artifacts in it."""
    stores = {
        f"/{name}/": ArtifactStore(
            artifacts / name, mount=f"{SCRATCH}/{name}", on_write=on_artifact
        )
        for name in ARTIFACTS
    }
    return Table(Scratch(SCRATCH), {**stores})


def _check(project: Path) -> None:
    path = str(project)
    if project == Path("/"):
        raise MountError(f"The project is {path}, the root of all files; start in a folder of it.")
    for mount in (MEMORIES, SCRATCH, SKILLS):
        if project.is_relative_to(mount):
            raise MountError(
                f"The project lies in {path}, but {mount} is where the agent finds something else."
                " Move the project, or start in a folder with another path."
            )
    if "\\" in path or not _is_text(path):
        raise MountError(f"The path of the project holds what tools cannot name: {path!r}.")


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
