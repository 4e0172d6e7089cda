"""A request that is sent again, at the screen and on plain paper: each word stands there once."""

import asyncio
import io
from collections.abc import AsyncIterator, Sequence

from handrail.events import (
    MAIN,
    Event,
    RetryScheduled,
    Source,
    TextDelta,
    TextFinished,
    TurnFinished,
    TurnStarted,
    TurnStopped,
)
from handrail.headless.printing import print_turn
from tests.support.fake_conversation import FakeConversation, Hold, Step
from tests.support.sitting import sitting

WAIT = RetryScheduled(MAIN, 1, 4, 200.0, "the connection was lost")
COUNTDOWN = "retry 1 of 4 in "
MARK = "… cut off here"
BEFORE = "The first paragraph stands already.\n\nThe second had beg"
WHOLE = BEFORE + "un and ends now.\n"
OTHER = "Another answer came.\n"

EQUAL: Sequence[Event] = [
    TextDelta(MAIN, "a", WHOLE.removeprefix(BEFORE)),
    TextFinished(MAIN, "a", WHOLE),
    TurnFinished(WHOLE),
]
DIFFERENT: Sequence[Event] = [
    TextFinished(MAIN, "a", BEFORE, cut=True),
    TextDelta(MAIN, "b", OTHER),
    TextFinished(MAIN, "b", OTHER),
    TurnFinished(OTHER),
]


def cut_then(gate: asyncio.Event, after: Sequence[Event]) -> list[Step]:
    return [TextDelta(MAIN, "a", BEFORE), WAIT, Hold(gate), *after]


async def on_paper(events: Sequence[Event]) -> str:
    async def played() -> AsyncIterator[Event]:
        for event in [TurnStarted("go"), *events]:
            yield event

    paper = io.StringIO()
    await print_turn(played(), paper)
    return paper.getvalue()


async def test_an_equal_answer_goes_on_in_the_middle_of_the_word() -> None:
    gate = asyncio.Event()

    async with sitting(FakeConversation([cut_then(gate, EQUAL)])) as person:
        await person.enter("go")
        await person.sees(COUNTDOWN)
        await person.sees("The second had beg")
        gate.set()
        await person.sees("begun and ends now.")
        await person.sees_no_more("beg\n")

        assert COUNTDOWN not in person.text
        assert MARK not in person.text
        assert person.text.count("The first paragraph") == 1
        assert person.text.count("The second had") == 1


async def test_another_answer_stands_below_the_mark_of_the_first() -> None:
    gate = asyncio.Event()

    async with sitting(FakeConversation([cut_then(gate, DIFFERENT)])) as person:
        await person.enter("go")
        await person.sees(COUNTDOWN)
        gate.set()
        await person.sees("Another answer came.")

        lines = [line.strip() for line in person.text.splitlines()]
        assert lines.index("The second had beg") < lines.index(MARK)
        assert lines.index(MARK) < lines.index("Another answer came.")
        assert person.text.count("The first paragraph") == 1
        assert person.text.count("The second had") == 1


async def test_a_cut_text_whose_blocks_are_all_printed_is_marked_too() -> None:
    said = "All of it stands.\n\n"
    cut = [TextDelta(MAIN, "a", said), TextFinished(MAIN, "a", said, cut=True)]

    async with sitting(FakeConversation([[*cut, *DIFFERENT[1:]]])) as person:
        await person.enter("go")
        await person.sees("Another answer came.")

        lines = [line.strip() for line in person.text.splitlines() if line.strip()]
        assert lines[lines.index("All of it stands.") + 1] == MARK


async def test_esc_ends_the_countdown() -> None:
    conversation = FakeConversation([[WAIT, Hold()]])

    async with sitting(conversation) as person:
        await person.enter("go")
        await person.sees(COUNTDOWN)
        person.press("esc")
        await person.sees("Stopped.")
        await person.sees_no_more(COUNTDOWN)


async def test_plain_paper_has_a_line_for_each_wait_and_each_word_once() -> None:
    before: list[Event] = [TextDelta(MAIN, "a", BEFORE), WAIT]

    assert await on_paper([*before, *EQUAL]) == (
        "\n> go\n\n  retry 1 of 4 in 200 s: the connection was lost\n\n"
        "  The first paragraph stands already.\n\n  The second had begun and ends now.\n"
    )
    assert await on_paper([*before, *DIFFERENT]) == (
        "\n> go\n\n  retry 1 of 4 in 200 s: the connection was lost\n\n"
        "  The first paragraph stands already.\n\n  The second had beg\n"
        f"  {MARK}\n\n  Another answer came.\n"
    )


async def test_plain_paper_says_which_agent_waits_and_marks_what_was_cut() -> None:
    helper = Source("helper", "t1")
    events = [
        RetryScheduled(helper, 2, 4, 0.4, "the server is overloaded"),
        TextFinished(helper, "a", "half", cut=True),
        TurnStopped(),
    ]
    assert (await on_paper(events)).splitlines()[3:6] == [
        "  │ retry 2 of 4 in 1 s: the server is overloaded",
        "  │ half",
        f"  │ {MARK}",
    ]
