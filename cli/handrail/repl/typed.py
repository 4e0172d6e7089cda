"""Makes typed and pasted text fit to be sent and stored."""

from handrail.whole_text import without_surrogates

_MARKS = ("\x1b[200~", "\x1b[201~")


def typed(text: str) -> str:
    """Split surrogate pairs are joined, lone ones replaced: they cannot be encoded."""
    return without_surrogates(text)


def pasted(text: str) -> str:
    """A paste as it goes into the input: one kind of line end, no mark of its end left in it."""
    for mark in _MARKS:
        text = text.replace(mark, "")
    return typed(text.replace("\r\n", "\n").replace("\r", "\n"))
