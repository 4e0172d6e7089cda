"""Where `agent` is started in tests and benchmarks, and how a person works with it."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.model_server import ModelServer
from tests.support.scratch import AGENT, AgentHome, ScratchRepo, make_scratch_repo
from tests.support.terminal import WAIT_S, Terminal

ANSWERABLE = " y once "
"""Stands in an approval once its keys count."""


class AgentTerminal(Terminal):
    def wait_ready(self) -> None:
        """Until the prompt is drawn; the agent behind it may still be loading."""
        self.wait_for(lambda _: self.prompt_row() is not None)

    def say(self, message: str) -> None:
        """Types a message as a person does, who sees it before pressing Enter."""
        self.send(message)
        self.wait_for(lambda terminal: message[-20:] in terminal.screen())
        self.press("enter")

    def wait_approval(self, text: str, timeout: float = WAIT_S) -> None:
        """Until `text` stands on the screen above the answers of an approval."""
        self.wait_for(
            lambda terminal: text in terminal.screen() and ANSWERABLE in terminal.screen(), timeout
        )

    def answer(self, key: str, text: str | None = None) -> None:
        """A letter of the approval, and what it asks for then: a reason, an answer."""
        self.send(key)
        self.wait_gone(ANSWERABLE)
        if text is not None:
            self.send(text)
            self.wait_for(lambda terminal: text[-20:] in terminal.screen())
            self.press("enter")

    def leave(self) -> int:
        self.press("ctrl-d")
        return self.wait_exit()

    def prompt_row(self) -> int | None:
        """The row of the prompt, which is the last that starts with its mark."""
        rows = [n for n, line in enumerate(self.emulated.visible()) if line.startswith(">")]
        return rows[-1] if rows else None


@dataclass(slots=True)
class Workplace:
    """A home, a repository and a model service, and every `agent` that was started there."""

    home: AgentHome
    repo: ScratchRepo
    server: ModelServer
    opened: list[AgentTerminal] = field(default_factory=list[AgentTerminal])

    def use_server(self, *, window: int = 100_000) -> None:
        """Makes the model service the one of the settings."""
        self.home.configure(
            "[model]\n"
            'name = "openai:loopback"\n'
            f'base_url = "{self.server.base_url}"\n'
            f"context_window = {window}\n"
        )

    def env(self) -> dict[str, str]:
        return self.home.env(OPENAI_API_KEY=self.server.key)

    def open(
        self, *args: str, size: tuple[int, int] = (24, 80), env: Mapping[str, str] | None = None
    ) -> AgentTerminal:
        """Starts `agent`; without `env` with the key of the model service."""
        argv = [str(AGENT), *args]
        terminal = AgentTerminal(argv, env=env or self.env(), cwd=self.repo.root, size=size)
        self.opened.append(terminal)
        return terminal

    def close(self) -> None:
        for terminal in self.opened:
            terminal.close()


@contextmanager
def make_workplace(folder: Path, server: ModelServer) -> Generator[Workplace]:
    home = AgentHome(folder / "home")
    home.folder.mkdir()
    place = Workplace(home, make_scratch_repo(folder / "scratch"), server)
    try:
        yield place
    finally:
        place.close()
        home.end_processes()
