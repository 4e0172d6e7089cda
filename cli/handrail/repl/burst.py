"""Tells keys a person pressed from keys that came in one go with a paste."""

from collections.abc import Callable

PAUSE_S = 0.08
"""Keys closer than this to the end of a paste may belong to it."""

_LONE_S = 0.02
"""No person presses two keys this close together."""


class Burst:
    """A pasted text may hold the mark that ends a paste; what follows it then looks like keys."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._paste_end = float("-inf")
        self._last_key = float("-inf")
        self.keys = 0
        """How many keys there were so far."""
        self.lone = False
        """Whether the key being handled came by itself."""
        self.early = False
        """Whether the keys now read were typed before the start, when Enter looks like Ctrl-J."""

    def key_pressed(self, behind: int) -> None:
        """A key is about to be handled; `behind` more were read together with it."""
        now = self._now()
        if self.after_paste:
            self._paste_end = now
        self.lone = not behind and now - self._last_key >= _LONE_S and not self.after_paste
        self._last_key = now
        self.keys += 1

    def pasted(self) -> None:
        self._paste_end = self._now()

    @property
    def after_paste(self) -> bool:
        return self._now() - self._paste_end < PAUSE_S
