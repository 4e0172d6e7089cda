"""Where the program was started: the project, the places of its data, the settings that hold."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from handrail.configuration.load import Configuration, load_configuration
from handrail.places import Places, find_places
from handrail.project import find_project

Flags = Mapping[str, str | None]
"""Settings from the command line by key, None for those that were not given."""


@dataclass(frozen=True, slots=True)
class Ground:
    places: Places
    project: Path

    def configuration(self, flags: Flags) -> Configuration:
        return load_configuration(self.places, self.project, os.environ, flags)


def find_ground() -> Ground:
    return Ground(find_places(os.environ), find_project())
