"""What the Anthropic Messages service refuses a request for, in its own words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.support.anthropic_thinking import Signed, thinking_faults
from tests.support.json_shape import Json, items, mapping, string
from tests.support.replies import Refusal

ID_PATTERN = "^[a-zA-Z0-9_-]+$"
NAME_PATTERN = "^[a-zA-Z0-9_-]{1,128}$"
MOST_BREAKPOINTS = 4

PARAMETERS = frozenset(
    re.findall(
        r"\w+",
        """
        cache_control container context_management inference_geo max_tokens mcp_servers messages
        metadata model output_config service_tier speed stop_sequences stream system
        thinking tool_choice tools user_profile_id workspace_id
        """,
    )
)
TOOL_KEYS = frozenset(
    re.findall(
        r"\w+",
        """
        allowed_callers cache_control defer_loading description eager_input_streaming
        input_examples input_schema name strict type
        """,
    )
)
BLOCK_KEYS = {
    "text": frozenset({"type", "text", "cache_control", "citations"}),
    "image": frozenset({"type", "source", "cache_control"}),
    "document": frozenset({"type", "source", "cache_control", "title", "context", "citations"}),
    "thinking": frozenset({"type", "thinking", "signature"}),
    "redacted_thinking": frozenset({"type", "data"}),
    "tool_use": frozenset({"type", "id", "name", "input", "cache_control", "caller"}),
    "tool_result": frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"}),
}
NEEDED = {
    "text": ("text",),
    "thinking": ("thinking", "signature"),
    "tool_use": ("id", "name", "input"),
    "tool_result": ("tool_use_id",),
}


def first_refusal(body: Json, models: Sequence[str], signed: Signed) -> Refusal | None:
    """The first fault of a request; `models` are the known ones, none means any."""
    return next(_faults(body, models, signed), None)


def _faults(body: Json, models: Sequence[str], signed: Signed) -> Iterator[Refusal]:
    for name in ("model", "max_tokens", "messages"):
        if name not in body:
            yield _refuse(f"{name}: Field required")
    for name in sorted(body.keys() - PARAMETERS):
        yield _refuse(f"{name}: Extra inputs are not permitted")
    model = string(body.get("model"))
    if models and model not in models:
        yield Refusal(404, f"model: {model}")
    limit = body.get("max_tokens")
    if not isinstance(limit, int) or limit < 1:
        yield _refuse("max_tokens: Input should be greater than or equal to 1")
    yield from _cache_faults(body)
    yield from _system_faults(body.get("system"))
    yield from _tool_faults(body)
    messages = [mapping(message) for message in items(body.get("messages"))]
    yield from _role_faults(messages)
    for number, message in enumerate(messages):
        yield from _message_faults(f"messages.{number}", message)
    yield from _pairing_faults(messages)
    yield from thinking_faults(body, messages, signed)


def _cache_faults(body: Json) -> Iterator[Refusal]:
    found = sum(_breakpoints(body.get(name)) for name in ("system", "tools", "messages"))
    found += "cache_control" in body
    if found > MOST_BREAKPOINTS:
        yield _refuse(
            f"A maximum of {MOST_BREAKPOINTS} blocks with cache_control may be provided."
            f" Found {found}."
        )


def _breakpoints(value: object) -> int:
    if block := mapping(value):
        return ("cache_control" in block) + _breakpoints(block.get("content"))
    return sum(map(_breakpoints, items(value)))


def _system_faults(system: object) -> Iterator[Refusal]:
    for number, block in enumerate(map(mapping, items(system))):
        yield from _block_faults(f"system.{number}", block, ("text",))
        if not string(block.get("text")).strip():
            yield _refuse("system: text content blocks must be non-empty")


def _tool_faults(body: Json) -> Iterator[Refusal]:
    names: list[str] = []
    for number, tool in enumerate(map(mapping, items(body.get("tools")))):
        name, where = string(tool.get("name")), f"tools.{number}.custom"
        for extra in sorted(tool.keys() - TOOL_KEYS):
            yield _refuse(f"{where}.{extra}: Extra inputs are not permitted")
        if not re.fullmatch(NAME_PATTERN, name):
            yield _refuse(f"{where}.name: String should match pattern '{NAME_PATTERN}'")
        if mapping(tool.get("input_schema")).get("type") != "object":
            yield _refuse(f"{where}.input_schema.type: Field required")
        if name in names:
            yield _refuse("tools: Tool names must be unique.")
        names.append(name)


def _role_faults(messages: Sequence[Json]) -> Iterator[Refusal]:
    """Turns of one role in a row are taken as one, so that is no fault."""
    if not messages:
        yield _refuse("messages: at least one message is required")
        return
    for message in messages:
        role = string(message.get("role"))
        if role == "system":
            yield _refuse(
                'messages: Unexpected role "system". The Messages API accepts a top-level'
                ' `system` parameter, not "system" as an input message role.'
            )
        elif role not in {"user", "assistant"}:
            yield _refuse(
                f'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant"'
            )
    if messages[0].get("role") != "user":
        yield _refuse('messages: first message must use the "user" role')
    if messages[-1].get("role") != "user":
        yield _refuse(
            "This model does not support assistant message prefill. The conversation must end"
            " with a user message."
        )


def _message_faults(where: str, message: Json) -> Iterator[Refusal]:
    for name in sorted(message.keys() - {"role", "content"}):
        yield _refuse(f"{where}.{name}: Extra inputs are not permitted")
    content = message.get("content")
    if not content:
        yield _refuse(
            f"{where}: all messages must have non-empty content except for the optional final"
            " assistant message"
        )
    elif isinstance(content, str):
        yield from _blank_faults(content)
    allowed = _allowed(message)
    blocks = [mapping(block) for block in items(content)]
    for number, block in enumerate(blocks):
        yield from _block_faults(f"{where}.content.{number}", block, allowed)
    if blocks and string(blocks[-1].get("type")).endswith("thinking"):
        yield _refuse(f"{where}: The final block in an assistant message cannot be `thinking`.")


def _allowed(message: Json) -> tuple[str, ...]:
    if message.get("role") == "assistant":
        return ("text", "thinking", "redacted_thinking", "tool_use")
    return ("text", "image", "document", "tool_result")


def _block_faults(where: str, block: Json, allowed: Sequence[str]) -> Iterator[Refusal]:
    kind = string(block.get("type"))
    if kind not in allowed:
        named = ", ".join(f"'{each}'" for each in allowed)
        yield _refuse(
            f"{where}: Input tag '{kind}' found using 'type' does not match any of the expected"
            f" tags: {named}"
        )
        return
    for name in NEEDED.get(kind, ()):
        if name not in block:
            yield _refuse(f"{where}.{kind}.{name}: Field required")
    for name in sorted(block.keys() - BLOCK_KEYS[kind]):
        yield _refuse(f"{where}.{kind}.{name}: Extra inputs are not permitted")
    if kind == "text":
        yield from _blank_faults(string(block.get("text")))
    if kind == "tool_use" and not isinstance(block.get("input"), dict):
        yield _refuse(f"{where}.tool_use.input: Input should be a valid dictionary")
    for name in {"id", "tool_use_id"} & block.keys():
        if not re.fullmatch(ID_PATTERN, string(block[name])):
            yield _refuse(f"{where}.{kind}.{name}: String should match pattern '{ID_PATTERN}'")
    for number, inner in enumerate(map(mapping, items(block.get("content")))):
        yield from _block_faults(f"{where}.content.{number}", inner, ("text", "image", "document"))


def _blank_faults(text: str) -> Iterator[Refusal]:
    if not text:
        yield _refuse("messages: text content blocks must be non-empty")
    elif not text.strip():
        yield _refuse("messages: text content blocks must contain non-whitespace text")


@dataclass
class _Turn:
    """Messages of one role in a row, which the service takes as one."""

    role: str
    number: int
    blocks: list[Json] = field(default_factory=list[Json])


def _turns(messages: Sequence[Json]) -> list[_Turn]:
    turns: list[_Turn] = []
    for number, message in enumerate(messages):
        role = string(message.get("role"))
        if not turns or turns[-1].role != role:
            turns.append(_Turn(role, number))
        content = message.get("content")
        text: list[Json] = [{"type": "text", "text": content}]
        blocks = [mapping(block) for block in items(content)]
        turns[-1].blocks.extend(text if isinstance(content, str) else blocks)
    return turns


def _pairing_faults(messages: Sequence[Json]) -> Iterator[Refusal]:
    turns = _turns(messages)
    seen: set[str] = set()
    for before, turn in zip([_Turn("", -1), *turns], turns, strict=False):
        asked = _ids(before.blocks, "tool_use", "id")
        answered = _leading_results(turn.blocks)
        if missing := [each for each in asked if each not in answered]:
            yield _unanswered(before.number, missing)
        yield from _result_faults(turn, asked)
        for each in _ids(turn.blocks, "tool_use", "id"):
            if each in seen:
                yield _refuse("messages: `tool_use` ids must be unique")
            seen.add(each)
    if turns and (missing := _ids(turns[-1].blocks, "tool_use", "id")):
        yield _unanswered(turns[-1].number, missing)


def _result_faults(turn: _Turn, asked: Sequence[str]) -> Iterator[Refusal]:
    results = _ids(turn.blocks, "tool_result", "tool_use_id")
    for each in results:
        if each not in asked:
            yield _refuse(
                f"messages.{turn.number}.content: unexpected `tool_use_id` found in `tool_result`"
                f" blocks: {each}. Each `tool_result` block must have a corresponding `tool_use`"
                " block in the previous message."
            )
        if results.count(each) > 1:
            yield _refuse(
                f"messages.{turn.number}.content: each tool_use must have a single result."
                f" Found multiple `tool_result` blocks with id: {each}"
            )


def _leading_results(blocks: Sequence[Json]) -> list[str]:
    """Only results at the start of a message count as answers."""
    leading: list[str] = []
    for block in blocks:
        if block.get("type") != "tool_result":
            break
        leading.append(string(block.get("tool_use_id")))
    return leading


def _ids(blocks: Sequence[Json], kind: str, name: str) -> list[str]:
    return [string(block.get(name)) for block in blocks if block.get("type") == kind]


def _unanswered(number: int, missing: Sequence[str]) -> Refusal:
    return _refuse(
        f"messages.{number}: `tool_use` ids were found without `tool_result` blocks immediately"
        f" after: {', '.join(missing)}. Each `tool_use` block must have a corresponding"
        " `tool_result` block in the next message."
    )


def _refuse(message: str) -> Refusal:
    return Refusal(400, message)
