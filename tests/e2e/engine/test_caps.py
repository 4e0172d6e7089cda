"""What a run may take of the model is kept at the last request before it would be passed."""

from handrail.caps import Caps
from handrail.events import CallFinished, Event, TurnFinished, TurnStopped, UsageCounted
from handrail.sessions.conversation import SessionChoice
from tests.support.engine_bed import Bed, Person, call, only, turn

READING = {"calls": [call("ls", path="/")], "usage": {"input": 90, "output": 10}}
FOUR_ROUNDS = [READING, READING, READING, {"say": "done"}]


def requests_of(events: list[Event]) -> int:
    return len(only(events, UsageCounted))


async def test_the_last_allowed_round_is_whole_and_no_further_request_is_sent(bed: Bed) -> None:
    bed.caps = Caps(rounds=2)
    events = await bed.play(FOUR_ROUNDS)
    assert requests_of(events) == len(only(events, CallFinished)) == 2
    assert events[-1] == TurnStopped()


async def test_a_turn_that_ends_with_its_last_allowed_round_is_finished(bed: Bed) -> None:
    bed.caps = Caps(rounds=4, tokens=100_000)
    events = await bed.play(FOUR_ROUNDS)
    assert events[-1] == TurnFinished("done")


async def test_tokens_are_added_up_over_the_requests(bed: Bed) -> None:
    bed.caps = Caps(tokens=150)
    events = await bed.play(FOUR_ROUNDS)
    assert requests_of(events) == 2
    assert events[-1] == TurnStopped()


async def test_the_requests_of_a_sub_agent_count(bed: Bed) -> None:
    bed.caps = Caps(rounds=3)
    task = call("task", description="do it", subagent_type="general-purpose")
    script = {
        "script": 1,
        "turns": [{"rounds": [{"calls": [task]}, {"say": "all done"}]}],
        "agents": {"general-purpose": [{"rounds": FOUR_ROUNDS}]},
    }
    events = await bed.play(script)
    assert requests_of(events) == 3
    assert events[-1] == TurnStopped()


async def test_a_session_that_was_capped_goes_on(bed: Bed) -> None:
    bed.caps = Caps(rounds=1)
    script = {"script": 1, "turns": [{"rounds": FOUR_ROUNDS}, {"rounds": [{"say": "next"}]}]}
    async with bed.open(script) as conversation:
        await turn(conversation, Person())
        id_ = conversation.id
    bed.caps = Caps()
    async with bed.open(script, choice=SessionChoice(resume=True, id=id_)) as conversation:
        events = await turn(conversation, Person())
    assert events[-1] == TurnFinished("next")


async def test_a_call_that_the_policy_refuses_says_so(bed: Bed) -> None:
    denied = call("write_file", file_path="/scratch/large_tool_results/x", content="x")
    events = await bed.play([{"calls": [denied, call("read_file", file_path="/no")]}, {"say": "-"}])
    finished = only(events, CallFinished)
    assert sorted((e.call.name, e.ok, e.refused) for e in finished) == [
        ("read_file", False, False),
        ("write_file", False, True),
    ]
