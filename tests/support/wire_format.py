"""The seam between the model server and the formats it speaks."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from tests.support.json_shape import Json
from tests.support.replies import Gate, Refusal, Reply

Piece = bytes | Gate
"""A fragment of a streamed body, or the place where the stream is held."""


class WireFormat(Protocol):
    """One API of one service: what it refuses and how it writes a reply."""

    @property
    def path(self) -> str:
        """Where requests are posted."""
        ...

    @property
    def pages(self) -> Mapping[str, Json]:
        """Further paths that answer GET."""
        ...

    def unauthorised(self, headers: Mapping[str, str], key: str) -> Refusal | None: ...

    def invalid(self, body: Json) -> Refusal | None:
        """What the service refuses a request for."""
        ...

    def system(self, body: Json) -> str:
        """The instructions, by which a script recognises its conversation."""
        ...

    def is_streamed(self, body: Json) -> bool: ...

    def whole(self, body: Json, reply: Reply) -> Json: ...

    def pieces(self, body: Json, reply: Reply) -> Iterator[Piece]: ...

    def error(self, refusal: Refusal) -> Json: ...
