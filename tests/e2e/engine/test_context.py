"""What leaves the context is told while it happens, with a path that can be read back."""

from dataclasses import replace
from pathlib import Path

from handrail.events import (
    ArgumentsTruncated,
    CallFinished,
    CallStarted,
    ContextMeasured,
    HistoryOffloaded,
    ResultOffloaded,
    SummaryFinished,
    SummaryStarted,
    TextFinished,
    TodosChanged,
    TurnFinished,
)
from handrail.settings import ContextSettings, ModelSettings
from tests.support.engine_bed import Bed, Person, call, only, turn


def on_disk(bed: Bed, path: str, session: str) -> Path:
    return bed.places.session(session).artifacts / path.removeprefix("/scratch/")


async def test_a_long_result_is_offloaded_whole_and_read_back_by_its_path(bed: Bed) -> None:
    rounds = [{"calls": [call("execute", command="seq 1 40000")]}, {"say": "done"}]
    async with bed.open(rounds) as conversation:
        events = await turn(conversation, Person())
        session = conversation.id
    (offloaded,) = only(events, ResultOffloaded)
    assert offloaded.path.startswith("/scratch/large_tool_results/")
    whole = on_disk(bed, offloaded.path, session).read_text()
    assert whole.split()[:40000] == [str(n) for n in range(1, 40001)]
    (started,) = only(events, CallStarted)
    assert offloaded.call_id == started.call.id
    assert offloaded.size == len(whole.encode())
    (finished,) = only(events, CallFinished)
    assert offloaded.path in finished.text
    assert len(finished.text) < 20_000


async def test_the_offload_limit_follows_the_settings(bed: Bed) -> None:
    bed.settings = replace(bed.settings, context=ContextSettings(offload_chars=400))
    rounds = [{"calls": [call("execute", command="seq 1 400")]}, {"say": "done"}]
    assert only(await bed.play(rounds), ResultOffloaded)


async def test_a_summary_is_told_with_the_file_that_holds_the_old_messages(bed: Bed) -> None:
    script = {
        "script": 1,
        "window": 8000,
        "summary": "THE SUMMARY",
        "turns": [{"rounds": [{"say": f"answer {n} " + "word " * 1500}]} for n in range(6)],
    }
    async with bed.open(script) as conversation:
        events = [e for n in range(6) for e in await turn(conversation, Person(), f"question {n}")]
        session = conversation.id
    started = only(events, SummaryStarted)
    finished = only(events, SummaryFinished)
    assert started
    assert [e.text for e in finished] == ["THE SUMMARY"] * len(started)
    offloads = only(events, HistoryOffloaded)
    path = offloads[0].path
    assert path is not None
    assert path.startswith("/scratch/conversation_history/")
    history = on_disk(bed, path, session).read_text()
    assert "question 0" in history
    assert "answer 0" in history
    told = [e for e in events if isinstance(e, ContextMeasured | HistoryOffloaded)]
    after = told[told.index(offloads[0]) + 1]
    assert isinstance(after, ContextMeasured)
    assert after.tokens < 8000 * 0.85
    assert {e.window for e in only(events, ContextMeasured)} == {8000}


async def test_long_arguments_that_a_request_leaves_out_are_told(bed: Bed) -> None:
    big = "line of text\n" * 600
    script = {
        "script": 1,
        "window": 12_000,
        "turns": [
            {"rounds": [{"calls": [call("write_file", file_path="a", content=big)]}, {"say": "a"}]},
            *({"rounds": [{"say": "word " * 1500}]} for _ in range(5)),
        ],
    }
    async with bed.open(script) as conversation:
        events = [e for _ in range(6) for e in await turn(conversation, Person())]
    assert only(events, ArgumentsTruncated) or only(events, SummaryStarted)
    assert (bed.project / "a").read_text() == big


async def test_todos_are_told_when_they_change(bed: Bed) -> None:
    todos = [
        {"content": "look", "status": "completed"},
        {"content": "change", "status": "in_progress"},
    ]
    events = await bed.play([{"calls": [call("write_todos", todos=todos)]}, {"say": "done"}])
    (changed,) = only(events, TodosChanged)
    assert [(todo.text, todo.state) for todo in changed.todos] == [
        ("look", "completed"),
        ("change", "in_progress"),
    ]


async def test_a_failing_request_is_a_paragraph_and_the_next_turn_works(bed: Bed) -> None:
    bed.settings = replace(bed.settings, model=ModelSettings(retries=0))
    script = {
        "script": 1,
        "turns": [
            {"rounds": [{"say": "half", "error": {"status": 503, "message": "busy"}}]},
            {"rounds": [{"say": "next"}]},
        ],
    }
    async with bed.open(script) as conversation:
        first = await turn(conversation, Person())
        second = await turn(conversation, Person())
    assert [(e.text, e.cut) for e in only(first, TextFinished)] == [("half", True)]
    assert type(first[-1]).__name__ == "TurnFailed"
    assert "503" in str(first[-1])
    assert second[-1] == TurnFinished("next")
