"""Several instances on one home at the same time."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

from tests.support.json_shape import string
from tests.support.model_server import Received
from tests.support.replies import Reply, call, reply
from tests.support.scratch import AGENT
from tests.support.terminal import Terminal
from tests.support.workplace import AgentTerminal, Workplace

INSTANCES = 8
WAIT_S = 100.0
"""All of them import the framework at once."""


def note_it(request: Received) -> Reply:
    """Has the number of the message written to a file, then says so."""
    number = string(request.messages[1]["content"]).rpartition(" ")[2]
    if request.results:
        return reply(f"Noted {number}.")
    return reply(call("write_file", file_path=f"note-{number}", content=f"{number}\n"))


def work(terminal: AgentTerminal, number: int) -> int:
    def is_drawn(_: Terminal) -> bool:
        return terminal.prompt_row() is not None

    terminal.wait_for(is_drawn, WAIT_S)
    terminal.say(f"note {number}")
    terminal.wait_approval(f"note-{number}", WAIT_S)
    terminal.answer("y")
    terminal.wait_for(f"Noted {number}.", WAIT_S)
    return terminal.leave()


def test_eight_instances_on_one_home_each_do_their_turn(workplace: Workplace) -> None:
    workplace.use_server()
    workplace.server.answer_with(note_it)
    terminals = [workplace.open() for _ in range(INSTANCES)]
    with ThreadPoolExecutor(INSTANCES) as people:
        codes = list(people.map(work, terminals, range(INSTANCES)))

    assert codes == [0] * INSTANCES
    notes = {file.name: file.read_text() for file in workplace.repo.root.glob("note-*")}
    assert notes == {f"note-{number}": f"{number}\n" for number in range(INSTANCES)}
    listed = subprocess.run(
        [AGENT, "sessions"],
        env=workplace.env(),
        cwd=workplace.repo.root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(listed.stdout.splitlines()) == INSTANCES
