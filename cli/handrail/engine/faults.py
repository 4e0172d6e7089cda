"""What can be wrong with a model's answer, what is said of it, and how often it is put up with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

FaultKind = Literal["cut", "malformed", "stuck", "empty", "spent", "shortened", "declined"]

MARK = "handrail_fault"
"""The key in a message's response metadata."""
NUDGE = "nudge"
"""The `lc_source` of a message that no person wrote."""

MOST = 3
"""Times in a row that the same broken thing is answered and tried again."""
_MOST = {"empty": 2, "spent": 2, "shortened": 1, "declined": 1, "stuck": 1}


@dataclass(frozen=True, slots=True)
class Fault:
    kind: FaultKind
    last: bool
    """Whether the turn ends here."""


ANSWERS: dict[FaultKind, str] = {
    "cut": (
        "Not run: your message was cut off by the output limit, so its calls may be incomplete."
        " Nothing of them was run. Split the work into smaller calls, for example write a long file"
        " in several parts."
    ),
    "malformed": (
        "Not run: the arguments of this call are no valid JSON object. Send the call again with"
        " complete arguments."
    ),
    "declined": "Not run: the answer was ended by a content filter before it was complete.",
    "stuck": "Not run: exactly this call has failed before, and again. Do something else.",
}
"""In the place of a call's result, for the model."""

NUDGES: dict[FaultKind, str] = {
    "empty": "Your last message was empty. Answer, or go on with the next call.",
    "spent": (
        "The output limit was reached before you answered. Think less, then answer or go on with"
        " the next call."
    ),
}

NOTICES: dict[FaultKind, str] = {
    "cut": (
        "Again and again the model's output limit cut its calls. None of those was run."
        " Ask for smaller steps, or raise `model.max_output_tokens`."
    ),
    "malformed": (
        "Again and again the model sent calls that cannot be read. None of those was run."
        " Send the message again, or choose another model with `/model`."
    ),
    "stuck": (
        "The model kept repeating a call that fails. Say how to go on, or"
        " choose another model with `/model`."
    ),
    "empty": (
        "The model answered nothing, also when asked again. Send the message again, or choose"
        " another model with `/model`."
    ),
    "spent": (
        "The model used its whole output limit and gave no answer. Ask for less at once, or raise"
        " `model.max_output_tokens`."
    ),
    "shortened": (
        "The answer was cut by the model's output limit. Ask it to go on, or raise"
        " `model.max_output_tokens`."
    ),
    "declined": (
        "The model or its provider's filter declined to answer this. Put it differently, or start"
        " afresh with `/new`."
    ),
}
"""For the person, when the turn ends by it."""

REPORTS: dict[FaultKind, str] = {
    "cut": "[Ended early: the output limit cut its calls again and again; they were not run.]",
    "malformed": "[Ended early: its calls could not be read again and again; they were not run.]",
    "stuck": "[Ended early: it kept repeating a call that fails.]",
    "empty": "[Ended without an answer.]",
    "spent": "[Ended without an answer: the output limit was used up.]",
    "shortened": "[The output limit cut this answer here.]",
    "declined": "[Ended early: the model or its provider's filter declined.]",
}
"""For the agent that started a sub-agent, at the end of its words."""


def fault_of(message: AIMessage) -> Fault | None:
    """What was found when the message came. It was stored, so it is checked."""
    found: object = cast("dict[str, object]", message.response_metadata).get(MARK)
    if not isinstance(found, dict):
        return None
    fields = cast("dict[str, object]", found)
    kind = cast("FaultKind", fields.get("kind"))
    return Fault(kind, last=fields.get("last") is True) if kind in NOTICES else None


def counted(kind: FaultKind, before: Sequence[AnyMessage]) -> Fault:
    """The fault with its number in this turn: `before` are the messages up to now."""
    times = 1
    for message in reversed(before):
        if isinstance(message, AIMessage):
            earlier = fault_of(message)
            if earlier is None or earlier.kind != kind:
                break
            times += 1
        elif isinstance(message, HumanMessage) and not is_nudge(message):
            break
    return Fault(kind, last=times >= _MOST.get(kind, MOST))


def is_nudge(message: HumanMessage) -> bool:
    return cast("dict[str, object]", message.additional_kwargs).get("lc_source") == NUDGE
