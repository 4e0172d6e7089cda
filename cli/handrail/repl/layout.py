"""Where things stand at the bottom of the screen."""

from collections.abc import Callable

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)

from handrail.repl.approval import Asking
from handrail.repl.frame import PROMPT, Frame
from handrail.repl.live_view import Fragments
from handrail.repl.stage import Stage
from handrail.repl.visible import VisibleCharacters

_ANSWER_PROMPTS = {
    Asking.EDIT: "edit> ",
    Asking.REASON: "no, because> ",
    Asking.ANSWER: "answer> ",
}


class Bottom:
    """The layout, and who has the keys. `frame` is what is drawn next."""

    def __init__(self, stage: Stage, frame: Callable[[], Frame]) -> None:
        self._stage = stage
        self._frame = frame
        self._panel = FormattedTextControl(
            lambda: joined(frame().panel), focusable=True, show_cursor=False
        )
        self._draft = self._input(stage.inputs.draft, lambda: PROMPT, exact=False)
        self._answer = self._input(stage.inputs.answer, self._answer_prompt, exact=True)
        self.layout = Layout(self._container(), focused_element=stage.inputs.draft)

    def give_keys(self) -> None:
        """To the panel, the answer or the message, as the approval stands."""
        desk, inputs = self._stage.desk, self._stage.inputs
        if desk.typing:
            self.layout.focus(inputs.answer)
        elif desk.has_keys:
            self.layout.focus(self._panel)
        else:
            self.layout.focus(inputs.draft)

    def _container(self) -> HSplit:
        desk, inputs = self._stage.desk, self._stage.inputs
        frame = self._frame
        draft_shown = Condition(lambda: not desk.has_keys or bool(inputs.draft.text))
        return HSplit(
            [
                _lines(lambda: frame().live),
                Window(height=Dimension(min=0, preferred=1, max=1), dont_extend_height=True),
                _window(self._panel, lambda: len(frame().panel)),
                _lines(lambda: frame().waiting),
                _lines(lambda: frame().hint),
                ConditionalContainer(self._answer, Condition(lambda: desk.typing)),
                ConditionalContainer(self._draft, draft_shown),
                _lines(lambda: frame().menu),
                _lines(lambda: frame().status),
            ]
        )

    def _input(self, buffer: Buffer, prompt: Callable[[], str], *, exact: bool) -> Window:
        def prefix(line: int, wrapped: int) -> StyleAndTextTuples:
            text = prompt()
            return [("class:prompt", text if not line and not wrapped else " " * len(text))]

        return Window(
            BufferControl(buffer, input_processors=[VisibleCharacters(exact=exact)]),
            height=lambda: Dimension(min=1, max=self._frame().space.input),
            dont_extend_height=True,
            wrap_lines=True,
            get_line_prefix=prefix,
            style=self._input_style,
        )

    def _input_style(self) -> str:
        return "class:quiet" if self._stage.desk.choosing else ""

    def _answer_prompt(self) -> str:
        asking = self._stage.desk.asking
        return _ANSWER_PROMPTS.get(asking, PROMPT) if asking else PROMPT


def joined(lines: list[Fragments]) -> StyleAndTextTuples:
    """Lines of fragments as one text."""
    text: StyleAndTextTuples = []
    for number, line in enumerate(lines):
        text += [("", "\n"), *line] if number else line
    return text


def _lines(lines: Callable[[], list[Fragments]]) -> ConditionalContainer:
    return _window(FormattedTextControl(lambda: joined(lines())), lambda: len(lines()))


def _window(control: FormattedTextControl, rows: Callable[[], int]) -> ConditionalContainer:
    """So many rows, or nothing at all."""
    window = Window(
        control,
        height=lambda: Dimension(min=1, preferred=rows(), max=max(1, rows())),
        dont_extend_height=True,
    )
    return ConditionalContainer(window, Condition(lambda: rows() > 0))
