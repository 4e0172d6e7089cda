"""What a model answers in a test, independent of the wire format, and what can go wrong with it."""

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Literal, Protocol
from uuid import uuid4

FinishReason = Literal["stop", "tool_calls", "length", "content_filter"]

WAIT_S = 30.0


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    text: str


def _new_call_id() -> str:
    return f"call_{uuid4().hex[:24]}"


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    args: Mapping[str, object] | str
    """A text is sent as it stands, also where it is no JSON."""
    id: str = field(default_factory=_new_call_id)


class Gate:
    """A place in a reply where the stream stays open until the test opens the gate."""

    def __init__(self) -> None:
        self._opened: Future[None] = Future()
        self._reached = threading.Event()
        self._left = threading.Event()

    def open(self) -> None:
        if not self._opened.done():
            self._opened.set_result(None)

    def wait_reached(self, timeout: float = WAIT_S) -> None:
        assert self._reached.wait(timeout), "the stream never came to the gate"

    def wait_left(self, timeout: float = WAIT_S) -> None:
        """Until the client has closed its connection in front of the gate."""
        assert self._left.wait(timeout), "the client stayed in front of the gate"

    async def passed(self) -> None:
        """What the server waits for."""
        self._reached.set()
        try:
            await asyncio.shield(asyncio.wrap_future(self._opened))
        except asyncio.CancelledError:
            self._left.set()
            raise


Part = Text | Reasoning | ToolCall | Gate


@dataclass(frozen=True, slots=True)
class TokenCount:
    prompt: int
    completion: int
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer with an error status in place of a reply."""

    status: int
    message: str
    kind: str = "invalid_request_error"
    param: str | None = None
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class CutConnectionError(Exception):
    """Raised by a fault in the middle of a stream: the server drops the connection."""

    def drop(self, transport: asyncio.Transport) -> None:
        transport.abort()


class Fault(Protocol):
    """What happens to a reply on its way. The base passes everything on."""

    async def before(self) -> Refusal | None:
        """Runs before anything is sent: it may wait, or answer in place of the reply."""
        return None

    def passing(self, stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Stands between the reply's bytes and the connection: it may change, delay or cut."""
        return stream


@dataclass(frozen=True, slots=True)
class Status(Fault):
    """The service refuses, as under load or when it is down."""

    refusal: Refusal

    async def before(self) -> Refusal | None:
        return self.refusal


@dataclass(frozen=True, slots=True)
class CutAfter(Fault):
    """The connection breaks after so many bytes of the body."""

    size: int

    async def passing(self, stream: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        left = self.size
        async for piece in stream:
            yield piece[:left]
            left -= len(piece)
            if left <= 0:
                raise CutConnectionError


@dataclass(frozen=True, slots=True)
class Reply:
    parts: tuple[Part, ...]
    usage: TokenCount | None = None
    """None: estimated from the sizes of request and reply."""
    finish_reason: FinishReason | None = None
    """None: what the parts suggest."""
    fault: Fault | None = None

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def ending(self) -> FinishReason:
        return self.finish_reason or ("tool_calls" if self.calls else "stop")


def reply(
    *parts: Part | str,
    usage: TokenCount | None = None,
    finish_reason: FinishReason | None = None,
    fault: Fault | None = None,
) -> Reply:
    """A reply of these parts; a plain string is text."""
    whole = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Reply(whole, usage, finish_reason, fault)


def call(name: str, /, **args: object) -> ToolCall:
    return ToolCall(name, args)


def refused(status: int, message: str = "", **headers: str) -> Reply:
    """A reply that never comes: the status with its headers (`retry_after="1"`)."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    kind = "server_error" if status >= 500 else "requests" if status == 429 else ""
    code = "rate_limit_exceeded" if status == 429 else None
    refusal = Refusal(
        status,
        message or f"The service answers {status}.",
        kind=kind or "invalid_request_error",
        code=code,
        headers=names,
    )
    return reply(fault=Status(refusal))
