"""One sitting in a session that kills itself at a stated point; runs in a process of its own.

The product has no hooks for this: methods of the journal, the saver and the model are wrapped here.
"""

import asyncio
import functools
import inspect
import json
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ToolCall,
    ToolMessage,
)
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from handrail.engine.calls import CallKey
from handrail.engine.gate import Gate
from handrail.engine.journal import Journal
from handrail.engine.scripted import ScriptedChatModel
from handrail.engine.summaries import ToldSummaries
from handrail.events import ApprovalRequested, CallOutput, Decision, Event
from handrail.policy import Judgement
from handrail.sessions.conversation import SessionChoice
from handrail.sessions.event_codec import encode
from handrail.sessions.opening import opener
from tests.support.engine_bed import Bed
from tests.support.killed_turns import Kill, Sitting

ALARM_S = 40
"""A sitting that takes longer hangs."""


class Watch:
    """Counts the points that are passed and kills the process at the one that was asked for."""

    def __init__(self, kill: Kill | None, log: Callable[[Mapping[str, object]], None]) -> None:
        self._kill = kill
        self._log = log
        self._armed = kill is None or not kill.after
        self._left = kill.nth if kill else 0
        self.stop: Callable[[], None] = lambda: None

    def passes(self, point: str, about: str = "") -> None:
        kill = self._kill
        if kill is None:
            return
        if self._armed and kill.point in ("", point) and kill.about in about:
            self._left -= 1
            if self._left == 0:
                self._log({"killed": f"{point}: {about[:80]}"})
                if kill.stop:
                    self.stop()
                else:
                    os.kill(os.getpid(), signal.SIGKILL)
        if kill.after and kill.after == point and kill.after_about in about:
            self._armed = True

    def around(self, owner: type, name: str, about: Callable[..., str]) -> None:
        """Have `before NAME` and `after NAME` passed at every call of a method."""
        method = getattr(owner, name)

        @functools.wraps(method)
        def plain(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # as the method
            self.passes(f"before {name}", about(*args, **kwargs))
            result = method(*args, **kwargs)
            self.passes(f"after {name}", about(*args, **kwargs))
            return result

        @functools.wraps(method)
        async def waiting(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # as the method
            self.passes(f"before {name}", about(*args, **kwargs))
            result = await method(*args, **kwargs)
            self.passes(f"after {name}", about(*args, **kwargs))
            return result

        setattr(owner, name, waiting if inspect.iscoroutinefunction(method) else plain)


def play(sitting: Sitting) -> None:
    """All of a sitting, in a process that is this sitting's alone."""
    signal.alarm(ALARM_S)
    asyncio.run(_Play(sitting).run())


def _kill_later(after_ms: int) -> None:
    timer = threading.Timer(after_ms / 1000, os.kill, (os.getpid(), signal.SIGKILL))
    timer.daemon = True
    timer.start()


class _Play:
    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self._answers = list(sitting.answers)
        self._log_file = os.open(
            Path(sitting.root, "log.jsonl"), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600
        )
        self._watch = Watch(sitting.kill, self._log)
        self._calls: dict[CallKey, str] = {}

    async def run(self) -> None:
        self._wrap()
        bed = Bed(Path(self._sitting.root))
        settings = bed.settings
        choice = SessionChoice(
            resume=self._sitting.resume, model=f"script:{bed.root / 'script.yaml'}"
        )
        later = self._sitting.kill_after_ms
        if later and self._sitting.resume:
            _kill_later(later)
        conversation = await opener(bed.project, settings, bed.places)(choice)
        if later and not self._sitting.resume:
            _kill_later(later)  # before that there is no turn
        self._log({"past": [encode(event) for event in conversation.past]})
        self._watch.stop = conversation.stop
        try:
            self._log({"unfinished": conversation.unfinished})
            if conversation.unfinished and not self._sitting.ignore_unfinished:
                await self._show(conversation.go_on(self._decide))
            if self._sitting.text:
                await self._show(conversation.run(self._sitting.text, self._decide))
        finally:
            await conversation.close()

    async def _show(self, events: AsyncIterator[Event]) -> None:
        async for event in events:
            self._log({"event": encode(event)})
            if isinstance(event, CallOutput):
                self._watch.passes("output", event.text)
            self._watch.passes("event", type(event).__name__)

    async def _decide(self, request: ApprovalRequested) -> tuple[Decision, ...]:
        asked = [_text(dict(pending.call.args)) for pending in request.calls]
        self._log({"asked": asked})
        self._watch.passes("asked", " ".join(asked))
        if self._answers:
            given = self._answers.pop(0)
            return tuple(Decision(**cast("dict[str, Any]", one)) for one in given)
        return tuple(Decision("approve") for _ in request.calls)

    def _log(self, entry: Mapping[str, object]) -> None:
        os.write(self._log_file, (json.dumps(entry, default=str) + "\n").encode())

    def _wrap(self) -> None:
        judge, calls = Gate.judge, self._calls

        def remembering(self: Gate, key: CallKey, call: ToolCall) -> Judgement:
            calls[key] = _text(call["args"])
            return judge(self, key, call)

        Gate.judge = remembering
        for name in ("judged", "decided", "started", "finished", "_update"):
            self._watch.around(Journal, name, self._about)
        self._watch.around(AsyncSqliteSaver, "aput", _whose)
        self._watch.around(AsyncSqliteSaver, "aput_writes", _whose)
        for name in ("_acreate_summary", "_aoffload_to_backend"):
            self._watch.around(ToldSummaries, name, lambda *_, **__: "")
        self._wrap_model()

    def _about(self, _: Journal, key: object, *__: object) -> str:
        if isinstance(key, list):
            return " ".join(self._about(_, one[0]) for one in cast("list[tuple[CallKey]]", key))
        return self._calls.get(key, "") if isinstance(key, CallKey) else ""

    def _wrap_model(self) -> None:
        chunks = ScriptedChatModel._chunks  # pyright: ignore[reportPrivateUsage]  # where every request passes

        play = self

        def noting(
            self: ScriptedChatModel, messages: list[BaseMessage], kwargs: dict[str, Any]
        ) -> Iterator[ChatGenerationChunk]:
            play.note_request(role(self), messages)
            for chunk in chunks(self, messages, kwargs):
                play.note_chunk(chunk)
                yield chunk

        ScriptedChatModel._chunks = noting  # pyright: ignore[reportPrivateUsage]  # as above

    def note_request(self, who: str, messages: Sequence[BaseMessage]) -> None:
        self._log({"request": [_shown(message) for message in messages], "role": who})
        self._log({"faults": faults(messages)})

    def note_chunk(self, chunk: ChatGenerationChunk) -> None:
        self._watch.passes("chunk")
        if self._sitting.id_of_every_call:
            message = cast("AIMessageChunk", chunk.message)
            for call in (*message.tool_call_chunks, *message.tool_calls):
                call["id"] = self._sitting.id_of_every_call


def role(model: ScriptedChatModel) -> str:
    return model._role  # pyright: ignore[reportPrivateUsage]  # says who asks


def faults(messages: Sequence[BaseMessage]) -> list[str]:
    """What a strict service would refuse: every call has one answer, right behind its message."""
    found: list[str] = []
    open_ids: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            if message.tool_call_id in open_ids:
                open_ids.remove(message.tool_call_id)
            else:
                found.append(f"an answer to no open call: {message.tool_call_id}")
            continue
        found += [f"no answer to {one}" for one in open_ids]
        open_ids = []
        if isinstance(message, AIMessage):
            open_ids = [call["id"] or "" for call in message.tool_calls]
            if len(set(open_ids)) != len(open_ids):
                found.append(f"repeated ids: {open_ids}")
    return found + [f"no answer to {one}" for one in open_ids]


def _whose(
    _: AsyncSqliteSaver, config: RunnableConfig, stored: object, *__: object, **___: object
) -> str:
    """Whose step is stored, and for the writes of one into which channels."""
    of = "sub-agent" if config.get("configurable", {}).get("checkpoint_ns") else "main"
    writes = cast("list[tuple[str, object]]", stored) if isinstance(stored, list) else []
    return " ".join([of, *(channel for channel, _ in writes)])


def _shown(message: BaseMessage) -> list[str]:
    return [message.type, "" if message.type == "system" else str(message.text)]


def _text(args: Mapping[str, object]) -> str:
    return json.dumps(args, sort_keys=True)
