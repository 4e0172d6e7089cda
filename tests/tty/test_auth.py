"""`agent auth`: a key is entered unseen, checked when wanted, stored, listed and removed."""

import subprocess
import tomllib
from pathlib import Path

import pytest

from handrail.exit_codes import ExitCode
from tests.support.replies import reply
from tests.support.scratch import AGENT
from tests.support.terminal import fresh_line_modes
from tests.support.workplace import AgentTerminal, Workplace

KEY = "sk-test-MARK-entered"


def run(workplace: Workplace, *arguments: str, text: str = "", **env: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [str(AGENT), "auth", *arguments],
        input=text,
        env=workplace.home.env(**env),
        cwd=workplace.repo.root,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def open_auth(workplace: Workplace, *arguments: str) -> AgentTerminal:
    return workplace.open("auth", *arguments, env=workplace.home.env())


def key_file(workplace: Workplace, name: str) -> Path:
    return workplace.home.data / "keys" / name


def answer(terminal: AgentTerminal, question: str, text: str) -> None:
    terminal.wait_for(question)
    terminal.send(text + "\r")


def test_a_providers_key_is_stored_unseen_and_a_model_chosen(workplace: Workplace) -> None:
    workplace.home.configure("# mine\n[shell]\ntimeout_s = 9\n")
    with open_auth(workplace) as terminal:
        for expected in ("1  Anthropic", "2  OpenAI", "3  Google", "4  a server of your own"):
            terminal.wait_for(expected)
        answer(terminal, "Number: ", "seven")
        terminal.wait_for(lambda t: t.text().count("Number:") == 2)
        terminal.send("1\r")
        answer(terminal, "Key for Anthropic (not shown", f"{KEY} twice")
        answer(terminal, "holds is no key", KEY)
        answer(terminal, "Check it now with one request to api.anthropic.com? [y/N]", "")
        terminal.wait_for("The key for Anthropic is stored in")
        answer(terminal, "Default model, like anthropic:claude", "claude-big")
        terminal.wait_for("The default model is anthropic:claude-big.")
        assert terminal.wait_exit() == ExitCode.OK
        assert "MARK" not in terminal.text()
    file = key_file(workplace, "anthropic")
    assert file.read_text() == f"{KEY}\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    settings = workplace.home.data / "config.toml"
    assert settings.read_text().startswith("# mine\n[shell]\ntimeout_s = 9\n")
    assert tomllib.loads(settings.read_text())["model"] == {"name": "anthropic:claude-big"}


def test_a_servers_key_is_checked_only_when_wanted_and_works_in_a_session(
    workplace: Workplace,
) -> None:
    server = workplace.server
    with open_auth(workplace) as terminal:
        answer(terminal, "Number: ", "4")
        answer(terminal, "Its address", server.base_url)
        answer(terminal, "Key for 127.0.0.1", server.key)
        terminal.wait_for("Check it now with one request to 127.0.0.1")
        assert server.requests == []
        terminal.send("y\r")
        terminal.wait_for("takes the key.")
        answer(terminal, "Default model, like openai:MODEL", "loopback")
        assert terminal.wait_exit() == ExitCode.OK
    origin = server.base_url.removesuffix("/v1")
    assert run(workplace, "--list")[1].splitlines()[-1].startswith(f"{origin}  the file ")
    server.script(reply("I hear you."))
    with workplace.open(env=workplace.home.env()) as terminal:
        terminal.wait_ready()
        terminal.say("hello")
        terminal.wait_for("I hear you.")
        assert terminal.leave() == 0


def test_a_refused_key_is_stored_only_after_a_second_yes(workplace: Workplace) -> None:
    address = workplace.server.base_url
    with open_auth(workplace, address) as terminal:
        answer(terminal, "Key for 127.0.0.1", KEY)
        answer(terminal, "Check it now", "y")
        terminal.wait_for("refuses this key (status 401)")
        answer(terminal, "Store it all the same?", "")
        answer(terminal, "Default model", "")
        assert terminal.wait_exit() == ExitCode.OK
    workplace.server.refusals.clear()
    assert not (workplace.home.data / "keys").exists()
    assert not (workplace.home.data / "config.toml").exists()


@pytest.mark.parametrize("key", ["ctrl-c", "ctrl-d"])
def test_who_leaves_changes_nothing_and_gets_the_terminal_back(
    workplace: Workplace, key: str
) -> None:
    with open_auth(workplace, "openai") as terminal:
        terminal.wait_for("Key for OpenAI")
        terminal.press(key)
        code = terminal.wait_exit()
        assert code == (ExitCode.INTERRUPTED if key == "ctrl-c" else ExitCode.FAILURE)
        assert "Traceback" not in terminal.text()
        assert terminal.line_modes() == fresh_line_modes()

    assert not (workplace.home.data / "keys").exists()


def test_without_a_terminal_the_key_comes_from_standard_input(workplace: Workplace) -> None:
    file = key_file(workplace, "openai")
    assert run(workplace, "openai", "--stdin", text=f"{KEY}\n", OPENAI_API_KEY="other") == (
        0,
        f"The key for OpenAI is stored in {file}, which only you can read.\n"
        "OPENAI_API_KEY is set in the environment and goes before a stored key.\n",
        "",
    )
    assert file.read_text() == f"{KEY}\n"
    code, out, err = run(workplace, "openai")
    assert (code, out) == (ExitCode.TERMINAL, "")
    assert err.endswith("Give the key on standard input: agent auth PROVIDER --stdin < FILE\n")


@pytest.mark.parametrize("text", ["", "two words", "two\nlines"])
def test_what_is_no_key_is_not_stored(workplace: Workplace, text: str) -> None:
    code, out, err = run(workplace, "openai", "--stdin", text=text)
    assert (code, out) == (ExitCode.MODEL, "")
    assert "standard input" in err
    assert not (workplace.home.data / "keys").exists()


def test_keys_are_listed_with_where_they_are_found_and_never_shown(workplace: Workplace) -> None:
    workplace.home.configure("[keys]\nopenai_command = ['touch', 'ran']\n")
    run(workplace, "openai", "--stdin", text=KEY)
    run(workplace, "google", "--stdin", text=KEY)
    key_file(workplace, "google_genai").chmod(0o644)
    code, out, err = run(workplace, "--list", ANTHROPIC_AUTH_TOKEN=KEY)
    anthropic, openai, google = out.splitlines()
    assert (code, err) == (0, "")
    assert anthropic == "anthropic     the variable ANTHROPIC_AUTH_TOKEN"
    assert openai == (
        "openai        the command of keys.openai_command, which goes before the file"
        f" {key_file(workplace, 'openai')}"
    )
    assert "is open to other users" in google
    assert "MARK" not in out
    assert not (workplace.repo.root / "ran").exists()


def test_a_stored_key_is_removed_once(workplace: Workplace) -> None:
    run(workplace, "openai", "--stdin", text=KEY)
    assert run(workplace, "openai", "--remove")[:2] == (
        0,
        "The stored key for openai was removed.\n",
    )
    assert list((workplace.home.data / "keys").iterdir()) == []
    code, _, err = run(workplace, "openai", "--remove")
    assert (code, err) == (1, "There is no stored key for openai. Nothing was changed.\n")
