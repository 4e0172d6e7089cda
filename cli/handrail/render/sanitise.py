r"""The one door between untrusted text and the terminal.

What a terminal obeys or hides is shown instead:

* C0 controls and DEL as their pictures: ESC is `␛`, CR is `␍`;
* C1 controls as `\x9b`;
* everything else without a shape of its own (bidi controls, zero-width and format characters,
  variation selectors, tags, fillers, lone surrogates, line and paragraph separators, odd spaces)
  as `<U+202E>`.

Text is shown character by character, so nothing can be hidden by what stands next to it. Only
`sanitise_prose`, for what a model or a person writes to be read, keeps what ordinary writing
needs: emoji sequences, joiners inside Arabic and Indic words, and the spaces of typography. It is
not for text that somebody decides on.
"""

import re

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f"
_C1 = "\x80-\x9f"
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800"
_FORMATS = (
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_PICTOGRAPH = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_JOINING = "[\u0620-\u06d5\u0900-\u0dff]"
_NEEDED = re.compile(
    f"(?<={_PICTOGRAPH})[\ufe0e\ufe0f]"
    f"|(?:(?<={_PICTOGRAPH})|(?<={_PICTOGRAPH}\ufe0f))\u200d(?={_PICTOGRAPH})"
    "|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    f"|(?<={_JOINING})[\u200c\u200d](?={_JOINING})"
)
"""A character without a shape where writing needs it, judged with its neighbours."""

_HIDDEN = re.compile(f"[{_CONTROLS}{_C1}{_SPACES}{_FORMATS}]+")
_HIDDEN_IN_LINE = re.compile(f"[\\t\\n{_CONTROLS}{_C1}{_SPACES}{_FORMATS}]+")
_HIDDEN_IN_PROSE = re.compile(f"[{_CONTROLS}{_C1}{_FORMATS}]")
_COLOUR = re.compile("\x1b\\[[0-9;:]*m")
_RETURN = re.compile("\r\n?")


def sanitise(text: str) -> str:
    """The text with everything hidden shown; newlines and tabs stay."""
    return _HIDDEN.sub(_shown, text)


def sanitise_line(text: str) -> str:
    """The text on one line: newlines and tabs are shown too."""
    return _HIDDEN_IN_LINE.sub(_shown, text)


def sanitise_prose(text: str) -> str:
    """Like `sanitise`, but emoji sequences, joined letters and typographic spaces stay."""
    return _HIDDEN_IN_PROSE.sub(_needed_or_shown, text)


def sanitise_output(text: str) -> str:
    """What a program printed, without its colours; a carriage return starts a new line."""
    return sanitise(_RETURN.sub("\n", _COLOUR.sub("", text)))


class _Pictures(dict[int, str]):
    """The form of each hidden character, made when it is first met."""

    def __missing__(self, code: int) -> str:
        if code < 0x20:
            form = chr(0x2400 + code)
        elif code == 0x7F:
            form = "␡"
        else:
            form = f"\\x{code:02x}" if code < 0xA0 else f"<U+{code:04X}>"
        self[code] = form
        return form


_PICTURES = _Pictures()


def _shown(match: re.Match[str]) -> str:
    return match[0].translate(_PICTURES)


def _needed_or_shown(match: re.Match[str]) -> str:
    return match[0] if _NEEDED.match(match.string, match.start()) else _shown(match)
