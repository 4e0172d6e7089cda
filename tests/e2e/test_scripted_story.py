"""A script under the real engine: sub-agents at once, summaries, sessions that are resumed."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from handrail.events import (
    ApprovalRequested,
    Decision,
    Event,
    HistoryOffloaded,
    SubagentFinished,
    TurnFailed,
    TurnFinished,
)
from handrail.places import Places
from handrail.sessions.conversation import Conversation, SessionChoice
from handrail.sessions.opening import opener
from handrail.settings import ModelSettings, Settings

STORY = """
script: 1
window: 6000
turns:
  - rounds:
      - say: Two at once.
        calls:
          - tool: task
            args: {subagent_type: general-purpose, description: Read the first}
          - tool: task
            args: {subagent_type: general-purpose, description: Read the second}
      - choose:
          - when: (?s)one says tea.*two says cups|two says cups.*one says tea
            say: Both are read.
          - say: Something is missing.
  - rounds:
      - {say: Long., calls: [{tool: read_file, args: {file_path: long.txt, limit: 400}}]}
      - {say: Once more., calls: [{tool: read_file, args: {file_path: long.txt, limit: 400}}]}
      - say: Read twice.
  - rounds:
      - say: Goodbye.
agents:
  general-purpose:
    - user: second
      rounds:
        - calls: [{tool: read_file, args: {file_path: two.txt}}]
        - choose: [{when: cups, say: two says cups}, {say: two is empty}]
    - user: first
      rounds:
        - calls: [{tool: read_file, args: {file_path: one.txt}}]
        - choose: [{when: tea, say: one says tea}, {say: one is empty}]
summary: Two files were read.
"""


@asynccontextmanager
async def session(folder: Path, story: str, choice: SessionChoice) -> AsyncGenerator[Conversation]:
    script = folder / "story.yaml"
    script.write_text(story, "utf-8")
    project = folder / "project"
    project.mkdir(exist_ok=True)
    settings = Settings(model=ModelSettings(name=f"script:{script}"))
    places = Places(home=folder / "data", config=folder / "data")
    conversation = await opener(project, settings, places)(choice)
    try:
        yield conversation
    finally:
        await conversation.close()


async def refuse(request: ApprovalRequested) -> tuple[Decision, ...]:
    return tuple(Decision("reject") for _ in request.calls)


async def says(conversation: Conversation, text: str) -> list[Event]:
    return [event async for event in conversation.run(text, refuse)]


async def test_a_story_survives_sub_agents_summaries_and_a_new_process(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "one.txt").write_text("tea\n", "utf-8")
    (project / "two.txt").write_text("cups\n", "utf-8")
    (project / "long.txt").write_text("a line of some length\n" * 300, "utf-8")
    heard: list[Event] = []
    async with session(tmp_path, STORY, SessionChoice()) as conversation:
        heard += await says(conversation, "read both")
        heard += await says(conversation, "and the long one")
    async with session(tmp_path, STORY, SessionChoice(resume=True)) as conversation:
        heard += await says(conversation, "bye")
        heard += await says(conversation, "still there?")
    assert [event.text for event in heard if isinstance(event, TurnFinished)] == [
        "Both are read.",
        "Read twice.",
        "Goodbye.",
        "The script story has ended: there are no more turns in it.",
    ]
    assert sum(isinstance(event, SubagentFinished) for event in heard) == 2
    assert any(isinstance(event, HistoryOffloaded) and event.path for event in heard)


async def test_a_scripted_failure_ends_the_turn_and_the_next_message_goes_on(
    tmp_path: Path,
) -> None:
    story = """
script: 1
turns:
  - rounds: [{say: I lo, error: {status: 401, message: the key is not valid}}]
  - rounds: [{say: Better now.}]
"""
    async with session(tmp_path, story, SessionChoice()) as conversation:
        failed = (await says(conversation, "go"))[-1]
        after = (await says(conversation, "again"))[-1]
    assert isinstance(failed, TurnFailed)
    assert after == TurnFinished("Better now.")
