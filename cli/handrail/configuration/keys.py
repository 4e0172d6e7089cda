"""The table of settings: kind, variables, flag and what a project may do to each."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from handrail.configuration.kinds import (
    Choice,
    KeyCommand,
    Kind,
    ModelName,
    Share,
    Url,
    VariableNames,
    Whole,
)

ProjectMay = Literal["lower", "nothing"]
"""What the file of a project that nobody has looked at may do to a setting."""


@dataclass(frozen=True, slots=True)
class Key:
    name: str
    """`section.key`, as in the file."""
    kind: Kind
    project_may: ProjectMay = "nothing"
    why_not: str = ""
    """Why a project may do nothing."""
    short: str | None = None
    """A second variable for it."""
    flag: str | None = None

    @property
    def variable(self) -> str:
        return "HANDRAIL_" + self.name.replace(".", "_").upper()

    @property
    def variables(self) -> tuple[str, ...]:
        return (self.variable,) if self.short is None else (self.short, self.variable)


_CHOICE = "which model is asked is yours to choose"
_SENDS = "it decides where your messages and files are sent"
_PATIENCE = "how long a model is waited for is yours to choose"
_RUNS = "it runs a command and decides which key is used"
_MOST_TOKENS = 1_000_000_000

KEYS = (
    Key("model.name", ModelName(), why_not=_CHOICE, short="HANDRAIL_MODEL", flag="--model"),
    Key("model.base_url", Url(), why_not=_SENDS, short="HANDRAIL_BASE_URL", flag="--base-url"),
    Key(
        "model.context_window",
        Whole(1_000, _MOST_TOKENS),
        why_not=_CHOICE,
        short="HANDRAIL_CONTEXT_WINDOW",
    ),
    Key(
        "model.max_output_tokens",
        Whole(1, _MOST_TOKENS),
        why_not=_CHOICE,
        short="HANDRAIL_MAX_OUTPUT_TOKENS",
    ),
    Key("model.retries", Whole(0, 20), why_not=_PATIENCE),
    Key("model.idle_timeout_s", Whole(1, 3_600), why_not=_PATIENCE),
    Key("model.api", Choice("chat", "responses"), why_not=_CHOICE),
    Key("context.summarize_at", Share(0.1, 0.99), project_may="lower"),
    Key("context.keep", Share(0.01, 0.9), why_not="it decides what the model forgets"),
    Key("context.offload_chars", Whole(1_000, 100_000_000), project_may="lower"),
    Key("shell.timeout_s", Whole(1, 86_400), project_may="lower"),
    Key("shell.env", VariableNames(), why_not="it decides what commands may see"),
    Key("keys.anthropic_command", KeyCommand(), why_not=_RUNS),
    Key("keys.openai_command", KeyCommand(), why_not=_RUNS),
    Key("keys.google_genai_command", KeyCommand(), why_not=_RUNS),
)

BY_NAME: Mapping[str, Key] = {key.name: key for key in KEYS}


def nearest(word: str, known: Mapping[str, object]) -> str | None:
    """The known word that was probably meant."""
    found = get_close_matches(word, list(known), n=1, cutoff=0.75)
    return found[0] if found else None
