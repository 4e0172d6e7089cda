"""Errors that reach a user: each knows its exit code and is shown as one paragraph.

HandrailError
├── UsageError            a wrong option, file or value on the command line
├── SettingsError         a settings file that cannot be read or has a wrong value
├── NotConfiguredError    no model was chosen
├── ModelError            the model cannot be used: unknown, no key, not reachable
├── SessionError          a session that is not there or cannot be opened
├── StorageError          the data folder or a database cannot be used
└── TerminalError         a terminal is needed and there is none
"""

from handrail.exit_codes import ExitCode


class HandrailError(Exception):
    """What happened, what was kept, and in `hint` what to do."""

    exit_code = ExitCode.FAILURE

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def paragraph(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(HandrailError):
    exit_code = ExitCode.USAGE


class SettingsError(HandrailError):
    exit_code = ExitCode.SETTINGS


class NotConfiguredError(HandrailError):
    exit_code = ExitCode.NOT_CONFIGURED


class ModelError(HandrailError):
    exit_code = ExitCode.MODEL


class SessionError(HandrailError):
    exit_code = ExitCode.SESSION


class StorageError(HandrailError):
    exit_code = ExitCode.STORAGE


class TerminalError(HandrailError):
    exit_code = ExitCode.TERMINAL
