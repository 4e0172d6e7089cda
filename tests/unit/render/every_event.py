"""Every event with one text in all the places that can hold any."""

from collections.abc import Iterator

from handrail.events import (
    ApprovalAnswered,
    ApprovalRequested,
    ArgumentsTruncated,
    Call,
    CallFinished,
    CallOutput,
    CallProposed,
    CallStarted,
    ContextMeasured,
    Decision,
    Event,
    HistoryOffloaded,
    Notice,
    PendingCall,
    ReasoningDelta,
    ResultOffloaded,
    RetryScheduled,
    Source,
    SubagentFinished,
    SubagentStarted,
    SummaryFinished,
    SummaryStarted,
    TextDelta,
    TextFinished,
    Todo,
    TodosChanged,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    TurnStopped,
    UsageCounted,
)

TOOLS = (
    "delete",
    "edit_file",
    "execute",
    "glob",
    "grep",
    "ls",
    "read_file",
    "task",
    "write_file",
    "write_todos",
)


def calls_with(text: str) -> Iterator[Call]:
    names = (
        "command",
        "content",
        "description",
        "file_path",
        "glob",
        "new_string",
        "old_string",
        "path",
        "pattern",
        "subagent_type",
    )
    for tool in (*TOOLS, text):
        yield Call(f"c{tool}", tool, {**dict.fromkeys(names, text), "other": [text], text: 1})


def events_with(text: str) -> Iterator[Event]:
    main = Source()
    agents = Source(text, "t1"), Source(text, "t2")
    for call in calls_with(text):
        yield CallProposed(main, call)
        yield ApprovalRequested(main, "a1", (PendingCall(call, text),))
        yield CallStarted(main, call)
        yield CallFinished(main, call, ok=True, text=text)
        yield CallFinished(agents[0], call, ok=True, text=text, exit_code=0)
        yield CallFinished(main, call, ok=False, text=text)
    for source in (*agents, main):
        yield TurnStarted(text)
        yield from (SubagentStarted(agent, text) for agent in agents)
        yield TextDelta(source, "m1", text)
        yield ReasoningDelta(source, "m1", text)
        yield TextFinished(source, "m1", text, cut=True)
        yield RetryScheduled(source, 1, 4, 2.5, text)
        yield TodosChanged(source, tuple(Todo(text, s) for s in ("completed", "in_progress")))
        yield TodosChanged(source, (Todo(text, "pending"),) * 9)
        yield from (SubagentFinished(agent) for agent in agents)
    yield from _answers(text)
    yield from _of_the_context(text, main)
    yield CallOutput("c1", text)
    yield Notice(text)
    yield TurnFinished(text)
    yield TurnStopped()
    yield TurnFailed(text)


def _answers(text: str) -> Iterator[Event]:
    for call in calls_with(text):
        decisions = (
            Decision("approve"),
            Decision("approve", grant="session"),
            Decision("edit", args={text: text}),
            Decision("reject", text),
            Decision("respond", text),
        )
        yield ApprovalAnswered("a1", (call,) * len(decisions), decisions)


def _of_the_context(text: str, source: Source) -> Iterator[Event]:
    yield ContextMeasured(source, 1, 2)
    yield UsageCounted(source, 1, 2)
    yield SummaryStarted(source, 1)
    yield SummaryFinished(source, 1, text)
    yield HistoryOffloaded(source, 1, text)
    yield ResultOffloaded(source, text, text, 1)
    yield ArgumentsTruncated(source, (text,))
