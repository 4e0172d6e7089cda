"""What the OpenAI chat completions service refuses a request for, in its own words and codes."""

import re
from collections.abc import Iterator, Sequence

from tests.support.json_shape import Json, items, mapping, string
from tests.support.replies import Refusal

ROLES = ("system", "assistant", "user", "function", "tool", "developer")
NAME_PATTERN = "^[a-zA-Z0-9_-]+$"
MAX_NAME = 64
MAX_CALL_ID = 40

PARAMETERS = frozenset(
    re.findall(
        r"\w+",
        """
        audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens
        max_tokens messages metadata modalities model n parallel_tool_calls prediction
        presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort response_format
        safety_identifier seed service_tier stop store stream stream_options temperature
        tool_choice tools top_logprobs top_p user verbosity web_search_options
        """,
    )
)


def first_refusal(body: Json, models: Sequence[str]) -> Refusal | None:
    """The first fault of a request; `models` are the known ones, none means any."""
    return next(_faults(body, models), None)


def _faults(body: Json, models: Sequence[str]) -> Iterator[Refusal]:
    for name in sorted(body.keys() - PARAMETERS):
        yield refuse(f"Unrecognized request argument supplied: {name}")
    model = string(body.get("model"))
    if not model:
        yield refuse("you must provide a model parameter")
    if models and model not in models:
        message = f"The model `{model}` does not exist or you do not have access to it."
        yield Refusal(404, message, code="model_not_found")
    if "stream_options" in body and body.get("stream") is not True:
        text = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        yield refuse(text, "stream_options")
    yield from _tool_faults(body)
    if "messages" not in body:
        text = "Missing required parameter: 'messages'."
        yield refuse(text, "messages", "missing_required_parameter")
    messages = [mapping(message) for message in items(body.get("messages"))]
    if not messages:
        yield empty_array("messages")
    for number, message in enumerate(messages):
        yield from _message_faults(f"messages[{number}]", message)
    yield from _pairing_faults(messages)


def _tool_faults(body: Json) -> Iterator[Refusal]:
    if "tools" in body and not items(body["tools"]):
        yield empty_array("tools")
    for number, tool in enumerate(map(mapping, items(body.get("tools")))):
        function = mapping(tool.get("function"))
        where = f"tools[{number}].function"
        yield from name_faults(f"{where}.name", function.get("name"))
        yield from schema_faults(f"{where}.parameters", function)


def schema_faults(where: str, function: Json) -> Iterator[Refusal]:
    kind = mapping(function.get("parameters", {"type": "object"})).get("type")
    if kind != "object":
        text = (
            f"Invalid schema for function '{function.get('name')}': schema must be a JSON"
            f" Schema of 'type: \"object\"', got 'type: \"{kind}\"'."
        )
        yield refuse(text, where, "invalid_function_parameters")


def _message_faults(where: str, message: Json) -> Iterator[Refusal]:
    role = message.get("role")
    if role not in ROLES:
        named = ", ".join(f"'{each}'" for each in ROLES[:-1])
        text = f"Invalid value: '{role}'. Supported values are: {named}, and '{ROLES[-1]}'."
        yield refuse(text, f"{where}.role", "invalid_value")
    if "tool_calls" in message and not items(message["tool_calls"]):
        yield empty_array(f"{where}.tool_calls")
    yield from _content_faults(where, message)
    for number, call in enumerate(map(mapping, items(message.get("tool_calls")))):
        yield from _call_faults(f"{where}.tool_calls[{number}]", call)


def _content_faults(where: str, message: Json) -> Iterator[Refusal]:
    content = message.get("content")
    where = f"{where}.content"
    if message.get("tool_calls") and not content:
        return
    if content is None:
        text = f"Invalid value for '{where}': expected a string, got null."
        yield refuse(text, where)
    elif content == []:
        yield empty_array(where)
    elif isinstance(content, str):
        yield from blank_faults(where, content)
    for number, block in enumerate(map(mapping, items(content))):
        if block.get("type") == "text":
            yield from blank_faults(f"{where}[{number}].text", string(block.get("text")))


def blank_faults(where: str, text: str) -> Iterator[Refusal]:
    # Some of the services behind this format only refuse blank text in some roles, others in all.
    if not text.strip():
        said = (
            f"Invalid '{where}': string too short. Expected a string with minimum length 1,"
            " but got an empty string instead."
        )
        yield refuse(said, where, "string_below_min_length")


def _call_faults(where: str, call: Json) -> Iterator[Refusal]:
    function = mapping(call.get("function"))
    yield from name_faults(f"{where}.function.name", function.get("name"))
    yield from length_faults(f"{where}.id", string(call.get("id")), MAX_CALL_ID)
    if not isinstance(function.get("arguments"), str):
        text = f"Invalid type for '{where}.function.arguments': expected a string."
        yield refuse(text, f"{where}.function.arguments", "invalid_type")


def _pairing_faults(messages: Sequence[Json]) -> Iterator[Refusal]:
    waiting: list[str] = []
    asked_at = 0
    for number, message in enumerate(messages):
        call_id = string(message.get("tool_call_id"))
        if message.get("role") == "tool":
            if call_id not in waiting:
                text = (
                    "Invalid parameter: messages with role 'tool' must be a response to a"
                    " preceeding message with 'tool_calls'."
                )
                yield refuse(text, f"messages.[{number}].role")
            else:
                waiting.remove(call_id)
            continue
        yield from _open_calls(waiting, asked_at)
        waiting = [string(mapping(call).get("id")) for call in items(message.get("tool_calls"))]
        asked_at = number
    yield from _open_calls(waiting, asked_at)


def _open_calls(waiting: Sequence[str], asked_at: int) -> Iterator[Refusal]:
    if waiting:
        text = (
            "An assistant message with 'tool_calls' must be followed by tool messages responding to"
            " each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            + ", ".join(waiting)
        )
        yield refuse(text, f"messages.[{asked_at + 1}].role")


def name_faults(where: str, name: object) -> Iterator[Refusal]:
    if not re.fullmatch(NAME_PATTERN, string(name)):
        text = (
            f"Invalid '{where}': string does not match pattern."
            f" Expected a string that matches the pattern '{NAME_PATTERN}'."
        )
        yield refuse(text, where, "invalid_value")
    yield from length_faults(where, string(name), MAX_NAME)


def length_faults(where: str, text: str, limit: int) -> Iterator[Refusal]:
    if len(text) > limit:
        said = (
            f"Invalid '{where}': string too long. Expected a string with maximum length {limit},"
            f" but got a string with length {len(text)} instead."
        )
        yield refuse(said, where, "string_above_max_length")


def empty_array(where: str) -> Refusal:
    text = (
        f"Invalid '{where}': empty array. Expected an array with minimum length 1,"
        " but got an empty array instead."
    )
    return refuse(text, where, "empty_array")


def refuse(message: str, param: str | None = None, code: str | None = None) -> Refusal:
    return Refusal(400, message, param=param, code=code)
