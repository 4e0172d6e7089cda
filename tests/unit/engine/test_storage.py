"""The framework's files are opened by many processes at once."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio, sys
from pathlib import Path
from handrail.engine.storage import close_store, open_saver, open_store

async def main():
    database = Path(sys.argv[1])
    input()
    saver = await open_saver(database)
    store = await open_store(database)
    await store.aput(("a",), sys.argv[2], {"x": 1})
    await close_store(store)
    await saver.conn.close()

asyncio.run(main())
"""


def test_processes_that_start_together_share_a_new_database(tmp_path: Path) -> None:
    children = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(tmp_path / "threads.db"), str(number)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(4)
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write(b"\n")
        child.stdin.flush()
    said = [child.communicate()[1] for child in children]
    assert [child.returncode for child in children] == [0] * 4, said
