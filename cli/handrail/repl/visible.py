"""Shows the characters of an input line that a terminal would obey or hide."""

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text.utils import fragment_list_to_text
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput

from handrail.render.sanitise import sanitise, sanitise_prose

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples

_TAB = "→   "
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
"""What a person's own writing needs between and after letters and emoji."""


class VisibleCharacters(Processor):
    """`exact` for text that is decided on: there the joiners of ordinary writing are shown too."""

    def __init__(self, *, exact: bool) -> None:
        self._exact = exact

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        text = fragment_list_to_text(transformation_input.fragments)
        shown = [self._shown(char) for char in text]
        if all(len(char) == 1 for char in shown) and "".join(shown) == text:
            return Transformation(transformation_input.fragments)
        starts = list(accumulate((len(piece) for piece in shown), initial=0))
        fragments: StyleAndTextTuples = [
            ("" if piece == char else "class:quiet", piece)
            for char, piece in zip(text, shown, strict=True)
        ]
        return Transformation(
            fragments,
            source_to_display=lambda source: starts[min(source, len(starts) - 1)],
            display_to_source=lambda display: max(0, bisect_right(starts, display) - 1),
        )

    def _shown(self, char: str) -> str:
        if char == "\t":
            return _TAB
        if self._exact:
            return sanitise(char)
        return char if char in _JOINERS else sanitise_prose(char)
