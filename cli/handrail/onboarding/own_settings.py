"""Writes the default model into the person's settings file and leaves all else there as it is."""

import os
import tomllib
from collections.abc import MutableMapping
from pathlib import Path
from typing import cast

from handrail.configuration.toml_file import read_user_file
from handrail.errors import SettingsError
from handrail.whole_file import replace_file

_Table = MutableMapping[str, object]


def write_model(file: Path, model: str, base_url: str | None) -> None:
    """The folder is there already. Without `base_url` an address that stood there is removed.

    Raises `SettingsError` for a file that cannot be read or written.
    """
    read_user_file(file)
    try:
        before = file.read_bytes().decode("utf-8-sig") if file.exists() else ""
        after = _with_model(before, model, base_url)
        target = Path(os.path.realpath(file))
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        replace_file(target, after, mode)
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The model could not be written into {file}; it is unchanged.",
            hint=f'Write `name = "{model}"` into its section `[model]` yourself.',
        ) from error


def _with_model(text: str, model: str, base_url: str | None) -> str:
    import tomlkit  # noqa: PLC0415 - needed only here

    document = tomlkit.parse(text)
    whole = cast("_Table", document)
    if "model" not in whole:
        whole["model"] = tomlkit.table()
    if not isinstance(whole["model"], MutableMapping):
        raise ValueError("`model` is no section")  # noqa: TRY004 - of the file, not of a caller
    section = cast("_Table", whole["model"])
    section["name"] = model
    if base_url is not None:
        section["base_url"] = base_url
    else:
        section.pop("base_url", None)
    changed = tomlkit.dumps(document)
    if tomllib.loads(changed)["model"]["name"] != model:
        raise ValueError("not what was meant")
    return changed
