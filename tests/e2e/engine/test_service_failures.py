"""Failures of real requests to real servers: one line each that says what to do."""

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest
from langchain_core.language_models import BaseChatModel

from handrail.credentials.keyring import Keyring
from handrail.engine.failures import explain
from handrail.engine.models import load_models
from handrail.errors import ModelError
from handrail.reachability import place
from handrail.settings import ModelSettings
from tests.support.bad_servers import answering, certificate, http, with_certificate
from tests.support.model_server import ModelServer

KEY = "hidden-MARK-value-of-the-key"
KEPT = " Your message and everything finished before are kept."
PROVIDERS = ["openai", "anthropic"]
PROXY_VARIABLES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*PROXY_VARIABLES, *map(str.lower, PROXY_VARIABLES), "SSL_CERT_FILE"]:
        monkeypatch.delenv(name, raising=False)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"):
        monkeypatch.delenv(name, raising=False)


def model_at(base_url: str, provider: str = "openai", key: str = KEY) -> BaseChatModel:
    variable = f"{provider.upper()}_API_KEY"
    keyring = Keyring(Path("/nowhere"), {}, {variable: key} if key else {})
    settings = ModelSettings(f"{provider}:made-up", base_url=base_url)
    return load_models(settings, keyring, project=Path("/p")).main


async def failing(model: BaseChatModel) -> str:
    """What a person reads of it."""
    with pytest.raises(Exception) as caught:  # noqa: PT011  # the clients' errors have no base
        async for _ in model.astream("hello"):
            pass
    said = explain(caught.value)
    assert said.endswith(KEPT)
    assert "\n" not in said
    assert "MARK" not in said
    return said.removesuffix(KEPT)


def error_of(message: str, code: str = "") -> str:
    return json.dumps({"error": {"message": message, "type": "made_up", "code": code}})


STATUSES: Mapping[str, tuple[str, str, str]] = {
    "wrong key": (
        "401 Unauthorized",
        error_of(f"Incorrect API key provided: {KEY}"),
        "{host} refused the key of the variable {variable}. Put the right one there or run"
        " `agent auth http://{host}`, then go on with `agent --continue`.",
    ),
    "no permission": (
        "403 Forbidden",
        error_of("no"),
        "{host} does not let the key of the variable {variable} use `made-up`. Allow it in your"
        " account there, or choose another model with `/model`.",
    ),
    "wrong model": (
        "404 Not Found",
        error_of("The model `made-up` does not exist", "model_not_found"),
        "{host} does not know the model `made-up`. Choose with `/model`.",
    ),
    "wrong path": (
        "404 Not Found",
        error_of("Not found"),
        "There is no model service at {url}. Check `model.base_url`, which usually ends in /v1,"
        " and the model's name, `made-up`.",
    ),
    "no payment": (
        "402 Payment Required",
        error_of("no"),
        "{host} asks for payment or more credit. See to your account there, then try again.",
    ),
    "no credit": (
        "429 Too Many Requests",
        error_of("You exceeded your current quota", "insufficient_quota"),
        "{host} asks for payment or more credit. See to your account there, then try again.",
    ),
    "limited": (
        "429 Too Many Requests",
        error_of("slowly"),
        "{host} is limiting requests. Wait a little, then send the message again.",
    ),
    "too large": (
        "413 Content Too Large",
        error_of("no"),
        "{host} takes no request as large as this one. Start afresh with `/new`.",
    ),
    "down": (
        "503 Service Unavailable",
        error_of("no"),
        "{host} failed (status 503). Wait a little, then send the message again.",
    ),
    "refused with the key in its words": (
        "400 Bad Request",
        error_of(f"bad header Bearer {KEY}\nand more"),
        "{host} refused the request (status 400): bad header Bearer [key] and more (made_up)",
    ),
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", STATUSES)
async def test_a_status_says_which_server_and_what_to_do(name: str, provider: str) -> None:
    status, body, expected = STATUSES[name]
    async with answering(http(status, body)) as port:
        base_url = f"http://localhost:{port}"
        said = await failing(model_at(base_url, provider))
    path = {"openai": "/chat/completions", "anthropic": "/v1/messages"}[provider]
    variable = f"{provider.upper()}_API_KEY"
    host = f"localhost:{port}"
    assert said == expected.format(host=host, variable=variable, url=base_url + path)


async def test_a_server_that_wants_a_key_when_there_is_none() -> None:
    async with answering(http("401 Unauthorized", error_of("no key"))) as port:
        said = await failing(model_at(f"http://localhost:{port}/v1", key=""))
    assert said == (
        f"localhost:{port} asks for a key, and none was sent. Run `agent auth http://localhost:{port}`,"
        " then go on with `agent --continue`."
    )


PAGE = "<!DOCTYPE html><title>Welcome</title>"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("404 Not Found", "There is no model service at http://localhost:{port}/chat/completions."),
        ("403 Forbidden", "localhost:{port} refused the request with a web page: a firewall or"),
        ("200 OK", "The model's server sent nothing that is an answer. If that"),
    ],
)
async def test_a_web_page_is_no_model_service(status: str, expected: str) -> None:
    async with answering(http(status, PAGE, "text/html")) as port:
        said = await failing(model_at(f"http://localhost:{port}"))
    assert said.startswith(expected.format(port=port))


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Elsewhere", "308 Elsewhere"])
async def test_nothing_is_sent_where_a_server_redirects_to(
    model_server: ModelServer, status: str, provider: str
) -> None:
    answer = http(status, "", Location=f"{model_server.base_url}/chat/completions")
    async with answering(answer) as port:
        said = await failing(model_at(f"http://localhost:{port}/v1", provider))
    assert model_server.requests == []
    assert said == (
        f"localhost:{port} wants the request sent to {place(model_server.base_url)}, and nothing"
        " was sent there. If that is right, write the new address into `model.base_url`."
    )


async def test_what_speaks_no_http_is_told() -> None:
    async with answering(b"SSH-2.0-OpenSSH_9.9\r\n") as port:
        said = await failing(model_at(f"http://localhost:{port}/v1"))
    assert said == (
        f"What answers at localhost:{port} closed the connection or is no web server. Check the"
        " port and `http` or `https` in `model.base_url`."
    )


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_nothing_listens_at_the_address(provider: str) -> None:
    port = free_port()
    said = await failing(model_at(f"http://127.0.0.1:{port}/v1", provider))
    assert said == (
        f"The server 127.0.0.1:{port} refused the connection: nothing listens there. Check"
        " `model.base_url` and your network."
    )


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_name_without_an_address(provider: str) -> None:
    said = await failing(model_at("https://nowhere.invalid/v1", provider))
    assert said == (
        "The server nowhere.invalid was not found: its name has no address. Check `model.base_url`"
        " and your network."
    )


async def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    async with answering(b"", with_certificate(certificate(tmp_path))) as port:
        said = await failing(model_at(f"https://localhost:{port}/v1"))
    assert said == (
        f"The certificate of localhost:{port} is signed by itself: name its file in SSL_CERT_FILE"
        " if you trust it."
    )


@pytest.mark.parametrize(
    ("name", "expired", "expected"),
    [
        ("localhost", True, "has expired: renew it there, and check this machine's clock."),
        ("elsewhere", False, "is for another name: write the name the certificate has into"),
    ],
)
async def test_a_trusted_certificate_that_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, expired: bool, expected: str
) -> None:
    file = certificate(tmp_path, name=name, expired=expired)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    async with answering(b"", with_certificate(file)) as port:
        said = await failing(model_at(f"https://localhost:{port}/v1"))
    assert said.startswith(f"The certificate of localhost:{port} {expected}")


async def test_naming_the_certificates_file_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    answer = http("402 Payment Required", error_of("no"))
    async with answering(answer, with_certificate(file)) as port:
        said = await failing(model_at(f"https://localhost:{port}/v1"))
    assert said.startswith(f"localhost:{port} asks for payment")


async def test_tls_to_a_server_without_it() -> None:
    async with answering(http("200 OK", "{}")) as port:
        said = await failing(model_at(f"https://localhost:{port}/v1"))
    assert said == (
        f"There is no TLS at localhost:{port}, or it was cut off. If the server speaks plain HTTP,"
        " write `http://` in `model.base_url`."
    )


async def test_silence_names_the_setting_of_the_time() -> None:
    async with answering(None) as port:
        settings = ModelSettings(
            "openai:made-up", base_url=f"http://localhost:{port}/v1", idle_timeout_s=0.2
        )
        keyring = Keyring(Path("/nowhere"), {}, {})
        said = await failing(load_models(settings, keyring, project=Path("/p")).main)
    assert said.startswith(f"localhost:{port} sent nothing for longer than `model.idle_timeout_s`.")


async def test_a_proxy_that_refuses_is_named_with_its_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    port = free_port()
    monkeypatch.setenv("HTTPS_PROXY", f"http://me:MARK@127.0.0.1:{port}")
    said = await failing(model_at("https://behind-a-refusing-proxy.invalid/v1"))
    assert said == (
        f"The proxy 127.0.0.1:{port} refused the connection: nothing listens there. Correct or"
        " unset HTTPS_PROXY, or name the server in NO_PROXY."
    )


@pytest.mark.parametrize("address", ["socks5://localhost:9", "ftp://localhost:9"])
def test_a_proxy_of_another_kind_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", address)
    with pytest.raises(ModelError) as caught:
        model_at(f"https://behind-{address[:3]}.invalid/v1")
    assert caught.value.paragraph.startswith("The proxy that the environment names is of a kind")


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_proxy_that_asks_for_a_password(
    monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    refusal = http("407 Proxy Authentication Required", "")
    async with answering(refusal) as port:
        monkeypatch.setenv(f"{scheme}_proxy", f"http://me:MARK@localhost:{port}")
        said = await failing(model_at(f"{scheme}://behind-a-closed-proxy.invalid/v1"))
    assert said == (
        f"The proxy localhost:{port} asks for a name and password. Put them into {scheme}_proxy, as"
        f" in `http://NAME:PASSWORD@localhost:{port}`, and start again."
    )


async def test_a_proxy_that_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://no-proxy.invalid:3128")
    said = await failing(model_at("https://behind-a-lost-proxy.invalid/v1"))
    assert said.startswith("The proxy no-proxy.invalid:3128 was not found")
    assert "ALL_PROXY" in said


async def test_a_server_that_needs_no_proxy_is_named_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "other,.exempt.invalid")
    said = await failing(model_at("https://model.exempt.invalid/v1"))
    assert said.startswith("The server model.exempt.invalid was not found")
    assert os.environ["HTTPS_PROXY"] not in said
