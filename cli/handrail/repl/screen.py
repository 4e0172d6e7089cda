"""The one application at the bottom of the terminal, and what is printed above it."""

import select
from collections.abc import Callable

from prompt_toolkit.application import Application, get_app_session
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from handrail.exit_codes import ExitCode
from handrail.render.theme import PROMPT_STYLES
from handrail.repl.burst import Burst
from handrail.repl.frame import Frame, Frames
from handrail.repl.layout import Bottom
from handrail.repl.stage import Stage

_ESCAPE_S = 0.05
"""How long the terminal and the key parser wait for what may follow an Esc, each."""

_REDRAW_S = 0.03
_BEGIN_FRAME = "\x1b[?2026h"
_END_FRAME = "\x1b[?2026l"


class Screen:
    """Draws the stage. What is printed goes out with the next drawing, without a round trip.

    `synchronised` asks the terminal to show printing and drawing as one change.
    """

    def __init__(
        self,
        stage: Stage,
        keys: KeyBindings,
        burst: Burst,
        *,
        keyboard: Input | None,
        output: Output | None,
        synchronised: bool,
    ) -> None:
        self._stage = stage
        self._burst = burst
        self._frames = Frames(stage)
        self._synchronised = synchronised
        self._above: list[str] = []
        self.bottom = Bottom(stage, lambda: self._frame)
        self.app: Application[ExitCode] = Application(
            layout=self.bottom.layout,
            key_bindings=keys,
            input=keyboard,
            output=_display(output),
            style=Style.from_dict(dict(PROMPT_STYLES)),
            include_default_pygments_style=False,
            erase_when_done=True,
            min_redraw_interval=_REDRAW_S,
            before_render=lambda _: self._before_drawing(),
            after_render=lambda _: self._after_drawing(),
        )
        self.app.ttimeoutlen = self.app.timeoutlen = _ESCAPE_S
        self.app.key_processor.before_key_press += self._before_key
        self._printing = False
        self._frame: Frame = self._compose()

    async def run(self, started: Callable[[], None]) -> ExitCode:
        """Until `leave`. `started` is called before the first drawing and must not block.

        Raises `EOFError` when the terminal has gone.
        """

        def begin() -> None:
            self._burst.early = _line_waits(self.app.input)
            started()

        return await self.app.run_async(pre_run=begin, set_exception_handler=False)

    def read_early(self) -> None:
        """What was typed before the first drawing has been read."""
        self._burst.early = False

    def leave(self, code: ExitCode) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit(result=code)

    def redraw(self) -> None:
        self.app.invalidate()

    def print_above(self, text: str) -> None:
        """Text that needs no more care: ours, or through the sanitiser already."""
        self._above.append(text)
        self.redraw()

    def print_rest(self) -> None:
        """What was said after the last drawing, once the application has ended."""
        if text := self._text_above(now=True):
            self.app.output.write_raw(text)
            self.app.output.flush()

    def _before_key(self, keys: KeyProcessor) -> None:
        self._burst.key_pressed(behind=len(keys.input_queue))
        self._stage.desk.key_pressed()
        self._stage.hint = ""

    def _before_drawing(self) -> None:
        text = self._text_above()
        self._printing = bool(text)
        if text:
            output = self.app.output
            if self._synchronised:
                output.write_raw(_BEGIN_FRAME)
            self.app.renderer.erase()
            output.write_raw(text)
        self._frame = self._compose()

    def _after_drawing(self) -> None:
        if self._printing and self._synchronised:
            self.app.output.write_raw(_END_FRAME)
            self.app.output.flush()
        self._stage.desk.drawn()

    def _compose(self) -> Frame:
        size = self.app.output.get_size()
        return self._frames.compose(size.columns, size.rows)

    def _text_above(self, *, now: bool = False) -> str:
        texts, self._above = self._above, []
        printed = self._stage.printer.take(self.app.output.get_size().columns, now=now)
        return "".join([*texts, printed]).replace("\n", "\r\n")


def _display(output: Output | None) -> Output:
    """It is never asked where its cursor stands: printing would make the answer a wrong one."""
    display = output or get_app_session().output
    if isinstance(display, Vt100_Output):
        display.enable_cpr = False
    return display


def _line_waits(keyboard: Input) -> bool:
    """Whether a whole line was entered before the terminal hands out single keys."""
    try:
        return bool(select.select([keyboard.fileno()], [], [], 0)[0])
    except (OSError, ValueError, NotImplementedError):
        return False
