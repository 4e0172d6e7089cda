"""Preferences in layers: built in < user `config.toml` < project (may only tighten) < environment < flags."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ModelSettings:
    name: str | None = None
    """`provider:model`, for example `openai:gpt-5.4`, or `script:FILE`."""
    base_url: str | None = None
    """Of a server that speaks the provider's protocol."""
    context_window: int | None = None
    """In tokens; needed for models the provider package does not know."""
    max_output_tokens: int | None = None


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
class Settings:
    model: ModelSettings = field(default_factory=ModelSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    shell: ShellSettings = field(default_factory=ShellSettings)
