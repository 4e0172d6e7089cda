"""A model service on the loopback: scripted per test, it records and refuses like the real one."""

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self, cast

from aiohttp import web

from tests.support.json_shape import Json, items, mapping, string
from tests.support.openai_chat import OpenAIChat, content_text
from tests.support.replies import CutConnectionError, Gate, Refusal, Reply
from tests.support.wire_format import WireFormat

KEY = "sk-loopback"
MAX_REQUEST = 64 * 1024 * 1024
WAIT_S = 30.0


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came in; the body is empty where it was no JSON object."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes
    body: Json
    system: str
    at: float
    """Of `time.monotonic()`, when the request line had arrived."""

    @property
    def messages(self) -> Sequence[Json]:
        return [mapping(message) for message in items(self.body.get("messages"))]

    @property
    def results(self) -> Sequence[str]:
        """What the tools answered, in the order of their calls."""
        answers = {string(m.get("tool_call_id")): m.get("content") for m in self.messages}
        calls = (mapping(c) for m in self.messages for c in items(m.get("tool_calls")))
        return [content_text(answers.get(string(call.get("id")))) for call in calls]


Step = Reply | Callable[[Received], Reply]
Recognise = str | Callable[[Received], bool]


@dataclass(slots=True)
class _Script:
    when: Recognise
    steps: deque[Step]
    then: Callable[[Received], Reply] | None = None

    def fits(self, received: Received) -> bool:
        if callable(self.when):
            return self.when(received)
        return self.when in received.system

    def next_step(self) -> Step | None:
        return self.steps.popleft() if self.steps else self.then


@dataclass(slots=True)
class _Exchange:
    """A request on its way to an answer."""

    request: web.Request
    form: WireFormat
    received: Received


class ModelServer:
    """Runs in a thread of its own between `start` and `close`."""

    def __init__(self, *formats: WireFormat, key: str = KEY) -> None:
        self.key = key
        self.requests: list[Received] = []
        self.refusals: list[Refusal] = []
        """What was refused although no script asked for it."""
        self.errors: list[Exception] = []
        """What the test got wrong: a script that ran out or raised."""
        self._formats: Sequence[WireFormat] = formats or (OpenAIChat("loopback"),)
        self._scripts: list[_Script] = []
        self._changed = threading.Condition()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="model-server", daemon=True)
        self._port = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def base_url(self) -> str:
        return f"{self.root_url}/v1"

    @property
    def root_url(self) -> str:
        """For clients that put the version into the path themselves."""
        return f"http://127.0.0.1:{self._port}"

    def script(self, *steps: Step, when: Recognise = "") -> None:
        """Answers, one for each request of the conversation that `when` recognises.

        `when` is a text of the system prompt or a question about the request; the last script
        that fits a request answers it, so start with the one without `when`.
        """
        self._scripts.append(_Script(when, deque(steps)))

    def answer_with(self, answer: Callable[[Received], Reply], when: Recognise = "") -> None:
        """Answers every request of the conversation by asking `answer`."""
        self._scripts.append(_Script(when, deque(), answer))

    def wait_for_requests(self, number: int, timeout: float = WAIT_S) -> list[Received]:
        """Until `number` requests have come in since the start; returns them all."""
        with self._changed:
            came = self._changed.wait_for(lambda: len(self.requests) >= number, timeout)
        assert came, f"{len(self.requests)} of {number} requests within {timeout:g} s"
        return list(self.requests)

    def start(self) -> None:
        self._thread.start()
        assert self._started.wait(WAIT_S), "the model server did not start"

    def close(self) -> None:
        """Cuts every open connection."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(WAIT_S)
            assert not self._thread.is_alive(), "the model server did not stop"

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        app = web.Application(client_max_size=MAX_REQUEST)
        app.router.add_route("*", "/{path:.*}", self._answer)
        app.on_response_prepare.append(_close_behind)
        runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=0.01
        )
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self._port = runner.addresses[0][1]
        self._started.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        at = time.monotonic()
        form = next((each for each in self._formats if each.path == request.path), None)
        raw = await request.read()
        body = _parsed(raw)
        received = Received(
            method=request.method,
            path=request.path,
            headers=dict(request.headers),
            raw=raw,
            body=body or {},
            system=form.system(body or {}) if form else "",
            at=at,
        )
        with self._changed:
            self.requests.append(received)
            self._changed.notify_all()
        if form is None:
            return self._page(request)
        exchange = _Exchange(request, form, received)
        refusal = self._refusal(exchange, body)
        if refusal:
            self.refusals.append(refusal)
            return _error(form, refusal)
        return await self._reply(exchange)

    def _page(self, request: web.Request) -> web.Response:
        """The paths beside those where requests are posted."""
        for form in self._formats:
            if page := form.pages.get(request.path):
                denied = form.unauthorised(request.headers, self.key)
                return _error(form, denied) if denied else web.json_response(page)
        unknown = Refusal(404, f"Invalid URL ({request.method} {request.path})")
        self.refusals.append(unknown)
        return _error(self._formats[0], unknown)

    def _refusal(self, exchange: _Exchange, body: Json | None) -> Refusal | None:
        received = exchange.received
        if received.method != "POST":
            return Refusal(405, f"Not allowed to {received.method} on {received.path}.")
        denied = exchange.form.unauthorised(received.headers, self.key)
        if denied or body is None:
            return denied or Refusal(400, "We could not parse the JSON body of your request.")
        return exchange.form.invalid(body)

    async def _reply(self, exchange: _Exchange) -> web.StreamResponse:
        try:
            reply = self._next_reply(exchange.received)
        except Exception as error:  # noqa: BLE001 - shown by the test, not by the server
            self.errors.append(error)
            return _error(exchange.form, Refusal(400, f"The script of this test: {error}"))
        if reply.fault and (refusal := await reply.fault.before()):
            return _error(exchange.form, refusal)
        if exchange.form.is_streamed(exchange.received.body):
            return await _stream(exchange, reply)
        for part in reply.parts:
            if isinstance(part, Gate):
                await part.passed()
        return web.json_response(exchange.form.whole(exchange.received.body, reply))

    def _next_reply(self, received: Received) -> Reply:
        script = next((each for each in reversed(self._scripts) if each.fits(received)), None)
        assert script, "no script fits the request"
        step = script.next_step()
        assert step is not None, f"no reply is left in the script for {script.when!r}"
        return step(received) if callable(step) else step


async def _close_behind(_: web.Request, response: web.StreamResponse) -> None:
    """Clients share their connections in the process, which would outlive the loop of a test."""
    response.headers["Connection"] = "close"
    response.force_close()


async def _stream(exchange: _Exchange, reply: Reply) -> web.StreamResponse:
    headers = {"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache"}
    response = web.StreamResponse(headers=headers)
    await response.prepare(exchange.request)
    stream = _bytes(exchange, reply)
    try:
        async for piece in reply.fault.passing(stream) if reply.fault else stream:
            await response.write(piece)
        await response.write_eof()
    except CutConnectionError as cut:
        if exchange.request.transport:
            cut.drop(exchange.request.transport)
    except ConnectionError:
        return response  # the client went away
    return response


async def _bytes(exchange: _Exchange, reply: Reply) -> AsyncIterator[bytes]:
    for piece in exchange.form.pieces(exchange.received.body, reply):
        if isinstance(piece, Gate):
            await piece.passed()
        else:
            yield piece


def _parsed(raw: bytes) -> Json | None:
    try:
        value: object = json.loads(raw)
    except ValueError:
        return None
    return cast("Json", value) if isinstance(value, dict) else None


def _error(form: WireFormat, refusal: Refusal) -> web.Response:
    return web.json_response(
        form.error(refusal), status=refusal.status, headers=dict(refusal.headers)
    )
