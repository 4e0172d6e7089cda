"""Puts the layers together: built in < user < project < environment < flags."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TypeVar

from handrail.configuration.keys import KEYS
from handrail.configuration.kinds import Value
from handrail.configuration.layers import (
    Changes,
    conflict,
    environment_changes,
    flag_changes,
    project_changes,
    user_changes,
)
from handrail.errors import SettingsError
from handrail.places import Places
from handrail.settings import (
    ContextSettings,
    KeySettings,
    ModelSettings,
    Settings,
    ShellSettings,
    provider_of,
)

BUILT_IN = "built in"

_CLASHING = ("context.keep", "context.summarize_at")
_OF_THE_PROVIDER = (
    "model.base_url",
    "model.api",
    "model.context_window",
    "model.max_output_tokens",
)

S = TypeVar("S", ModelSettings, ContextSettings, ShellSettings, KeySettings)


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings, by key where each came from, and what the person should be told."""

    settings: Settings
    origins: Mapping[str, str]
    notices: tuple[str, ...]

    def values(self) -> dict[str, Value]:
        return _values(self.settings)


def load_configuration(
    places: Places,
    project: Path,
    environ: Mapping[str, str],
    flags: Mapping[str, str | None],
) -> Configuration:
    """Raises `SettingsError`, or `UsageError` for a flag. A project's file stops no start."""
    merged = _Merged()
    merged.apply(user_changes(places.settings_file))
    merged.check()
    tightened, ignored = project_changes(project, merged.values)
    merged.apply(tightened)
    from_environment, misspelt = environment_changes(environ)
    merged.apply(from_environment)
    merged.apply(flag_changes(flags))
    merged.check()
    notices = (*ignored, *misspelt, *merged.notices)
    return Configuration(_settings(merged.values), merged.origins, notices)


class _Merged:
    """The values of the layers so far."""

    def __init__(self) -> None:
        self.values = _values(Settings())
        self.origins = dict.fromkeys(self.values, BUILT_IN)
        self.notices: list[str] = []
        self._layers = dict.fromkeys(self.values, 0)
        self._layer = 0

    def apply(self, changes: Changes) -> None:
        self._layer += 1
        if "model.name" in changes:
            self._leave_the_other_provider(*changes["model.name"])
        for name, (value, origin) in changes.items():
            self._set(name, value, origin)

    def check(self) -> None:
        if clash := conflict(self.values):
            where = " and ".join(f"{n} is {self.values[n]} ({self.origins[n]})" for n in _CLASHING)
            raise SettingsError(f"Two settings do not go together: {clash}, but {where}.")

    def _leave_the_other_provider(self, model: Value, origin: str) -> None:
        """The address chosen for one provider must not get the messages and key for another."""
        before = self.values["model.name"]
        if before is None or provider_of(str(before)) == provider_of(str(model)):
            return
        for name in _OF_THE_PROVIDER:
            chosen_with_it = self._layers[name] <= self._layers["model.name"]
            if self.values[name] is not None and chosen_with_it:
                self.notices.append(
                    f"{name} from {self.origins[name]} was left out, because {origin} chooses"
                    f" another provider than {before}."
                )
                self._set(name, None, BUILT_IN)

    def _set(self, name: str, value: Value, origin: str) -> None:
        self.values[name] = value
        self.origins[name] = origin
        self._layers[name] = self._layer


def _values(settings: Settings) -> dict[str, Value]:
    sections = {f.name: getattr(settings, f.name) for f in fields(settings)}
    return {
        key.name: getattr(sections[section], name)
        for key in KEYS
        for section, _, name in (key.name.partition("."),)
    }


def _settings(values: Mapping[str, Value]) -> Settings:
    return Settings(
        model=_filled(ModelSettings(), "model", values),
        context=_filled(ContextSettings(), "context", values),
        shell=_filled(ShellSettings(), "shell", values),
        keys=_filled(KeySettings(), "keys", values),
    )


def _filled(section: S, prefix: str, values: Mapping[str, Value]) -> S:
    return replace(section, **{f.name: values[f"{prefix}.{f.name}"] for f in fields(section)})
