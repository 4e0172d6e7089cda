"""Forks a child for every sitting that comes in on a line, and answers with how it ended.

The heavy imports are made once, in a process that has no threads yet.
"""

import contextlib
import os
import signal
import sys
import traceback
from importlib import import_module

from tests.support.killed_child import play
from tests.support.killed_turns import Sitting


def main() -> None:
    import_module("handrail.engine.assemble")
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _be_child(line)
        _, status = os.waitpid(pid, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201  # the answer


def _be_child(line: str) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(2, 1)
        play(Sitting.read(line))
        code = 0
    except BaseException:  # noqa: BLE001  # whatever it was, the parent must not go on in the child
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
