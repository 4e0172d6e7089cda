"""What is remembered across sessions: one shelf for the user and one for the project."""

from deepagents.backends import CompositeBackend
from langgraph.store.base import BaseStore
from typing_extensions import override

from handrail_backends.names import printable
from handrail_backends.outside import Nowhere
from handrail_backends.shelf import Shelf
from handrail_backends.table import Table

USER = "user"
PROJECT = "project"


def memory_mount(
    mount: str, *, user_store: BaseStore, project_store: BaseStore
) -> CompositeBackend:
    """Namespaces are fixed: whoever opens the same databases finds the same files."""
    shelves = {USER: user_store, PROJECT: project_store}
    return Table(
        Signpost(mount),
        {
            f"/{name}/": Shelf(store, ("memories", name), mount=f"{mount}/{name}")
            for name, store in shelves.items()
        },
    )


class Signpost(Nowhere):
    """Stands at the mount itself, where no file can be."""

    def __init__(self, mount: str) -> None:
        self._mount = mount

    @override
    def refusal(self, path: str) -> str:
        mount = self._mount
        return (
            f"{mount}{printable(path.rstrip('/'))} can hold no file. Files lie in {mount}/{USER}/"
            f" (true of this user everywhere) and {mount}/{PROJECT}/ (true of this project)."
        )
