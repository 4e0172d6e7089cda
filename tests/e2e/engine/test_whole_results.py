"""Half characters in what a tool answers stop neither request, stored thread nor screen."""

import pytest
from deepagents.backends.protocol import ExecuteResponse

from handrail.events import TurnFinished
from handrail.sessions.conversation import SessionChoice
from tests.support.engine_bed import Bed, Person, call, results, turn


async def test_a_half_character_from_a_tool_is_replaced_and_the_session_goes_on(
    bed: Bed, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def halved(*_: object, **__: object) -> ExecuteResponse:
        return ExecuteResponse("half \ud83d of it", 0, truncated=False)

    monkeypatch.setattr("handrail_backends.host_shell.HostShell.aexecute", halved)
    script = {
        "script": 1,
        "turns": [
            {"rounds": [{"calls": [call("execute", command="true")]}, {"say": "seen"}]},
            {"rounds": [{"say": "next"}]},
        ],
    }
    async with bed.open(script) as conversation:
        events = await turn(conversation, Person())
    (answer,) = results(events)
    assert answer.startswith("half \N{REPLACEMENT CHARACTER} of it")
    assert events[-1] == TurnFinished("seen")
    async with bed.open(script, choice=SessionChoice(resume=True)) as conversation:
        assert (await turn(conversation, Person()))[-1] == TurnFinished("next")
