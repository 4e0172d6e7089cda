"""A session is found again with all it holds, and memories outlive it."""

import asyncio
import warnings
from pathlib import Path

import ormsgpack
import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from handrail.engine.storage import open_saver, strict_serializer
from handrail.errors import SessionError
from handrail.events import (
    ApprovalRequested,
    CallFinished,
    Decision,
    TextFinished,
    TurnFinished,
    TurnStarted,
)
from handrail.sessions.conversation import SessionChoice
from tests.support.engine_bed import Bed, Person, call, go_on, only, results, turn

CONTINUE = SessionChoice(resume=True)


async def test_a_continued_session_reprints_its_end_and_goes_on(bed: Bed) -> None:
    answers = ("first answer", "second answer")
    script = {"script": 1, "turns": [{"rounds": [{"say": answer}]} for answer in answers]}
    async with bed.open(script) as conversation:
        await turn(conversation, Person(), "first question")
        first = conversation.id
    async with bed.open(script, choice=CONTINUE) as conversation:
        past = conversation.past
        events = await turn(conversation, Person(), "second question")
        assert conversation.id == first
    assert [e.text for e in past if isinstance(e, TurnStarted)] == ["first question"]
    assert [e.text for e in only(past, TextFinished)] == ["first answer"]
    assert events[-1] == TurnFinished("second answer")


async def test_a_preference_is_read_in_another_session(bed: Bed) -> None:
    path = "/memories/user/preferences.md"
    write = call("write_file", file_path=path, content="Prefers tabs.\n")
    await bed.play([{"calls": [write]}, {"say": "noted"}])
    calls = [
        call("read_file", file_path=path),
        call("ls", path="/memories/user"),
        call("grep", pattern="tabs", path="/memories"),
    ]
    answers = results(await bed.play([{"calls": calls}, {"say": "read"}]))
    assert "Prefers tabs." in answers[0]
    assert all(path in answer for answer in answers[1:])


async def test_a_session_in_use_is_refused_to_another(bed: Bed) -> None:
    async with bed.open([{"say": "a"}]) as conversation:
        await turn(conversation, Person())
        with pytest.raises(SessionError, match="in use by process"):
            async with bed.open([{"say": "b"}], choice=CONTINUE):
                pass


async def test_an_approval_that_waited_when_the_process_ended_is_asked_again(bed: Bed) -> None:
    rounds = [{"calls": [call("execute", command="echo ran >> log")]}, {"say": "done"}]
    asked = asyncio.Event()

    class Away(Person):
        async def decide(self, request: ApprovalRequested) -> tuple[Decision, ...]:
            asked.set()
            await asyncio.Event().wait()
            return ()

    async with bed.open(rounds) as conversation:
        running = asyncio.create_task(turn(conversation, Away()))
        await asked.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    person = Person()
    async with bed.open([{"say": "done"}], choice=CONTINUE) as conversation:
        assert conversation.unfinished
        events = await go_on(conversation, person.decide)
    assert person.asked_calls == [[("execute", {"command": "echo ran >> log"})]]
    assert (bed.project / "log").read_text() == "ran\n"
    assert isinstance(events[-1], TurnFinished)


def test_a_stored_row_never_becomes_code(tmp_path: Path) -> None:
    marker = tmp_path / "executed"
    call_of_a_function = ormsgpack.packb(("os", "system", f"touch {marker}"))
    row = ("msgpack", ormsgpack.packb(ormsgpack.Ext(0, call_of_a_function)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        JsonPlusSerializer(allowed_msgpack_modules=True).loads_typed(row)
    assert marker.exists(), "without strictness the row runs"
    marker.unlink()
    strict_serializer().loads_typed(row)
    assert not marker.exists()


async def test_the_threads_of_a_session_are_read_strictly(bed: Bed) -> None:
    saver = await open_saver(bed.root / "threads.db")
    await saver.conn.close()
    assert isinstance(saver.serde, JsonPlusSerializer)
    assert saver.serde.loads_typed(saver.serde.dumps_typed(HumanMessage("a"))) == HumanMessage("a")
    assert not saver.serde.pickle_fallback


async def test_the_results_of_a_session_are_in_its_transcript(bed: Bed) -> None:
    bed.write("a.txt", "hello\n")
    async with bed.open(
        [{"calls": [call("read_file", file_path="a.txt")]}, {"say": "done"}]
    ) as conversation:
        await turn(conversation, Person())
    async with bed.open([{"say": "x"}], choice=CONTINUE) as conversation:
        assert ["hello" in e.text for e in only(conversation.past, CallFinished)] == [True]
