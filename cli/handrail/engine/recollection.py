"""What is remembered across sessions, as the model is told it when a session opens."""

from deepagents.backends.protocol import BackendProtocol

from handrail_backends.limits import shorten
from handrail_backends.mounts import MEMORIES

_LONGEST_FILE = 4_000
_LONGEST = 12_000
"""In characters; what is left out the model can still read there."""


async def recollect(backend: BackendProtocol) -> str:
    """The texts below `/memories/`, each under its path; empty when there are none."""
    found = await backend.aglob("**/*", MEMORIES)
    paths = sorted(file["path"] for file in found.matches or [] if not file.get("is_dir"))
    if not paths:
        return ""
    parts = ["What you remember of this developer and this project:"]
    for response in await backend.adownload_files(paths):
        if response.content is not None:
            text = response.content.decode("utf-8", "replace").strip()
            parts.append(f"{response.path}:\n{shorten(text, _LONGEST_FILE)}")
    return shorten("\n\n".join(parts), _LONGEST)
