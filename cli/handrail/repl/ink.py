"""What of the screen needs Rich: events and calls as text with colours."""

from collections.abc import Callable, Iterable, Sequence

from rich.console import RenderableType

from handrail.events import Call, Event
from handrail.render.blocks import Prefixed, indented, paragraph
from handrail.render.console import to_ansi
from handrail.render.diff import FileReader
from handrail.render.proposal import proposal
from handrail.render.renderer import Renderer
from handrail.render.theme import Paint

Renderables = Sequence[RenderableType]


class Ink:
    """Renders one session after another on the same terminal."""

    def __init__(
        self, root: str, read: FileReader, clock: Callable[[], float], paint: Paint
    ) -> None:
        self._root = root
        self._read = read
        self._paint: Paint = paint
        self._renderer = Renderer(root, read, clock)

    def event(self, event: Event) -> Renderables:
        return self._renderer.render(event)

    def earlier(self, events: Iterable[Event]) -> Renderables:
        """The reprint of a session; the live renderer knows nothing of it."""
        renderer = Renderer(self._root)
        return [line for event in events for line in renderer.render(event)]

    def text(self, text: str, style: str) -> Renderables:
        return [paragraph(""), indented(paragraph(text, style))]

    def entered(self, text: str) -> Renderables:
        """A command as the person entered it."""
        return [paragraph(""), Prefixed("> ", "  ", paragraph(text, "person"), "person")]

    def proposal(self, call: Call) -> Renderables:
        return proposal(call, self._read, self._root)

    def ansi(self, renderables: Renderables, width: int) -> str:
        return to_ansi(renderables, width, self._paint)
