"""What the person can set. `handrail.configuration` reads it from its layers."""

from dataclasses import dataclass, field, replace
from typing import Literal


@dataclass(frozen=True, slots=True)
class ModelSettings:
    name: str | None = None
    """`provider:model`, for example `openai:gpt-5.4`, or `script:FILE`."""
    base_url: str | None = None
    """Of a server that speaks the provider's protocol."""
    context_window: int | None = None
    """In tokens; needed for models the provider package does not know."""
    max_output_tokens: int | None = None
    retries: int = 4
    """How often a request is sent again that failed in passing."""
    idle_timeout_s: float = 120
    """When no byte comes for so long, the connection counts as lost."""
    api: Literal["chat", "responses"] | None = None
    """Which of OpenAI's two; None: responses at its own address, chat elsewhere."""


@dataclass(frozen=True, slots=True)
class ContextSettings:
    summarize_at: float = 0.85
    """The share of the window at which old messages are summarised."""
    keep: float = 0.10
    """The share of the window that stays as it is."""
    offload_chars: int = 80_000
    """Tool results longer than this go to a file."""


@dataclass(frozen=True, slots=True)
class ShellSettings:
    timeout_s: int = 120
    env: tuple[str, ...] = ()
    """Names of further variables that commands may see."""


@dataclass(frozen=True, slots=True)
class KeySettings:
    """For each provider a command that prints its key; empty: none."""

    anthropic_command: tuple[str, ...] = ()
    openai_command: tuple[str, ...] = ()
    google_genai_command: tuple[str, ...] = ()

    @property
    def commands(self) -> dict[str, tuple[str, ...]]:
        return {
            "anthropic": self.anthropic_command,
            "openai": self.openai_command,
            "google_genai": self.google_genai_command,
        }


@dataclass(frozen=True, slots=True)
class Settings:
    model: ModelSettings = field(default_factory=ModelSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    shell: ShellSettings = field(default_factory=ShellSettings)
    keys: KeySettings = field(default_factory=KeySettings)


def provider_of(model: str) -> str:
    return model.partition(":")[0]


def with_model(settings: Settings, name: str) -> Settings:
    """The same settings for another model.

    The address, format, window and limit of another provider are left behind: its address must
    not get this provider's key.
    """
    if settings.model.name is None or provider_of(settings.model.name) == provider_of(name):
        return replace(settings, model=replace(settings.model, name=name))
    model = replace(
        settings.model,
        name=name,
        base_url=None,
        api=None,
        context_window=None,
        max_output_tokens=None,
    )
    return replace(settings, model=model)
