"""The signed thinking of the Anthropic Messages service: it comes back unaltered or not at all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.support.json_shape import Json, items, mapping, string
from tests.support.replies import Refusal

ORDERED = {"thinking": "signature", "redacted_thinking": "data", "tool_use": "id"}
"""By which property a block is known among those whose order counts."""


@dataclass
class Signed:
    """What this service signed, and what stood around it."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    """Thinking by its signature."""
    orders: list[list[str]] = field(default_factory=list[list[str]])

    def remember(self, content: Sequence[Json]) -> None:
        for block in content:
            if block.get("type") == "thinking":
                self.texts[string(block["signature"])] = string(block["thinking"])
        self.orders.append(_order(content))

    def around(self, signature: str) -> list[str]:
        return next(order for order in self.orders if signature in order)


def thinking_faults(body: Json, messages: Sequence[Json], signed: Signed) -> Iterator[Refusal]:
    assistants = [n for n, m in enumerate(messages) if m.get("role") == "assistant"]
    for number in assistants:
        blocks = [mapping(block) for block in items(messages[number].get("content"))]
        yield from _signature_faults(f"messages.{number}", blocks, signed)
    if assistants:
        number = assistants[-1]
        blocks = [mapping(block) for block in items(messages[number].get("content"))]
        yield from _order_faults(f"messages.{number}", blocks, signed)
        if mapping(body.get("thinking")).get("type") == "enabled" and _is_result(messages[-1]):
            yield from _first_block_faults(f"messages.{number}", blocks)


def _signature_faults(where: str, blocks: Sequence[Json], signed: Signed) -> Iterator[Refusal]:
    for number, block in enumerate(blocks):
        if block.get("type") == "thinking":
            known = signed.texts.get(string(block.get("signature")))
            if known is None or known != block.get("thinking"):
                text = f"{where}.content.{number}: Invalid `signature` in `thinking` block"
                yield Refusal(400, text)


def _order_faults(where: str, blocks: Sequence[Json], signed: Signed) -> Iterator[Refusal]:
    for number, block in enumerate(blocks):
        if block.get("type") != "thinking":
            continue
        if _order(blocks) != signed.around(string(block.get("signature"))):
            yield Refusal(
                400,
                f"{where}.content.{number}: `thinking` or `redacted_thinking` blocks in the latest"
                " assistant message cannot be modified. These blocks must remain as they were in"
                " the original response.",
            )


def _first_block_faults(where: str, blocks: Sequence[Json]) -> Iterator[Refusal]:
    kind = string(blocks[0].get("type")) if blocks else "text"
    if not kind.endswith("thinking"):
        yield Refusal(
            400,
            f"{where}.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
            f" `{kind}`. When `thinking` is enabled, a final `assistant` message must start with a"
            " thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).",
        )


def _order(content: Sequence[Json]) -> list[str]:
    known = [(string(block.get("type")), block) for block in content]
    return [string(block.get(ORDERED[kind])) for kind, block in known if kind in ORDERED]


def _is_result(message: Json) -> bool:
    return any(mapping(b).get("type") == "tool_result" for b in items(message.get("content")))
