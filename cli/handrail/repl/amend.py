"""What of a call the person can edit, and the arguments that come of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from handrail.events import Call

_FIELDS = {"execute": "command", "write_file": "content", "edit_file": "new_string"}


class AmendError(ValueError):
    """The edited text does not make arguments; its text says why."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """The editable part of a call: one text argument, or all of them as JSON."""

    call: Call
    field: str | None

    @property
    def label(self) -> str:
        return {"command": "command", "content": "content", "new_string": "new text"}.get(
            self.field or "", "arguments"
        )

    @property
    def text(self) -> str:
        if self.field is None:
            return json.dumps(dict(self.call.args), ensure_ascii=False, indent=2, default=str)
        return str(self.call.args[self.field])

    def arguments(self, text: str) -> Mapping[str, object]:
        """The whole arguments with the edit in them. Raises `AmendError`."""
        if self.field is None:
            return _parsed(text)
        if self.field == "command" and not text.strip():
            raise AmendError("An empty command cannot run; press Esc to go back.")
        return {**self.call.args, self.field: text}


def amendment(call: Call) -> Amendment:
    field = _FIELDS.get(call.name)
    return Amendment(call, field if isinstance(call.args.get(field or ""), str) else None)


def _parsed(text: str) -> Mapping[str, object]:
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise AmendError(f"Not valid JSON: {error}.") from error
    if not isinstance(parsed, dict):
        raise AmendError("The arguments must be a JSON object.")
    return cast("dict[str, object]", parsed)
