"""Steps of scripted turns that look like a real agent's: streamed text, calls, approvals."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count

from handrail.events import (
    MAIN,
    ApprovalRequested,
    Call,
    CallFinished,
    CallOutput,
    CallProposed,
    CallStarted,
    Decision,
    Event,
    PendingCall,
    Source,
    TextDelta,
    TextFinished,
)
from tests.support.fake_conversation import Ask, Hold, Step

_numbers = count(1)


def said(text: str, *, pause_s: float = 0.0, size: int = 7) -> list[Step]:
    """A message in pieces."""
    message = f"m{next(_numbers)}"
    steps: list[Step] = []
    for start in range(0, len(text), size):
        if pause_s:
            steps.append(Hold(seconds=pause_s))
        steps.append(TextDelta(MAIN, message, text[start : start + size]))
    return [*steps, TextFinished(MAIN, message, text)]


def call(name: str, **args: object) -> Call:
    return Call(f"c{next(_numbers)}", name, args)


def ran(
    made: Call, answer: str = "ok", *, source: Source = MAIN, exit_code: int | None = None
) -> list[Event]:
    """A call from its proposal to its answer."""
    finished = CallFinished(source, made, not exit_code, answer, exit_code)
    return [CallProposed(source, made), CallStarted(source, made), finished]


def printed(made: Call, lines: Sequence[str], *, pause_s: float, exit_code: int = 0) -> list[Step]:
    """A command that prints line after line."""
    steps: list[Step] = [CallProposed(MAIN, made), CallStarted(MAIN, made)]
    for line in lines:
        steps += [Hold(seconds=pause_s), CallOutput(made.id, f"{line}\n")]
    text = "\n".join(lines)
    return [*steps, CallFinished(MAIN, made, exit_code == 0, text, exit_code)]


def ask(
    *calls: Call,
    source: Source = MAIN,
    reason: str = "runs a command on this machine",
    answer: Callable[[Call], str] = lambda _: "ok",
) -> list[Step]:
    """The calls are proposed, asked for, and then run or not, as was decided."""
    request = ApprovalRequested(
        source, f"a{next(_numbers)}", tuple(PendingCall(made, reason) for made in calls)
    )

    def then(decisions: Sequence[Decision]) -> list[Event]:
        pairs = zip(calls, decisions, strict=True)
        return [
            event for made, decision in pairs for event in _after(made, decision, source, answer)
        ]

    return [*(CallProposed(source, made) for made in calls), Ask(request, then)]


def _after(
    made: Call, decision: Decision, source: Source, answer: Callable[[Call], str]
) -> list[Event]:
    if decision.kind in {"reject", "respond"}:
        return [CallFinished(source, made, decision.kind == "respond", decision.message)]
    args: Mapping[str, object] = made.args if decision.args is None else decision.args
    run = Call(made.id, made.name, args)
    exit_code = 0 if made.name == "execute" else None
    return [CallStarted(source, run), CallFinished(source, run, True, answer(run), exit_code)]
