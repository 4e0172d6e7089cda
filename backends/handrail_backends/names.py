"""File names as text that can be shown and sent: a name on disk may be any bytes."""


def readable(name: str) -> str:
    """The name itself, except for bytes that are not UTF-8."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def printable(name: str) -> str:
    """For messages: also without line breaks and control characters."""
    shown = (char if char.isprintable() else repr(char)[1:-1] for char in name)
    return "".join(shown)
