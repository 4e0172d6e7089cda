"""The list of sessions as lines of text."""

from collections.abc import Iterator, Sequence

from handrail.sessions.index import SessionRecord

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def session_lines(
    records: Sequence[SessionRecord], *, now: float, with_project: bool = False
) -> Iterator[str]:
    """Id, age and title in columns. The titles are untrusted."""
    ages = [age(now - record.updated) for record in records]
    width = max(map(len, ages), default=0)
    for record, old in zip(records, ages, strict=True):
        where = f"{record.project}  " if with_project else ""
        yield f"{record.id}  {old:<{width}}  {where}{record.title}"


def age(seconds: float) -> str:
    """In the largest whole unit."""
    for size, unit in _UNITS:
        count = int(seconds // size)
        if count > 0:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
