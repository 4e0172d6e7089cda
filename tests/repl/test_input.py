"""Typing, pasting, history and completion, at the screen."""

from pathlib import Path

import pytest

from handrail.events import TurnFinished
from tests.support.fake_conversation import FakeConversation
from tests.support.sitting import Sitting, sitting


async def sent(person: Sitting, conversation: FakeConversation) -> str:
    person.press("enter")
    await person.sees(lambda: bool(conversation.heard))
    return conversation.heard[0]


@pytest.mark.parametrize(
    "newline", ["\x1b\r", "\n", "\\\r"], ids=["alt-enter", "ctrl-j", "backslash-enter"]
)
async def test_a_message_can_have_several_lines(newline: str) -> None:
    conversation = FakeConversation()

    async with sitting(conversation) as person:
        await person.sees("fake:model")
        person.type(f"one{newline}two")
        await person.sees("> one\n  two")

        assert await sent(person, conversation) == "one\ntwo"


async def test_the_input_grows_to_ten_lines_and_no_further() -> None:
    async with sitting(FakeConversation(), lines=40) as person:
        person.type("\n".join(f"row {n}" for n in range(30)))
        await person.sees("row 29")

        assert sum("row " in line for line in person.screen.splitlines()) == 10


async def test_a_paste_of_several_lines_is_one_message_and_does_not_send_itself() -> None:
    conversation = FakeConversation()

    async with sitting(conversation) as person:
        person.paste("a\nb\r\nc\td")
        await person.sees("  c→   d")
        assert conversation.heard == []

        assert await sent(person, conversation) == "a\nb\nc\td"


async def test_the_end_mark_within_a_paste_cannot_send_it() -> None:
    conversation = FakeConversation()

    async with sitting(conversation) as person:
        person.paste("harmless\x1b[201~\rrm -rf x\r")
        await person.sees("rm -rf x")
        await person.sees("> harmless")
        assert conversation.heard == []

        assert await sent(person, conversation) == "harmless\nrm -rf x"


async def test_an_enter_right_behind_a_paste_sends_it() -> None:
    conversation = FakeConversation()

    async with sitting(conversation) as person:
        person.paste("a\nb")
        person.press("enter")
        await person.sees(lambda: conversation.heard == ["a\nb"])


async def test_hidden_characters_of_a_paste_are_shown() -> None:
    async with sitting(FakeConversation()) as person:
        person.paste("safe\u202eevil\x07 👩\u200d💻")
        await person.sees("safe<U+202E>evil␇")

        assert "\u202e" not in person.raw
        assert "<U+200D>" not in person.screen


async def test_messages_of_earlier_sessions_come_back_with_the_up_key(tmp_path: Path) -> None:
    history = tmp_path / "project" / "history"
    async with sitting(FakeConversation(), history=history) as person:
        await person.enter("of the first session")
        await person.sees("heard of the first")

    conversation = FakeConversation()
    async with sitting(conversation, history=history) as person:
        await person.enter("of the second")
        await person.sees("heard of the second")
        person.press("up", "up")
        await person.sees("> of the first session")

    assert history.stat().st_mode & 0o777 == 0o600


async def test_an_empty_message_is_not_sent() -> None:
    conversation = FakeConversation()

    async with sitting(conversation) as person:
        person.type("  \r")
        await person.enter("real")
        await person.sees(lambda: bool(conversation.heard))

        assert conversation.heard[0].strip() == "real"


async def test_completion_shows_commands_with_their_help() -> None:
    async with sitting(FakeConversation()) as person:
        person.type("/")
        await person.sees("start a new session")
        person.type("mo")
        await person.sees_no_more("start a new session")
        person.press("tab")
        await person.sees("> /model")


async def test_text_with_markup_of_the_screen_is_shown_as_it_stands() -> None:
    conversation = FakeConversation([[TurnFinished("")]])

    async with sitting(conversation) as person:
        await person.enter("fix [/] and [bold] in pages/[slug].tsx")
        await person.sees(lambda: bool(conversation.heard))
        await person.sees("> fix [/] and [bold] in pages/[slug].tsx\n")
