"""The texts sent to a model: where the folder of prompts lies, and one prompt read from it."""

from pathlib import Path

from handrail.errors import HandrailError

_PACKAGE = Path(__file__).resolve().parent


def prompts_folder(package: Path = _PACKAGE) -> Path:
    """The checkout's `prompts/` when `package` lies in a checkout or an sdist, else its own.

    The checkout comes first, so that an edited prompt counts at once and a copy left inside the
    package never does.
    """
    root = package.parent.parent
    if package == root / "cli" / "handrail" and (root / "backends" / "handrail_backends").is_dir():
        return root / "prompts"
    return package / "prompts"


def read_prompt(name: str, *, folder: Path | None = None) -> str:
    """The text of `NAME.md`, stripped; `name` may hold a slash (`tools/execute`).

    Raises HandrailError when it cannot be read.
    """
    path = (folder or prompts_folder()) / f"{name}.md"
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise HandrailError(
            f"The prompt {path} cannot be read: {reason}.",
            hint="Install Handrail again, or restore the file from its repository.",
        ) from error
