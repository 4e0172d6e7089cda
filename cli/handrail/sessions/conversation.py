"""The seam between a session and whoever shows it: screen, plain output, tests."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from handrail.events import ApprovalRequested, Decision, Event

Decide = Callable[[ApprovalRequested], Awaitable[tuple[Decision, ...]]]
"""Asks the person: one decision for each pending call, in order."""


@dataclass(frozen=True, slots=True)
class SessionChoice:
    """Which session to open: a new one, the latest of the project, or the one with this id."""

    resume: bool = False
    id: str | None = None
    model: str | None = None
    """`provider:model` in place of the one from the settings."""


class Conversation(Protocol):
    """An open session. One turn runs at a time."""

    @property
    def id(self) -> str: ...

    @property
    def model(self) -> str:
        """As the person chose it: `provider:model` or `script:FILE`."""
        ...

    @property
    def window(self) -> int | None:
        """The size of the model's context in tokens, None when unknown."""
        ...

    @property
    def past(self) -> Sequence[Event]:
        """The end of what the person saw before, oldest first; no deltas."""
        ...

    @property
    def unfinished(self) -> bool:
        """Whether the last turn was cut off and `go_on` has something to do."""
        ...

    def run(self, text: str, decide: Decide) -> AsyncIterator[Event]:
        """One turn, from `TurnStarted` to one of the three events that end it. Raises nothing."""
        ...

    def go_on(self, decide: Decide) -> AsyncIterator[Event]:
        """Take up the turn that was cut off, asking its pending approvals again."""
        ...

    def stop(self) -> None:
        """End the running turn now: what was kept still comes, and then `TurnStopped`."""
        ...

    def read(self, path: str) -> str | None:
        """The present text of a file on any mount, for a preview of its change; None without one.

        Raises `OSError` for what cannot be shown, `UnicodeError` for what is no text.
        """
        ...

    async def close(self) -> None: ...


OpenSession = Callable[[SessionChoice], Awaitable[Conversation]]
"""Opens a session; heavy the first time. Raises `HandrailError`."""
