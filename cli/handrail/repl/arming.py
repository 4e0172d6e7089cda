"""Decides when the keys of an approval panel start to count."""

from collections.abc import Callable

QUIET_S = 0.15
"""Longer than the terminal and the key parser can hold back a key that came before the panel."""

TYPING_QUIET_S = 0.5
"""A person in the middle of a message pauses this long when the panel has caught their eye."""

TYPING_WITHIN_S = 1.0
"""A key this recent means that the person was typing when the panel came up."""


class Arming:
    """Keys count once the panel was drawn and the keyboard was quiet since.

    Everything typed before the panel was on the screen is read by the event loop before a timer
    that was set after the drawing; each such key starts the quiet again.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._last_key = float("-inf")
        self._drawn: float | None = None
        self._quiet = QUIET_S
        self.armed = False

    def key_pressed(self) -> None:
        self._last_key = self._now()
        if not self.armed:
            self._quiet = TYPING_QUIET_S

    def panel_changed(self, *, answering: bool = False) -> None:
        """A panel is about to be drawn; `answering` when its last key answered the one before."""
        typing = not answering and self._now() - self._last_key < TYPING_WITHIN_S
        self.armed, self._drawn = False, None
        self._quiet = TYPING_QUIET_S if typing else QUIET_S

    def panel_drawn(self) -> bool:
        """True for the first drawing of this panel."""
        first = self._drawn is None
        if first:
            self._drawn = self._now()
        return first

    def wait_s(self) -> float:
        """How long until the keys may count; arms them when that is now. Only after a drawing."""
        assert self._drawn is not None
        left = max(self._drawn, self._last_key) + self._quiet - self._now()
        self.armed = left <= 0
        return max(left, 0.0)
