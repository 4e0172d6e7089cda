"""What a finished call leaves on the screen: its line, and below it the change or the output."""

import re
from dataclasses import dataclass

from rich.console import RenderableType

from handrail.events import CallFinished
from handrail.render.blocks import CallLine, indented
from handrail.render.diff import FileDiff, NoPreview, compare, preview
from handrail.render.diff_block import DiffBlock
from handrail.render.outcome import outcome
from handrail.render.output import Output
from handrail.render.words import describe

CHANGES = frozenset({"edit_file", "write_file", "delete"})
_PATHS = CHANGES | {"read_file", "ls"}
_OUTPUT_LINES = 6
_DIFF_LINES = 40
_STATUS = re.compile(r"\n?\[Command (?:succeeded|failed) with exit code -?\d+\]")


@dataclass(frozen=True, slots=True)
class OldText:
    """What was in a file before a call changed it; None when there was no file."""

    text: str | None


def finished(
    event: CallFinished,
    root: str,
    *,
    old: OldText | None,
    seconds: float | None,
    offload: RenderableType | None,
) -> list[RenderableType]:
    """`old` and `seconds` are None where they are not known; `offload` says where the text went."""
    words = outcome(event)
    details: list[RenderableType] = []
    diff = _change(event, old) if event.ok else None
    if diff is not None:
        words = words if old is None else f"+{diff.added} -{diff.removed}"
        details = [DiffBlock(diff, _DIFF_LINES, numbered=old is not None)]
    elif event.exit_code is not None:
        words += "" if seconds is None else f" in {seconds:.1f} s"
        output = _STATUS.sub("", event.text).rstrip()
        details = [Output(output, _OUTPUT_LINES)] if output else []
    if offload is not None:
        details = [offload]
    style = "quiet" if event.ok and not event.exit_code else "bad"
    line = CallLine(describe(event.call, root), words, style, is_path=event.call.name in _PATHS)
    return [line, *map(indented, details)]


def _change(event: CallFinished, old: OldText | None) -> FileDiff | None:
    """From the file if it was read, else from the arguments alone."""
    call = event.call
    if call.name not in CHANGES:
        return None
    if old is not None:
        diff = preview(call, lambda _: old.text)
        return None if isinstance(diff, NoPreview) else diff
    before = call.args.get("old_string", "")
    after = call.args.get("new_string", call.args.get("content"))
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    return compare("", before, after)
