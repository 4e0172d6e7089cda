"""Which key goes to which address, and that no other does."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from handrail.credentials.key_command import run_key_command
from handrail.credentials.key_files import owners, remove_key_file, write_key_file
from handrail.credentials.keyring import Keyring
from handrail.credentials.secret import Secret
from handrail.errors import ModelError
from handrail.places import Places

OWN = "https://api.openai.com/v1"
SERVER = "http://localhost:8000/v1"


@dataclass
class Person:
    """Somebody who keeps keys in one place or another."""

    folder: Path
    commands: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    environ: dict[str, str] = field(default_factory=dict[str, str])

    def stores(self, owner: str, key: str) -> Path:
        return write_key_file(self.folder, owner, Secret(key, "a test"))

    def sends(self, base_url: str | None, provider: str = "openai") -> str | None:
        secret = self.keyring.access(provider, base_url).secret
        return secret and secret.reveal()

    def refusal(self, base_url: str | None = None) -> str:
        with pytest.raises(ModelError) as caught:
            self.keyring.need("openai", "m", base_url)
        assert "\n" not in caught.value.paragraph
        return caught.value.paragraph

    @property
    def keyring(self) -> Keyring:
        return Keyring(self.folder, self.commands, self.environ)


@pytest.fixture
def person(tmp_path: Path) -> Person:
    places = Places(home=tmp_path / "data", config=tmp_path / "settings")
    folder = places.make_keys()
    assert folder.stat().st_mode & 0o777 == 0o700
    return Person(folder)


def printing(text: str) -> tuple[str, ...]:
    return ("printf", "%s", text)


def test_variable_then_command_then_file(person: Person) -> None:
    assert person.sends(None) is None
    person.stores("openai", "from-the-file")
    assert person.sends(None) == "from-the-file"
    person.commands["openai"] = printing("from-the-command\n")
    assert person.sends(None) == "from-the-command"
    person.environ["OPENAI_API_KEY"] = "from-the-variable"
    assert person.sends(None) == "from-the-variable"
    assert person.sends(None, "anthropic") is None


@pytest.mark.parametrize(
    "address", [OWN, "https://API.OpenAI.com:443/v1", "https://api.openai.com/other"]
)
def test_the_providers_own_address_may_be_written_out(person: Person, address: str) -> None:
    person.stores("openai", "from-the-file")
    assert person.sends(address) == "from-the-file"


@pytest.mark.parametrize(
    "address",
    [
        SERVER,
        "http://api.openai.com/v1",
        "https://api.openai.com:444/v1",
        "https://api.openai.com.example/v1",
        "https://openai.com/v1",
    ],
)
def test_another_server_gets_nothing_that_was_stored_for_the_provider(
    person: Person, address: str
) -> None:
    person.stores("openai", "from-the-file")
    person.commands["openai"] = ("false",)
    assert person.sends(address) is None
    person.environ["OPENAI_BASE_URL"] = address
    assert person.sends(None) is None


def test_another_server_gets_the_key_stored_for_just_it_before_the_variable(person: Person) -> None:
    person.environ["OPENAI_API_KEY"] = "from-the-variable"
    assert person.sends(SERVER) == "from-the-variable"
    person.stores("http://localhost:8000", "for-the-server")
    assert person.sends(SERVER) == "for-the-server"
    assert person.sends("http://localhost:8001/v1") == "from-the-variable"
    assert person.sends("https://localhost:8000/v1") == "from-the-variable"
    assert person.sends(None) == "from-the-variable"


def test_the_address_of_the_environment_is_the_address(person: Person) -> None:
    person.environ["OPENAI_BASE_URL"] = SERVER
    assert person.keyring.access("openai", None).base_url == SERVER
    assert person.keyring.access("openai", OWN).base_url == OWN


def test_an_address_of_the_environment_that_is_none_is_refused_unseen(person: Person) -> None:
    person.environ["OPENAI_BASE_URL"] = "user:hunter2@host"
    assert person.refusal().startswith("The variable OPENAI_BASE_URL holds no address")
    assert "hunter2" not in person.refusal()


def test_a_provider_needs_a_key_and_a_server_of_ones_own_does_not(person: Person) -> None:
    said = "There is no key for `openai:m`. Set OPENAI_API_KEY in the environment, or run"
    assert person.refusal() == f"{said} `agent auth openai`."
    assert person.refusal(OWN) == f"{said} `agent auth openai`."
    assert person.keyring.need("openai", "m", SERVER).secret is None
    assert person.keyring.need("nobody", "m", None).secret is None


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_can_read_is_refused_with_what_to_do(person: Person, mode: int) -> None:
    file = person.stores("openai", "sk-test-open")
    file.chmod(mode)
    assert f"chmod 600 '{file}'" in person.refusal()
    assert "sk-test" not in person.refusal()


def test_a_folder_in_which_others_can_write_is_refused(person: Person) -> None:
    person.stores("openai", "sk-test-open")
    person.folder.chmod(0o777)
    assert f"chmod 700 '{person.folder}'" in person.refusal()


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(person: Person) -> None:
    os.mkfifo(person.folder / "openai", 0o600)
    assert "it is no regular file" in person.refusal()


@pytest.mark.parametrize("content", ["sk-test two", "sk-test\nmore", "sk-tést", "sk-test\x1b"])
def test_what_fits_into_no_header_is_refused_and_not_shown(person: Person, content: str) -> None:
    file = person.stores("openai", "x")
    file.write_bytes(content.encode())
    assert "holds is no key" in person.refusal()
    assert "sk-t" not in person.refusal()
    person.environ["OPENAI_API_KEY"] = content
    assert "the variable OPENAI_API_KEY holds is no key" in person.refusal()


def test_stored_keys_are_private_replaced_listed_and_removed(person: Person) -> None:
    file = person.stores("openai", "first")
    person.stores("http://[::1]:8000", "second")
    person.stores("openai", "third")
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text() == "third\n"
    assert list(owners(person.folder)) == ["http://[::1]:8000", "openai"]
    assert len(list(person.folder.iterdir())) == 2
    assert remove_key_file(person.folder, "openai")
    assert not remove_key_file(person.folder, "openai")
    assert person.sends(None) is None


def failure(command: tuple[str, ...], environ: Mapping[str, str] | None = None) -> str:
    with pytest.raises(ModelError) as caught:
        run_key_command(command, "keys.openai_command", environ or dict(os.environ), time_limit_s=1)
    assert "\n" not in caught.value.paragraph
    return caught.value.paragraph


def test_a_failing_command_shows_what_it_complained_of_and_never_what_it_printed() -> None:
    script = "echo sk-test-printed; echo store is locked >&2; exit 3"
    said = failure(("sh", "-c", script))
    assert "keys.openai_command ended with code 3 and said: store is locked." in said
    assert "sk-test" not in said


def test_a_command_that_is_not_there_is_told_without_its_words() -> None:
    said = failure(("hidden-value-in-the-wrong-place",))
    assert "could not be started: No such file or directory" in said
    assert "hidden-value" not in said


def test_a_command_that_prints_nothing_is_told() -> None:
    assert failure(("true",)).startswith("There is no key in the command of keys.openai_command")


def test_no_shell_reads_the_command() -> None:
    secret = run_key_command(("printf", "$HOME;id"), "keys.x_command", dict(os.environ))
    assert secret.reveal() == "$HOME;id"


def test_a_command_that_takes_too_long_is_ended_with_its_children() -> None:
    began = time.monotonic()
    assert "took longer than 1 seconds" in failure(("sh", "-c", "sleep 60 & sleep 60"))
    assert time.monotonic() - began < 20


def test_a_command_gets_no_other_key_and_no_terminal() -> None:
    script = 'test -z "$OPENAI_API_KEY" && test -n "$PATH" && ! true < /dev/tty && echo alone'
    environ = {**os.environ, "OPENAI_API_KEY": "sk-test-other"}
    secret = run_key_command(("sh", "-c", script), "keys.x_command", environ)
    assert secret.reveal() == "alone"
