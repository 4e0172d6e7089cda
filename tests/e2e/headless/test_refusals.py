"""With nobody there, what would ask is refused: it does not run, and everybody is told."""

from tests.support.json_shape import items, mapping
from tests.support.replies import call, reply
from tests.support.unattended import run, session_of
from tests.support.workplace import Workplace

COMMAND = call("execute", command="touch ran")
CHANGE = call("write_file", file_path="note", content="x")
DENIED = call("write_file", file_path="/scratch/large_tool_results/x", content="x")


def test_a_call_that_would_ask_is_refused_and_named_and_the_model_is_told(
    place: Workplace,
) -> None:
    place.server.script(reply(COMMAND, CHANGE), reply("Nothing could be done."))
    done = run(place, "go")
    assert (done.code, done.out) == (9, "Nothing could be done.\n")
    assert "Refused: run touch ran: runs a command on this machine, and nobody" in done.err
    assert "Refused: write note: changes a file, and nobody is there" in done.err
    for result in place.server.requests[-1].results:
        assert "Nobody is there who could approve a call in this run" in result
    assert not (place.repo.root / "ran").exists()
    assert not (place.repo.root / "note").exists()


def test_the_decisions_are_events_like_any_other(place: Workplace) -> None:
    place.server.script(reply(COMMAND), reply("No."))
    done = run(place, "go", "--output", "jsonl")
    assert done.code == 9
    (answered,) = done.only("ApprovalAnswered")
    assert [mapping(each)["kind"] for each in items(answered["decisions"])] == ["reject"]
    (end,) = done.only("RunEnded")
    assert end["exit_code"] == 9
    assert [mapping(mapping(each)["call"])["name"] for each in items(end["refused"])] == ["execute"]


def test_what_the_policy_never_lets_run_counts_as_refused(place: Workplace) -> None:
    place.server.script(reply(DENIED), reply("No."))
    done = run(place, "go")
    assert done.code == 9
    assert "what was offloaded can be read but not changed." in done.err
    assert "nobody" not in done.err


def test_a_read_and_the_models_own_notes_are_not_refused(place: Workplace) -> None:
    note = call("write_file", file_path="/scratch/plan", content="x")
    place.server.script(reply(call("read_file", file_path="shapes.py"), note), reply("Read."))
    assert run(place, "go").code == 0


def test_the_refusal_is_in_the_transcript(place: Workplace) -> None:
    place.server.script(reply(COMMAND), reply("No."))
    session = session_of(run(place, "go"))
    with place.open("--resume", session) as terminal:
        terminal.wait_for("rejected run touch ran")
        terminal.wait_for("goes on here")
        assert terminal.leave() == 0
