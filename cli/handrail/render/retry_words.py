"""A request that is sent again, in words."""

from math import ceil

from handrail.events import RetryScheduled
from handrail.render.sanitise import sanitise_line


def retry_words(event: RetryScheduled, left_s: float) -> str:
    """The time first: a narrow screen cuts the reason."""
    when = f"retry {event.attempt} of {event.of} in {ceil(left_s)} s"
    return f"{when}: {sanitise_line(event.reason)}"
