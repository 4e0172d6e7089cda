"""The gate at execution: nothing gated runs undecided, with other arguments, or twice.

It stands in the main agent and in every sub-agent and does not rely on the approval being asked.
"""

import sqlite3
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolCall, ToolMessage
from langgraph.errors import GraphBubbleUp

from handrail.credentials.secret import without_secrets
from handrail.engine.calls import CallKey, about, hash_of, key_of
from handrail.engine.journal import Entry, Journal
from handrail.engine.order import Handler
from handrail.engine.records import Answer, message_in, record, restored
from handrail.engine.signals import emit, know
from handrail.events import MAIN, Call, CallStarted
from handrail.policy import Judgement, Policy, Verdict
from handrail.policy.table import may_change, stays_in_session

INTERRUPTED = (
    "Interrupted: this call had started and did not finish. Its effect is unknown and it was not"
    " run again. Look at what is there before you repeat it."
)

_NO_SUCH_TOOL = Judgement(Verdict.DENY, "there is no such tool")


class Gate(AgentMiddleware[Any, Any, Any]):
    """Asks the journal on every execution; `policy` may change, a judged call keeps its verdict.

    Every call that was answered is `finished` in the journal, also a refused or failed one, so
    that nothing waits for it when the step is gone through again. Results of more than `longest`
    characters are kept whole only once they lie in a file.
    """

    def __init__(self, journal: Journal, policy: Policy, longest: int = 100_000) -> None:
        super().__init__()
        self._journal = journal
        self._longest = longest
        self._cut: set[tuple[CallKey, str]] = set()
        self.policy = policy

    def judge(self, key: CallKey, call: ToolCall) -> Judgement:
        """The verdict of a call: computed once, then remembered under its key."""
        name, args = call["name"], call["args"]
        hash_ = hash_of(name, args)
        entry = self._journal.find(key, hash_)
        if entry is not None:
            return entry.judgement
        judgement = self.policy.judge(name, args)
        self._journal.judged(key, name, hash_, judgement, about(name, args))
        return judgement

    def is_finished(self, key: CallKey, hash_: str) -> bool:
        entry = self._journal.find(key, hash_)
        return entry is not None and entry.state == "finished"

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Answer:
        call = request.tool_call
        key, hash_ = key_of(request), hash_of(call["name"], call["args"])
        if request.tool is None:
            self._journal.judged(key, call["name"], hash_, _NO_SUCH_TOOL)
            answer = await handler(request)  # the library names the tools that exist
            self._finish(key, hash_, call, answer)
            return answer
        judgement = self.judge(key, call)
        know(Call(key.call, call["name"], call["args"]))
        entry = self._journal.find(key, hash_)
        if entry is not None and entry.state == "finished" and _is_recorded(call):
            return restored(entry.result or {}, call)
        refusal = _refusal(request, judgement, entry)
        if refusal is not None:
            self._finish(key, hash_, call, refusal)
            return refusal
        return await self._run(request, handler, key, hash_, entry)

    def offloaded(self, request: ToolCallRequest, answer: Answer) -> None:
        """A result that was too long for the journal now lies in a file: keep what names it."""
        call = request.tool_call
        key, hash_ = key_of(request), hash_of(call["name"], call["args"])
        if (key, hash_) in self._cut:
            self._finish(key, hash_, call, answer)
            self._cut.discard((key, hash_))

    async def _run(
        self,
        request: ToolCallRequest,
        handler: Handler,
        key: CallKey,
        hash_: str,
        entry: Entry | None,
    ) -> Answer:
        call = request.tool_call
        if call["name"] == "task":
            self._journal.entered(key, hash_, _own_namespace(request))
        elif _is_recorded(call):
            self._journal.started(key, hash_)
        emit(CallStarted(MAIN, _effective(request, entry)))
        try:
            answer = await handler(request)
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001  # a tool's failure is an answer to the model
            answer = _answer(request, tool_failed(error, request))
        self._finish(key, hash_, call, answer)
        return answer

    def _finish(self, key: CallKey, hash_: str, call: ToolCall, answer: Answer) -> None:
        """When the journal cannot be written any more, the answer at hand is still given."""
        message = message_in(answer, call["id"] or "") if _is_recorded(call) else None
        kept: dict[str, Any] = {}
        if message is not None:
            kept, is_cut = record(message, call["name"], self._longest)
            if is_cut:
                self._cut.add((key, hash_))
        try:
            self._journal.finished(key, hash_, kept)
        except sqlite3.Error:
            return


def tool_failed(error: Exception, request: ToolCallRequest) -> str:
    """A tool's failure is an answer to the model, never the end of the turn."""
    said = without_secrets(str(error))
    return f"{request.tool_call['name']} failed: {type(error).__name__}: {said}"


def _is_recorded(call: ToolCall) -> bool:
    """Whether the answer must not be made a second time: all others come again as they were."""
    name = call["name"]
    return name == "task" or (may_change(name) and not stays_in_session(name, call["args"]))


def _own_namespace(request: ToolCallRequest) -> str:
    runtime: Any = cast("Any", request).runtime  # its own type is partly unknown
    configurable: dict[str, Any] = runtime.config.get("configurable") or {}
    return str(configurable.get("checkpoint_ns", ""))


def _refusal(
    request: ToolCallRequest, judgement: Judgement, entry: Entry | None
) -> ToolMessage | None:
    """The answer in place of the call, or None when it may run now."""
    if judgement.verdict is Verdict.DENY:
        return _answer(request, f"Refused: {judgement.because}.", refused=True)
    if judgement.verdict is Verdict.ASK and not _is_approved(request, entry):
        return _answer(request, "Refused: the developer has not approved this call.", refused=True)
    if entry is not None and entry.state == "started":
        return _answer(request, INTERRUPTED)
    return None


def _is_approved(request: ToolCallRequest, entry: Entry | None) -> bool:
    if entry is None or entry.decision is None or entry.decision.kind not in ("approve", "edit"):
        return False
    return entry.decided_hash == hash_of(request.tool_call["name"], _effective(request, entry).args)


def _effective(request: ToolCallRequest, entry: Entry | None) -> Call:
    """The call as it runs: the framework puts an edit in place further in."""
    name, args = request.tool_call["name"], request.tool_call["args"]
    state = cast("dict[str, Any]", request.state)
    edits: dict[str, dict[str, Any]] = state.get("hitl_edited_tool_calls") or {}
    edited = edits.get(request.tool_call["id"] or "")
    if edited is not None and entry is not None and entry.decision is not None:
        name, args = edited["name"], edited["args"]
    return Call(request.tool_call["id"] or "", name, args)


def _answer(request: ToolCallRequest, text: str, *, refused: bool = False) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(
        text,
        tool_call_id=call["id"],
        name=call["name"],
        status="error",
        artifact={"refused": True} if refused else None,
    )
