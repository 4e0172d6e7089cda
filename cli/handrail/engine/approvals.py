"""Between the framework's interrupts and the person: which calls wait, and what is answered.

The framework lists waiting calls by position alone, so each description carries what identifies
its call. A wrong answer would be stored and replayed on every later resume, so none leaves here
unchecked.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from langchain.agents.middleware import AgentState, InterruptOnConfig
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolCall
from langgraph.config import get_config
from langgraph.runtime import Runtime
from langgraph.types import Interrupt

from handrail.engine.calls import CallKey, hash_of, key_from, key_of
from handrail.engine.gate import Gate
from handrail.engine.journal import Journal
from handrail.events import ApprovalRequested, Call, Decision, DecisionKind, PendingCall, Source
from handrail.policy import Verdict
from handrail.policy.table import GATED_TOOLS, grant_key
from handrail.whole_text import whole_mapping, without_surrogates


@dataclass(frozen=True, slots=True)
class Waiting:
    """One interrupt: the request for the person, and the keys of its calls in the same order."""

    request: ApprovalRequested
    keys: tuple[CallKey, ...]


def interrupt_on(gate: Gate, agent: str) -> dict[str, bool | InterruptOnConfig]:
    """Which calls of an agent ask: those whose verdict, computed once, is `ASK`."""

    def when(request: ToolCallRequest) -> bool:
        key = key_of(request)
        return gate.judge(key, request.tool_call).verdict is Verdict.ASK

    def describe(tool_call: ToolCall, state: AgentState[Any], runtime: Runtime[Any]) -> str:
        del runtime
        key = key_from(get_config(), state, tool_call)
        reason = gate.judge(key, tool_call).because
        return json.dumps({"key": asdict(key), "agent": agent, "reason": reason})

    decisions: list[DecisionKind] = ["approve", "edit", "reject", "respond"]
    config = InterruptOnConfig(allowed_decisions=decisions, description=describe, when=when)
    return dict.fromkeys(GATED_TOOLS, config)


def read_interrupt(interrupt: Interrupt, task_call: Mapping[str, str]) -> Waiting:
    """What an interrupt asks; `task_call` maps a sub-agent's namespace to its `task` call."""
    pending: list[PendingCall] = []
    keys: list[CallKey] = []
    agent = "main"
    for action in interrupt.value["action_requests"]:
        known: dict[str, Any] = json.loads(action["description"])
        key = CallKey(**known["key"])
        agent = str(known["agent"])
        keys.append(key)
        pending.append(
            PendingCall(Call(key.call, action["name"], action["args"]), str(known["reason"]))
        )
    namespace = keys[0].namespace if keys else ""
    source = Source(agent, task_call.get(namespace))
    return Waiting(ApprovalRequested(source, interrupt.id, tuple(pending)), tuple(keys))


def checked(waiting: Waiting, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """The decisions as they may be sent: whatever does not fit its call becomes a rejection."""
    calls = waiting.request.calls
    if len(decisions) != len(calls):
        reason = "The developer's answer did not fit the calls that waited; nothing was run."
        return tuple(Decision("reject", reason) for _ in calls)
    return tuple(_checked_one(decision) for decision in decisions)


def _checked_one(decision: Decision) -> Decision:
    if decision.kind == "edit" and decision.args is None:
        return Decision("reject", "The developer's edit was empty; nothing was run.")
    args = None if decision.args is None else whole_mapping(decision.args)
    return replace(decision, message=without_surrogates(decision.message), args=args)


def record(journal: Journal, waiting: Waiting, decisions: Sequence[Decision]) -> None:
    """Keep the decisions before the framework hears of them."""
    calls = zip(waiting.keys, waiting.request.calls, decisions, strict=True)
    journal.decided([(key, at.call.name, at.call.args, it) for key, at, it in calls])


def recorded(journal: Journal, waiting: Waiting) -> tuple[Decision, ...] | None:
    """What the person decided before a kill came in between; None when it has to be asked."""
    decisions: list[Decision] = []
    for key, pending in zip(waiting.keys, waiting.request.calls, strict=True):
        entry = journal.find(key, hash_of(pending.call.name, pending.call.args))
        if entry is None or entry.decision is None:
            return None
        decisions.append(entry.decision)
    return tuple(decisions)


def grants(waiting: Waiting, decisions: Sequence[Decision]) -> set[tuple[str, str]]:
    """What the person allowed for the rest of the session."""
    return {
        grant_key(pending.call.name, pending.call.args if decision.args is None else decision.args)
        for pending, decision in zip(waiting.request.calls, decisions, strict=True)
        if decision.grant == "session" and decision.kind in ("approve", "edit")
    }


def to_resume(waiting: Waiting, decisions: Sequence[Decision]) -> dict[str, Any]:
    """The framework's form of the answer."""
    pairs = zip(waiting.request.calls, decisions, strict=True)
    return {"decisions": [_to_framework(pending.call, decision) for pending, decision in pairs]}


def _to_framework(call: Call, decision: Decision) -> dict[str, Any]:
    match decision.kind:
        case "approve":
            return {"type": "approve"}
        case "edit":
            return {
                "type": "edit",
                "edited_action": {"name": call.name, "args": dict(decision.args or {})},
            }
        case "reject":
            return (
                {"type": "reject", "message": decision.message}
                if decision.message
                else {"type": "reject"}
            )
        case "respond":
            return {"type": "respond", "message": decision.message}
