"""What each key does, as the state of the screen has it."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from handrail.repl.approval import Approval, Asking
from handrail.repl.burst import PAUSE_S, Burst
from handrail.repl.inputs import insert_paste
from handrail.repl.stage import Stage

Handler = Callable[[KeyPressEvent], None]

_DECISIONS: dict[str, Callable[[Approval], object]] = {
    "y": Approval.approve_once,
    "s": Approval.approve_for_session,
    "?": Approval.explain,
}
_TEXTS = {"e": Asking.EDIT, "n": Asking.REASON, "r": Asking.ANSWER}
_PASTE_END = ("escape", "[", "2", "0", "1", "~")
"""The mark that ends a paste, without a paste before it: it came out of the pasted text."""


class Person(Protocol):
    """What keys can ask of the loop."""

    def enter(self) -> None:
        """Send the message that stands in the input, or queue it."""
        ...

    def escape(self) -> None: ...

    def interrupt(self) -> None: ...

    def end_input(self) -> None: ...


def build_keys(stage: Stage, person: Person, burst: Burst) -> KeyBindings:
    keys = KeyBindings()
    _bind_everywhere(keys, stage, person, burst)
    _bind_texts(keys, stage, person, burst)
    _bind_panel(keys, stage, burst)
    return keys


def _bind_everywhere(keys: KeyBindings, stage: Stage, person: Person, burst: Burst) -> None:
    draft = stage.inputs.draft

    def paste(event: KeyPressEvent) -> None:
        burst.pasted()
        insert_paste(stage.inputs.answer if stage.desk.typing else draft, event.data)

    def nothing_typed() -> bool:
        if stage.desk.typing:
            return not stage.inputs.answer.text
        return stage.desk.has_keys or not draft.text

    keys.add(Keys.BracketedPaste)(paste)
    keys.add(*_PASTE_END)(_does(burst.pasted))
    keys.add("escape")(_does(person.escape))
    keys.add("c-c")(_does(person.interrupt))
    keys.add(Keys.SIGINT)(_does(person.interrupt))
    keys.add("c-d", filter=Condition(nothing_typed))(_does(person.end_input))
    keys.add("c-z")(_suspend)


def _bind_texts(keys: KeyBindings, stage: Stage, person: Person, burst: Burst) -> None:
    typing = has_focus(stage.inputs.draft) | has_focus(stage.inputs.answer)

    def submit(buffer: Buffer) -> None:
        if buffer is stage.inputs.draft:
            person.enter()
        elif stage.desk.typing:
            text = stage.inputs.take_answer()
            stage.desk.act(lambda approval: approval.confirm(text))

    def enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if burst.after_paste:
            _submit_if_pressed(buffer, burst, submit)
        elif buffer.document.char_before_cursor == "\\":
            buffer.delete_before_cursor()
            _newline(event)
        else:
            submit(buffer)

    keys.add("enter", filter=typing)(enter)
    keys.add("escape", "enter", filter=typing)(_newline)
    keys.add("c-j", filter=typing)(_newline)
    keys.add("c-j", filter=typing & Condition(lambda: burst.early))(enter)


def _bind_panel(keys: KeyBindings, stage: Stage, burst: Burst) -> None:
    choosing = Condition(lambda: stage.desk.choosing)
    pressed = choosing & Condition(lambda: burst.lone)

    def decide(action: Callable[[Approval], object]) -> Handler:
        return lambda _: stage.desk.act(action)

    def begin(asking: Asking) -> Handler:
        return decide(lambda approval: stage.inputs.start_answer(approval.begin(asking)))

    def view(approval: Approval) -> None:
        stage.printer.print_proposal(approval.pending.call)

    handlers = {key: decide(action) for key, action in _DECISIONS.items()}
    handlers |= {key: begin(asking) for key, asking in _TEXTS.items()}
    handlers["v"] = decide(view)
    for letter, handler in handlers.items():
        for key in {letter, letter.upper()}:
            keys.add(key, filter=pressed)(handler)
    keys.add("up", filter=choosing)(_does(lambda: stage.scroll.move(-1)))
    keys.add("down", filter=choosing)(_does(lambda: stage.scroll.move(1)))
    keys.add("pageup", filter=choosing)(_does(lambda: stage.scroll.page(-1)))
    keys.add("pagedown", filter=choosing)(_does(lambda: stage.scroll.page(1)))


def _submit_if_pressed(buffer: Buffer, burst: Burst, submit: Callable[[Buffer], None]) -> None:
    """An Enter right behind a paste may be a part of it: only if nothing follows it was pressed."""
    buffer.insert_text("\n")
    keys_so_far = burst.keys

    def settle() -> None:
        if burst.keys == keys_so_far and buffer.document.char_before_cursor == "\n":
            buffer.delete_before_cursor()
            submit(buffer)

    asyncio.get_running_loop().call_later(PAUSE_S, settle)


def _newline(event: KeyPressEvent) -> None:
    event.current_buffer.insert_text("\n")


def _suspend(event: KeyPressEvent) -> None:
    event.app.suspend_to_background()


def _does(action: Callable[[], None]) -> Handler:
    return lambda _: action()
