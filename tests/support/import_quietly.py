"""A program that imports the modules it is given and prints every side effect it sees.

Its last line lists what it was asked to look for, in HEAVY, and found loaded at the end.
"""

import importlib
import os
import sys
import threading

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_SIDE_EFFECTS = {
    "os.chdir",
    "os.mkdir",
    "os.putenv",
    "os.remove",
    "os.rename",
    "os.system",
    "signal.signal",
    "socket.bind",
    "socket.connect",
    "sqlite3.connect",
    "subprocess.Popen",
}


def _watch(event: str, args: tuple[object, ...]) -> None:
    if event in _SIDE_EFFECTS or (event == "open" and _opens_for_writing(args)):
        _say("side effect:", event, *args)


def _opens_for_writing(args: tuple[object, ...]) -> bool:
    flags = args[2]
    return isinstance(flags, int) and bool(flags & _WRITING)


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def main() -> None:
    sys.addaudithook(_watch)
    for name in sys.argv[1:]:
        importlib.import_module(name)
    if threading.active_count() > 1:
        _say("side effect: threads", *threading.enumerate())
    loaded = {name.partition(".")[0] for name in sys.modules}
    _say("heavy:", *sorted(loaded.intersection(os.environ["HEAVY"].split())))


if __name__ == "__main__":
    main()
