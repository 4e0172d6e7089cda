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
        self._half: SummaryFinished | HistoryOffloaded | None = None

    @property
    def waits(self) -> bool:
        """Whether a summary was told without its file, or a file without its summary."""
        return self._half is not None

    def update(self, event: Event) -> tuple[str, str] | None:
        """Words and a path or "", both sanitised; None when the event is not about the context."""
        match event:
            case SummaryStarted():
                return f"summarising {plural(event.messages, 'message')}", ""
            case SummaryFinished() | HistoryOffloaded():
                return self._joined(event)
            case ResultOffloaded():
                return f"offloaded {size(event.size)}", sanitise_line(event.path)
            case ArgumentsTruncated():
                return f"left out long arguments of {plural(len(event.call_ids), 'old call')}", ""
            case _:
                return None

    def _joined(self, event: SummaryFinished | HistoryOffloaded) -> tuple[str, str]:
        half, self._half = self._half, None
        if half is None or type(half) is type(event) or half.messages != event.messages:
            self._half, half = event, None
        offload = next((e for e in (half, event) if isinstance(e, HistoryOffloaded)), None)
        is_summary = half is not None or isinstance(event, SummaryFinished)
        count = plural(event.messages, "message")
        if offload is None or offload.path is not None:
            words = f"{'summarised' if is_summary else 'offloaded'} {count}"
            return words, sanitise_line((offload and offload.path) or "")
        if is_summary:
            return f"summarised {count}, but could not keep them in a file", ""
        return f"could not keep {count} in a file", ""
