"""The two texts a person types: the message, and the answer an approval asks for."""

from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition

from handrail.repl.completion import is_command_start
from handrail.repl.history import InputHistory
from handrail.repl.typed import pasted, typed


class Inputs:
    def __init__(self, completer: Completer, history: Path | None) -> None:
        self.draft = Buffer(
            multiline=True,
            completer=completer,
            complete_while_typing=Condition(lambda: is_command_start(self.draft.document)),
            history=InputHistory(history),
        )
        self.answer = Buffer(multiline=True)

    def take_draft(self) -> str:
        """The message, which goes into the history and leaves the input."""
        text = typed(self.draft.text)
        self.draft.text = text
        self.draft.append_to_history()
        self.draft.reset()
        return text

    def give_back(self, texts: Iterable[str]) -> None:
        """Puts messages that were not sent in front of what is being typed."""
        parts = [text for text in [*texts, self.draft.text] if text]
        text = "\n".join(parts)
        self.draft.document = Document(text, len(text))

    def start_answer(self, text: str) -> None:
        self.answer.reset(Document(typed(text), len(text)))

    def take_answer(self) -> str:
        return typed(self.answer.text)


def insert_paste(buffer: Buffer, text: str) -> None:
    buffer.insert_text(pasted(text))
