"""A call that waits for the person: the exact command or the change it makes."""

from collections.abc import Iterator, Mapping

from rich.console import RenderableType

from handrail.events import Call
from handrail.render.blocks import CallLine, Exact, Prefixed, marked_end
from handrail.render.diff import FileReader, NoPreview, preview
from handrail.render.diff_block import DiffBlock
from handrail.render.finished import CHANGES
from handrail.render.fit import cut_end
from handrail.render.sanitise import sanitise_line
from handrail.render.words import Described, describe

_MAX_NAME = 24
_PROMPTS = ("  $ ", "  > ")
"""Before the first line of a command and the others; one broken by the width goes on without."""


def proposal(call: Call, read: FileReader, root: str = "") -> list[RenderableType]:
    """All of it, however long: nothing the person decides on is cut."""
    called = describe(call, root)
    if call.name in CHANGES:
        diff = preview(call, read)
        if not isinstance(diff, NoPreview):
            counts = f"+{diff.added} -{diff.removed}"
            return [CallLine(called, counts, is_path=True), DiffBlock(diff)]
        return [CallLine(called, diff.reason, "bad", is_path=True), *_arguments(call.args)]
    head = CallLine(Described(called.tool, ""))
    command = call.args.get("command")
    if call.name != "execute" or not isinstance(command, str):
        return [head, *_arguments(call.args)]
    others = {name: value for name, value in call.args.items() if name != "command"}
    return [head, *_command(command), *_arguments(others)]


def _command(command: str) -> Iterator[RenderableType]:
    for index, line in enumerate(command.split("\n")):
        text = Exact(marked_end(sanitise_line(line)), "exact")
        yield Prefixed(_PROMPTS[min(index, 1)], "    ", text, "quiet")


def _arguments(args: Mapping[str, object]) -> Iterator[RenderableType]:
    for name, value in args.items():
        first = f"  {cut_end(sanitise_line(name), _MAX_NAME)}: "
        for line in str(value).split("\n"):
            yield Prefixed(first, "    ", Exact(marked_end(sanitise_line(line))), "quiet")
            first = "    "
