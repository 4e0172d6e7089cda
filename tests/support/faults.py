"""What can go wrong with a stream, whatever the wire format: each works on its bytes alone."""

import asyncio
import socket
import struct
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import cast

from tests.support.json_shape import Json
from tests.support.replies import CutConnectionError, Fault, Gate, Reply
from tests.support.wire_format import WireFormat

EVENT_END = b"\n\n"


class ResetConnectionError(CutConnectionError):
    """The connection is reset, as by a server that was killed or a router that forgot it."""

    def drop(self, transport: asyncio.Transport) -> None:
        connection = cast("socket.socket", transport.get_extra_info("socket"))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()


@dataclass(frozen=True, slots=True)
class EndAfter(Fault):
    """The body ends in good order after so many bytes, as from a proxy that lost its server."""

    size: int

    async def passing(self, stream: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        async for piece in _first(stream, self.size):
            yield piece


@dataclass(frozen=True, slots=True)
class ResetAfter(Fault):
    size: int

    async def passing(self, stream: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        async for piece in _first(stream, self.size):
            yield piece
        raise ResetConnectionError


@dataclass(frozen=True, slots=True)
class StallAfter(Fault):
    """Nothing comes any more, and the connection stays open until the client leaves."""

    size: int
    gate: Gate = field(default_factory=Gate)

    async def passing(self, stream: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        async for piece in _first(stream, self.size):
            yield piece
        await self.gate.passed()


@dataclass(frozen=True, slots=True)
class ErrorAfter(Fault):
    """After so many whole events comes this one, and the stream ends."""

    events: int
    error: bytes

    async def passing(self, stream: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        numbers = count()
        async for piece in stream:
            if next(numbers) == self.events:
                break
            yield piece
        yield self.error + EVENT_END


def whole_body(form: WireFormat, body: Json, reply: Reply) -> bytes:
    """What the format sends for the reply, in one piece."""
    return b"".join(piece for piece in form.pieces(body, reply) if isinstance(piece, bytes))


def spread(size: int, number: int) -> Sequence[int]:
    """So many offsets from the first byte to the last but one."""
    return [1 + (size - 2) * step // (number - 1) for step in range(number)]


def inside_characters(body: bytes) -> Sequence[int]:
    """The offsets within a character of several bytes."""
    return [offset for offset, byte in enumerate(body) if byte & 0xC0 == 0x80]


def inside_events(body: bytes) -> Sequence[int]:
    """For each event an offset in its middle."""
    offsets: list[int] = []
    start = 0
    while (end := body.find(EVENT_END, start)) >= 0:
        offsets.append((start + end) // 2)
        start = end + len(EVENT_END)
    return offsets


async def _first(stream: AsyncIterator[bytes], size: int) -> AsyncGenerator[bytes, None]:
    async for piece in stream:
        yield piece[:size]
        size -= len(piece)
        if size <= 0:
            return
