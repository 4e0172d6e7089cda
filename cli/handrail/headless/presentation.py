"""Where the parts of a run go: data to standard output, everything else to standard error."""

from collections.abc import Callable
from typing import Protocol

from handrail.events import Event, TurnFailed
from handrail.headless.activity import Activity
from handrail.headless.lines import FORMAT, RunEnded, SessionOpened, to_line
from handrail.render.renderer import Renderer
from handrail.render.sanitise import sanitise, sanitise_prose
from handrail.sessions.conversation import Conversation

Put = Callable[[str], None]
"""Takes a piece of text for a stream."""


class Presentation(Protocol):
    def opened(self, conversation: Conversation, root: str) -> None: ...

    def event(self, event: Event) -> None: ...

    def ended(self, end: RunEnded) -> None: ...

    def tell(self, text: str) -> None:
        """A paragraph for a person."""
        ...


class AsText:
    """Standard output gets the final answer, standard error what happens meanwhile."""

    def __init__(self, out: Put, err: Put) -> None:
        self._out = out
        self._err = err
        self._activity: Activity | None = None

    def opened(self, conversation: Conversation, root: str) -> None:
        self._activity = Activity(Renderer(root, conversation.read))
        self.tell(f"Session {conversation.id}. To go on with it: agent --resume {conversation.id}")

    def event(self, event: Event) -> None:
        if self._activity is not None:
            self._err(self._activity.lines(event))

    def ended(self, end: RunEnded) -> None:
        if end.answer:
            self._out(sanitise_prose(end.answer.rstrip()) + "\n")

    def tell(self, text: str) -> None:
        self._err(sanitise(text.rstrip()) + "\n")


class AsLines:
    """Standard output gets every event, standard error only what went wrong."""

    def __init__(self, out: Put, err: Put) -> None:
        self._out = out
        self._err = err

    def opened(self, conversation: Conversation, root: str) -> None:
        del root
        self._out(to_line(SessionOpened(FORMAT, conversation.id, conversation.model)))

    def event(self, event: Event) -> None:
        self._out(to_line(event))
        if isinstance(event, TurnFailed):
            self.tell(event.message)

    def ended(self, end: RunEnded) -> None:
        self._out(to_line(end))

    def tell(self, text: str) -> None:
        self._err(sanitise(text.rstrip()) + "\n")
