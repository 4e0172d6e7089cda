"""The gate at execution: nothing gated runs undecided, with other arguments, or twice.

It stands in the main agent and in every sub-agent and does not rely on the approval being asked.
"""

from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolCall, ToolMessage

from handrail.engine.calls import CallKey, hash_of, key_of
from handrail.engine.journal import Entry, Journal
from handrail.engine.order import Answer, Handler
from handrail.engine.signals import emit
from handrail.events import MAIN, Call, CallStarted
from handrail.policy import Judgement, Policy, Verdict
from handrail.policy.table import may_change

INTERRUPTED = (
    "Interrupted: this call had started and did not finish. Its effect is unknown and it was not"
    " run again. Look at what is there before you repeat it."
)


class Gate(AgentMiddleware[Any, Any, Any]):
    """Asks the journal on every execution; `policy` may change, a judged call keeps its verdict."""

    def __init__(self, journal: Journal, policy: Policy) -> None:
        super().__init__()
        self._journal = journal
        self.policy = policy

    def judge(self, key: CallKey, call: ToolCall) -> Judgement:
        """The verdict of a call: computed once, then remembered under its key."""
        name, args = call["name"], call["args"]
        hash_ = hash_of(name, args)
        entry = self._journal.find(key, hash_)
        if entry is not None:
            return entry.judgement
        judgement = self.policy.judge(name, args)
        self._journal.judged(key, name, hash_, judgement)
        return judgement

    def is_finished(self, key: CallKey, hash_: str) -> bool:
        entry = self._journal.find(key, hash_)
        return entry is not None and entry.state == "finished"

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Answer:
        if request.tool is None:
            return await handler(request)  # the library names the tools that exist
        key, hash_ = key_of(request), hash_of(request.tool_call["name"], request.tool_call["args"])
        judgement = self.judge(key, request.tool_call)
        entry = self._journal.find(key, hash_)
        refusal = _refusal(request, judgement, entry)
        if refusal is not None:
            return refusal
        return await self._run(request, handler, key, hash_, entry)

    async def _run(
        self,
        request: ToolCallRequest,
        handler: Handler,
        key: CallKey,
        hash_: str,
        entry: Entry | None,
    ) -> Answer:
        changing = may_change(request.tool_call["name"])
        if changing:
            self._journal.started(key, hash_)
        emit(CallStarted(MAIN, _effective(request, entry)))
        answer = await handler(request)
        self._journal.finished(key, hash_, _record(answer) if changing else {})
        return answer


def _refusal(
    request: ToolCallRequest, judgement: Judgement, entry: Entry | None
) -> ToolMessage | None:
    """The answer in place of the call, or None when it may run now."""
    if judgement.verdict is Verdict.DENY:
        return _answer(request, f"Refused: {judgement.because}.", refused=True)
    if judgement.verdict is Verdict.ASK and not _is_approved(request, entry):
        return _answer(
            request, "Refused: the developer has not approved this call.", refused=True
        )
    if entry is None or not may_change(request.tool_call["name"]):
        return None
    if entry.state == "started":
        return _answer(request, INTERRUPTED)
    if entry.state == "finished" and entry.result is not None:
        return ToolMessage(**entry.result)
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


def _record(answer: Answer) -> dict[str, Any]:
    """What is needed to give the answer again; a graph command is not kept."""
    if not isinstance(answer, ToolMessage):
        return {}
    fields = ("content", "tool_call_id", "name", "status", "artifact")
    return {name: getattr(answer, name) for name in fields}
