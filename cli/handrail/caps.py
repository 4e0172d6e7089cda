"""How much a run without a person may ask of the model."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caps:
    """None is no cap. Both hold for all turns of one process, its sub-agents included."""

    rounds: int | None = None
    """Model requests."""
    tokens: int | None = None
    """Input and output of all requests; the one that passes it is still answered."""
