"""The exit codes of `agent`, documented in the README."""

from enum import IntEnum


class ExitCode(IntEnum):
    OK = 0
    FAILURE = 1
    """A turn failed, or the demo's tests did not pass."""
    USAGE = 2
    """A wrong option, file or value on the command line."""
    SETTINGS = 3
    """A settings file cannot be read or holds a wrong value."""
    NOT_CONFIGURED = 4
    """No model was chosen."""
    MODEL = 5
    """The model cannot be used: unknown, no key, not reachable."""
    SESSION = 6
    """The session is not there or cannot be opened."""
    STORAGE = 7
    """The data folder or a database cannot be used."""
    TERMINAL = 8
    """A terminal is needed and there is none."""
    REFUSED = 9
    """The run was finished, but a call was refused because nobody was there to approve it."""
    CAPPED = 10
    """A cap on rounds, tokens or seconds was reached."""
    ANSWER = 11
    """The final answer does not fit the schema that was asked for."""
    HUNG_UP = 129
    """Ended by SIGHUP."""
    INTERRUPTED = 130
    """Ended by Ctrl-C or SIGINT."""
    UNREAD = 141
    """Nobody read the output to its end."""
    TERMINATED = 143
    """Ended by SIGTERM."""
