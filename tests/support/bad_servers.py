"""Servers on the loopback that answer as no model service does, and certificates to distrust."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

CA = """\
[ca]
default_ca = own
[own]
database = {folder}/index.txt
serial = {folder}/serial
new_certs_dir = {folder}
default_md = sha256
policy = named
x509_extensions = names
[named]
commonName = supplied
[names]
subjectAltName = DNS:{name}
"""


def http(status: str, body: str, content_type: str = "application/json", **headers: str) -> bytes:
    """A whole answer, after which the connection is closed."""
    lines = [
        f"HTTP/1.1 {status}",
        f"Content-Type: {content_type}",
        f"Content-Length: {len(body.encode())}",
        "Connection: close",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", body]).encode()


@asynccontextmanager
async def answering(
    answer: bytes | None, context: ssl.SSLContext | None = None
) -> AsyncGenerator[int]:
    """Answers each connection with these bytes once a request came, with None never; the port."""
    over = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.read(65_536)
            if answer is None:
                await over.wait()
            elif head:
                writer.write(answer)
                await writer.drain()
        except OSError:
            pass  # the client went away
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "localhost", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        over.set()
        server.close()
        await server.wait_closed()


def certificate(folder: Path, *, name: str = "localhost", expired: bool = False) -> Path:
    """A file with a key and a certificate for `name` that it signs itself."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    (folder / "ca.cnf").write_text(CA.format(folder=folder, name=name))
    (folder / "index.txt").touch()
    (folder / "serial").write_text("01")
    end = "20200102000000Z" if expired else "20491231000000Z"
    key, request, signed = (folder / part for part in ("key.pem", "request.pem", "signed.pem"))
    _openssl(
        *("req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}"),
        *("-keyout", str(key), "-out", str(request)),
    )
    _openssl(
        *("ca", "-batch", "-config", str(folder / "ca.cnf"), "-selfsign", "-notext"),
        *("-startdate", "20200101000000Z", "-enddate", end),
        *("-keyfile", str(key), "-in", str(request), "-out", str(signed)),
    )
    both = folder / "both.pem"
    both.write_text(key.read_text() + signed.read_text())
    return both


def with_certificate(file: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def _openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)
