"""A key is checked with one request that goes to its own address and nowhere else."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from handrail.credentials.secret import Secret
from handrail.errors import UsageError
from handrail.onboarding.check import complaint_about
from handrail.onboarding.service import find_service
from tests.support.bad_servers import answering, certificate, http, with_certificate
from tests.support.model_server import ModelServer


@pytest.fixture(autouse=True)
def without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def complaint(address: str, key: str = "hidden-MARK-value") -> str | None:
    said = complaint_about(find_service(address), Secret(key, "a test"))
    assert "MARK" not in (said or "")
    return said


def test_a_key_the_server_takes_is_sent_in_the_header_alone(server: ModelServer) -> None:
    assert complaint(server.base_url, server.key) is None
    (request,) = server.requests
    assert (request.method, request.path, request.raw) == ("GET", "/v1/models", b"")
    assert request.headers["Authorization"] == f"Bearer {server.key}"


def test_a_wrong_key_is_told(server: ModelServer) -> None:
    said = complaint(server.base_url)
    assert said is not None
    assert said.startswith("127.0.0.1:")
    assert "refuses this key (status 401)" in said


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (http("404 Not Found", ""), "There is no list of models at http://localhost:"),
        (http("500 Oops", ""), "answers with status 500, so the key was not checked"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "is no web server"),
    ],
)
async def test_what_else_can_come_back(answer: bytes, expected: str) -> None:
    async with answering(answer) as port:
        said = await asyncio.to_thread(complaint, f"http://localhost:{port}/v1")
    assert said is not None
    assert expected in said


async def test_a_redirection_is_not_followed(server: ModelServer) -> None:
    answer = http("302 Found", "", Location=server.base_url + "/models")
    async with answering(answer) as port:
        said = await asyncio.to_thread(complaint, f"http://localhost:{port}/v1")
    assert said is not None
    assert "answers with status 302" in said
    assert server.requests == []


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        said = complaint(f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
    assert said is not None
    assert "refused the connection" in said


def test_a_name_without_an_address() -> None:
    said = complaint("https://nowhere.invalid/v1")
    assert said is not None
    assert said.startswith("The server nowhere.invalid was not found")


async def test_a_certificate_nobody_vouches_for(tmp_path: Path) -> None:
    async with answering(b"", with_certificate(certificate(tmp_path))) as port:
        said = await asyncio.to_thread(complaint, f"https://localhost:{port}/v1")
    assert said is not None
    assert "is signed by itself" in said


@pytest.mark.parametrize(
    ("name", "key_name", "models"),
    [
        ("openai", "openai", "https://api.openai.com/v1/models"),
        ("google", "google_genai", "https://generativelanguage.googleapis.com/v1beta/models"),
        ("https://api.anthropic.com/v1", "anthropic", "https://api.anthropic.com/v1/models"),
        ("http://LOCALHOST:8000/v1/", "http://localhost:8000", "http://LOCALHOST:8000/v1/models"),
    ],
)
def test_a_service_is_named_or_addressed(name: str, key_name: str, models: str) -> None:
    service = find_service(name)
    assert (service.key_name, service.models_url) == (key_name, models)


@pytest.mark.parametrize("name", ["sk-hidden", "ftp://h/", "http://me:hidden@h/", "hidden"])
def test_what_is_neither_is_refused_and_not_repeated(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_service(name)
    assert "hidden" not in caught.value.paragraph
