"""Calls of one message take effect in the order shown."""

from handrail.events import CallFinished, CallStarted
from tests.support.engine_bed import Bed, call, only, results

ENOUGH = "for i in 1 2 3 4 5 6 7 8; do read -t 0.05 < <(:) || true; done; "


async def test_a_command_before_a_write_sees_the_file_as_it_was(bed: Bed) -> None:
    bed.write("a.txt", "old\n")
    calls = [
        call("execute", command=f"{ENOUGH}cat a.txt"),
        call("write_file", file_path="a.txt", content="new\n"),
        call("read_file", file_path="a.txt"),
    ]
    events = await bed.play([{"calls": calls}, {"say": "done"}])
    first, _, last = results(events)
    assert first.startswith("old")
    assert last.splitlines()[1:] == ["new"]


async def test_writes_of_one_message_end_in_their_order(bed: Bed) -> None:
    calls = [call("execute", command=f"{ENOUGH}echo {n} >> log") for n in range(4)]
    await bed.play([{"calls": calls}, {"say": "done"}])
    assert (bed.project / "log").read_text().split() == ["0", "1", "2", "3"]


async def test_reads_start_without_waiting_for_each_other(bed: Bed) -> None:
    bed.write("a.txt", "a")
    calls = [call("read_file", file_path="a.txt"), call("grep", pattern="a"), call("ls", path=".")]
    events = await bed.play([{"calls": calls}, {"say": "done"}])
    kinds = [type(e) for e in events if isinstance(e, CallStarted | CallFinished)]
    assert kinds[:2] == [CallStarted, CallStarted]


async def test_a_call_after_a_suspended_sub_agent_runs_after_it_and_once(bed: Bed) -> None:
    script = {
        "script": 1,
        "turns": [
            {
                "rounds": [
                    {
                        "calls": [
                            call("task", description="make it", subagent_type="general-purpose"),
                            call("execute", command="cat made; echo ran >> count"),
                        ]
                    },
                    {"say": "done"},
                ]
            }
        ],
        "agents": {
            "general-purpose": [
                {"rounds": [{"calls": [call("execute", command="echo x > made")]}, {"say": "made"}]}
            ]
        },
    }
    events = await bed.play(script)
    assert [e.text.split()[0] for e in only(events, CallFinished) if "cat" in str(e.call)] == ["x"]
    assert (bed.project / "count").read_text() == "ran\n"
