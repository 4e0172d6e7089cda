"""Makes a thread whole that was cut off in the middle of calls: each gets the answer it has.

Without this a new message would throw away results that were finished but not yet stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langgraph.types import StateSnapshot

from handrail.engine.calls import CallKey, about, hash_of
from handrail.engine.gate import INTERRUPTED
from handrail.engine.journal import Journal, Step
from handrail.engine.records import restored
from handrail_backends.limits import shorten

NOT_RUN = "Not run: the turn was interrupted before this call."
NO_ANSWER = "Interrupted: nothing was kept of this call, neither answer nor note. Repeat it."

_SUBAGENT = "Interrupted: the sub-agent did not finish, and it is not taken up again."
_LONGEST_STEP = 2_000
_LONGEST_REPORT = 20_000
"""In characters, of what a sub-agent's calls answered."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What has to be written to the thread."""

    values: dict[str, Any]
    as_node: str
    """The step whose place it takes."""
    interrupted: tuple[str, ...]
    """What the calls were about that had begun and have no answer."""


def is_waiting(state: StateSnapshot, thread: str, journal: Journal) -> bool:
    """Whether the turn can go on by itself: calls wait for the person, or for their turn to run."""
    if state.interrupts:
        return True
    last, have = _last_calls(state)
    if last is None:
        return False
    for call in last.tool_calls:
        entry = journal.find(_key(thread, last, call), hash_of(call["name"], call["args"]))
        if call["id"] in have or entry is None:
            continue
        if entry.decision is not None and entry.state == "judged":
            return True
    return False


def settlement(state: StateSnapshot, thread: str, journal: Journal) -> Settlement | None:
    """None when the thread is whole.

    What a step wrote before it was cut off is stored beside the thread, and a new message would
    drop it: it is written again, as a part of the thread.
    """
    written = _written(state)
    new = written.pop("messages", [])
    last, have = _last_calls(state)
    if last is None:
        return Settlement({**written, "messages": new}, "model", ()) if new else None
    is_answered = all(call["id"] in have for call in last.tool_calls)
    if is_answered and not new:
        return None
    answers: list[AnyMessage] = [m for m in new if not isinstance(m, ToolMessage)]
    interrupted: list[str] = []
    for call in last.tool_calls:
        answer = have.get(call["id"] or "")
        if answer is None:
            answer, cut = _answer(journal, _key(thread, last, call), call)
            interrupted += cut
        answers.append(answer)
    return Settlement({**written, "messages": answers}, "tools", tuple(interrupted))


def _last_calls(state: StateSnapshot) -> tuple[AIMessage | None, dict[str, ToolMessage]]:
    """The message whose calls the cut-off turn was at, if it was, and their answers so far."""
    messages: list[AnyMessage] = state.values.get("messages", [])
    last = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
    if not state.tasks or last is None or not last.tool_calls:
        return None, {}
    after = messages[messages.index(last) + 1 :]
    return last, {m.tool_call_id: m for m in after if isinstance(m, ToolMessage)}


def _written(state: StateSnapshot) -> dict[str, Any]:
    """What the finished parts of the step wrote: messages, the session's own files, todos."""
    found: dict[str, Any] = {}
    for task in state.tasks:
        result = cast("object", task.result)
        if not isinstance(result, dict):
            continue
        for channel, value in cast("dict[str, object]", result).items():
            for one in _each(value):
                found[channel] = _joined(found.get(channel), one)
    return found


def _each(value: object) -> list[object]:
    """The framework's form of several writes into one channel."""
    if isinstance(value, dict) and list(cast("dict[str, object]", value)) == ["$writes"]:
        return cast("dict[str, list[object]]", value)["$writes"]
    return [value]


def _joined(before: object, value: object) -> object:
    if isinstance(value, list) and isinstance(before, list):
        return cast("list[object]", before) + cast("list[object]", value)
    if isinstance(value, dict) and isinstance(before, dict):
        return cast("dict[str, object]", before) | cast("dict[str, object]", value)
    return cast("object", value)


def _key(thread: str, message: AIMessage, call: ToolCall) -> CallKey:
    return CallKey(thread, "", message.id or "", call["id"] or "")


def _answer(journal: Journal, key: CallKey, call: ToolCall) -> tuple[ToolMessage, list[str]]:
    """What the journal knows of a call that the thread has no answer for, and what was cut."""
    hash_ = hash_of(call["name"], call["args"])
    entry = journal.find(key, hash_)
    what = about(call["name"], call["args"])
    if entry is None:
        return _error(call, NOT_RUN), []
    if entry.state == "finished":
        return (restored(entry.result, call) if entry.result else _error(call, NO_ANSWER)), []
    if call["name"] == "task":
        steps = journal.steps_below(key, hash_)
        cut = [step.about for step in steps if step.state == "started"]
        return _error(call, _report(steps)), cut or [what]
    if entry.state == "started":
        return _error(call, INTERRUPTED), [what]
    return _error(call, NOT_RUN), []


def _report(steps: Sequence[Step]) -> str:
    """What is known of a sub-agent's work, so that it is not done again."""
    lines = [_SUBAGENT]
    for step in steps:
        if step.state == "started":
            lines.append(f"Its call `{step.about}` had started; its effect is unknown.")
        elif step.state == "finished" and step.result:
            text = shorten(_text(step.result), _LONGEST_STEP)
            lines.append(f"Its call `{step.about}` finished:\n{text}")
    return shorten("\n\n".join(lines), _LONGEST_REPORT)


def _text(result: Mapping[str, Any]) -> str:
    content: object = result.get("content", "")
    return content if isinstance(content, str) else str(content)


def _error(call: ToolCall, text: str) -> ToolMessage:
    return ToolMessage(text, tool_call_id=call["id"], name=call["name"], status="error")
