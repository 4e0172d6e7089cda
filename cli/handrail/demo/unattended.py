"""The demo where there is no terminal: the recorded decisions are followed, all is printed."""

from collections.abc import Sequence
from typing import TextIO

from handrail.demo.person import Message, RecordedPerson
from handrail.demo.printing import print_lines
from handrail.events import TurnFinished
from handrail.file_text import read_text
from handrail.headless.printing import print_turn
from handrail.render.renderer import Renderer
from handrail.sessions.conversation import OpenSession, SessionChoice


async def tell_unattended(
    messages: Sequence[Message], open_session: OpenSession, out: TextIO, *, root: str
) -> bool:
    """Whether every turn was finished."""
    conversation = await open_session(SessionChoice())
    renderer = Renderer(root, read_text)
    try:
        for message in messages:
            person = RecordedPerson(message, lambda line: print_lines(out, line))
            turn = conversation.run(message.says, person.decide)
            last = await print_turn(turn, out, renderer=renderer)
            if not isinstance(last, TurnFinished):
                return False
        return True
    finally:
        await conversation.close()
