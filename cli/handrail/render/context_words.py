"""What happens to the context, in words: summaries and the files things were moved to."""

from handrail.events import (
    ArgumentsTruncated,
    Event,
    HistoryOffloaded,
    ResultOffloaded,
    SummaryFinished,
    SummaryStarted,
)
from handrail.render.amounts import plural, size
from handrail.render.sanitise import sanitise_line


class ContextWords:
    """Puts a summary and the file its messages went to together, in whichever order they come."""

    def __init__(self) -> None:
        self._offload: HistoryOffloaded | None = None
        self._summary: SummaryFinished | None = None

    @property
    def waits(self) -> bool:
        """Whether the last file belongs to a summary that is still being written."""
        return self._offload is not None

    def update(self, event: Event) -> tuple[str, str] | None:
        """Words and a path or "", both sanitised; None when the event is not about the context."""
        match event:
            case SummaryStarted():
                return f"summarising {plural(event.messages, 'message')}", ""
            case SummaryFinished():
                return self._summarised(event)
            case HistoryOffloaded():
                return self._offloaded(event)
            case ResultOffloaded():
                return f"offloaded {size(event.size)}", sanitise_line(event.path)
            case ArgumentsTruncated():
                return f"left out long arguments of {plural(len(event.call_ids), 'old call')}", ""
            case _:
                return None

    def _summarised(self, event: SummaryFinished) -> tuple[str, str]:
        offload, self._offload = self._offload, None
        if offload is None or offload.messages != event.messages:
            self._summary = event
            offload = None
        path = sanitise_line(offload.path or "") if offload else ""
        return f"summarised {plural(event.messages, 'message')}", path

    def _offloaded(self, event: HistoryOffloaded) -> tuple[str, str]:
        summary, self._summary = self._summary, None
        count = plural(event.messages, "message")
        if event.path is None:
            return f"could not keep {count} in a file", ""
        if summary is not None and summary.messages == event.messages:
            return f"summarised {count}", sanitise_line(event.path)
        self._offload = event
        return f"offloaded {count}", sanitise_line(event.path)
