"""What the OpenAI Responses service refuses: its items, their pairs, its sealed reasoning."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.support.json_shape import Json, items, mapping, string
from tests.support.openai_refusals import (
    blank_faults,
    empty_array,
    length_faults,
    name_faults,
    refuse,
    schema_faults,
)
from tests.support.replies import Refusal

MAX_CALL_ID = 64
MIN_OUTPUT_TOKENS = 16
PREFIXES = {"function_call": "fc", "message": "msg", "reasoning": "rs"}

PARAMETERS = frozenset(
    re.findall(
        r"\w+",
        """
        background context_management conversation include input instructions max_output_tokens
        max_tool_calls metadata model parallel_tool_calls previous_response_id prompt
        prompt_cache_key prompt_cache_retention reasoning safety_identifier service_tier store
        stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user
        """,
    )
)
ITEM_KEYS = {
    "message": frozenset({"type", "id", "status", "role", "content", "phase"}),
    "function_call": frozenset({"type", "id", "status", "call_id", "name", "arguments"}),
    "function_call_output": frozenset({"type", "id", "status", "call_id", "output"}),
    "reasoning": frozenset({"type", "id", "status", "summary", "content", "encrypted_content"}),
}
BLOCKS = {
    "assistant": ("output_text", "refusal"),
    "user": ("input_text", "input_image", "input_file"),
    "system": ("input_text", "input_image", "input_file"),
    "developer": ("input_text", "input_image", "input_file"),
}


@dataclass
class Given:
    """The items that this service gave away, by which it knows them when they come back."""

    sealed: dict[str, Json] = field(default_factory=dict[str, Json])
    """Reasoning items by their encrypted content."""
    followers: dict[str, str] = field(default_factory=dict[str, str])
    """From a reasoning item's id to that of the item it led to."""
    stored: set[str] = field(default_factory=set[str])

    def remember(self, output: Sequence[Json], *, stored: bool) -> None:
        for number, item in enumerate(output):
            if stored:
                self.stored.add(string(item.get("id")))
            if item.get("type") != "reasoning":
                continue
            if seal := string(item.get("encrypted_content")):
                self.sealed[seal] = item
            if number + 1 < len(output):
                self.followers[string(item["id"])] = string(output[number + 1]["id"])

    def leader(self, name: str) -> str | None:
        """The reasoning item that must stand before the item of this name."""
        return next((rs for rs, follower in self.followers.items() if follower == name), None)


def first_refusal(body: Json, models: Sequence[str], given: Given) -> Refusal | None:
    """The first fault of a request; `models` are the known ones, none means any."""
    return next(_faults(body, models, given), None)


def _faults(body: Json, models: Sequence[str], given: Given) -> Iterator[Refusal]:
    for name in sorted(body.keys() - PARAMETERS):
        yield refuse(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
    model = string(body.get("model"))
    if not model:
        yield _missing("model")
    if models and model not in models:
        text = f"The requested model '{model}' does not exist."
        yield refuse(text, "model", "model_not_found")
    yield from _limit_faults(body)
    yield from _tool_faults(body)
    if "input" not in body:
        yield _missing("input")
    if isinstance(body.get("input"), str):
        yield from blank_faults("input", string(body["input"]))
        return
    sent = [mapping(item) for item in items(body.get("input"))]
    if not sent:
        yield empty_array("input")
    for number, item in enumerate(sent):
        yield from _item_faults(f"input[{number}]", item)
    yield from _pairing_faults(sent)
    yield from _reasoning_faults(sent, given)


def _limit_faults(body: Json) -> Iterator[Refusal]:
    limit = body.get("max_output_tokens")
    if isinstance(limit, int) and limit < MIN_OUTPUT_TOKENS:
        text = (
            "Invalid 'max_output_tokens': integer below minimum value. Expected a value"
            f" >= {MIN_OUTPUT_TOKENS}, but got {limit} instead."
        )
        yield refuse(text, "max_output_tokens", "integer_below_min_value")
    if earlier := body.get("previous_response_id"):
        text = f"Previous response with id '{earlier}' not found."
        yield refuse(text, "previous_response_id", "previous_response_not_found")


def _tool_faults(body: Json) -> Iterator[Refusal]:
    for number, tool in enumerate(map(mapping, items(body.get("tools")))):
        where = f"tools[{number}]"
        if "name" not in tool:
            yield _missing(f"{where}.name")
        yield from name_faults(f"{where}.name", tool.get("name"))
        yield from schema_faults(f"{where}.parameters", tool)


def _item_faults(where: str, item: Json) -> Iterator[Refusal]:
    kind = string(item.get("type", "message" if "role" in item else ""))
    if kind not in ITEM_KEYS:
        named = ", ".join(f"'{each}'" for each in ITEM_KEYS)
        text = f"Invalid value: '{kind}'. Supported values are: {named}."
        yield refuse(text, where, "invalid_value")
        return
    for name in sorted(item.keys() - ITEM_KEYS[kind]):
        yield refuse(
            f"Unknown parameter: '{where}.{name}'.", f"{where}.{name}", "unknown_parameter"
        )
    yield from _id_faults(where, kind, string(item.get("id")))
    match kind:
        case "message":
            yield from _message_faults(where, item)
        case "reasoning":
            if "summary" not in item:
                yield _missing(f"{where}.summary")
        case _:
            yield from _call_faults(where, kind, item)


def _id_faults(where: str, kind: str, name: str) -> Iterator[Refusal]:
    prefix = PREFIXES.get(kind)
    if name and prefix and not name.startswith(prefix):
        text = f"Invalid '{where}.id': '{name}'. Expected an ID that begins with '{prefix}'."
        yield refuse(text, f"{where}.id", "invalid_value")


def _message_faults(where: str, item: Json) -> Iterator[Refusal]:
    role = string(item.get("role"))
    if role not in BLOCKS:
        named = ", ".join(f"'{each}'" for each in BLOCKS)
        text = f"Invalid value: '{role}'. Supported values are: {named}."
        yield refuse(text, f"{where}.role", "invalid_value")
        return
    content = item.get("content")
    if isinstance(content, str):
        yield from blank_faults(f"{where}.content", content)
    elif not items(content):
        yield empty_array(f"{where}.content")
    for number, block in enumerate(map(mapping, items(content))):
        at = f"{where}.content[{number}]"
        kind = block.get("type")
        if kind not in BLOCKS[role]:
            named = " and ".join(f"'{each}'" for each in BLOCKS[role])
            text = f"Invalid value: '{kind}'. Supported values are: {named}."
            yield refuse(text, at, "invalid_value")
        if kind in {"input_text", "output_text"}:
            yield from blank_faults(f"{at}.text", string(block.get("text")))


def _call_faults(where: str, kind: str, item: Json) -> Iterator[Refusal]:
    if not string(item.get("call_id")):
        yield _missing(f"{where}.call_id")
    yield from length_faults(f"{where}.call_id", string(item.get("call_id")), MAX_CALL_ID)
    if kind == "function_call":
        yield from name_faults(f"{where}.name", item.get("name"))
        if not isinstance(item.get("arguments"), str):
            yield _missing(f"{where}.arguments")
    elif isinstance(item.get("output"), str):
        yield from blank_faults(f"{where}.output", string(item["output"]))
    elif not items(item.get("output")):
        yield _missing(f"{where}.output")


def _pairing_faults(sent: Sequence[Json]) -> Iterator[Refusal]:
    waiting: list[str] = []
    for item in sent:
        call_id = string(item.get("call_id"))
        if item.get("type") == "function_call":
            waiting.append(call_id)
        elif item.get("type") == "function_call_output":
            if call_id not in waiting:
                text = f"No tool call found for function call output with call_id {call_id}."
                yield refuse(text, "input")
            else:
                waiting.remove(call_id)
    if waiting:
        yield refuse(f"No tool output found for function call {waiting[0]}.", "input")


def _reasoning_faults(sent: Sequence[Json], given: Given) -> Iterator[Refusal]:
    names = [string(item.get("id")) for item in sent]
    for number, item in enumerate(sent):
        name, following = names[number], sent[number + 1 : number + 2]
        if item.get("type") == "reasoning":
            yield from _seal_faults(name, item, given)
            if not following or not _leads_to(name, following[0], given):
                text = (
                    f"Item '{name}' of type 'reasoning' was provided without its required"
                    " following item."
                )
                yield refuse(text, "input")
        elif (leader := given.leader(name)) and leader not in names[:number]:
            text = (
                f"Item '{name}' of type '{item.get('type')}' was provided without its required"
                f" 'reasoning' item: '{leader}'."
            )
            yield refuse(text, "input")


def _seal_faults(name: str, item: Json, given: Given) -> Iterator[Refusal]:
    seal = string(item.get("encrypted_content"))
    if not seal:
        if name not in given.stored:
            text = (
                f"Item with id '{name}' not found. Items are not persisted when `store` is set to"
                " false. Try again with `store` set to true, or remove this item from your input."
            )
            yield Refusal(404, text, param="input")
        return
    known = given.sealed.get(seal)
    reason = ""
    if known is None:
        reason = "Encrypted content could not be decrypted or parsed."
    elif known["id"] != name:
        reason = "Encrypted content item_id did not match the target item id."
    elif known["summary"] != item.get("summary"):
        reason = "Encrypted content did not match the item's summary."
    if reason:
        text = f"The encrypted content for item {name} could not be verified. Reason: {reason}"
        yield refuse(text, code="invalid_encrypted_content")


def _leads_to(name: str, following: Json, given: Given) -> bool:
    """Whether what follows may be what this reasoning led to; without an id it is not known."""
    follower = string(following.get("id"))
    own = following.get("role") == "assistant" or following.get("type") in {
        "function_call",
        "reasoning",
    }
    return own and follower in {"", given.followers.get(name, follower)}


def _missing(where: str) -> Refusal:
    text = f"Missing required parameter: '{where}'."
    return refuse(text, where, "missing_required_parameter")
