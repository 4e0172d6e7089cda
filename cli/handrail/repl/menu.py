"""The completion menu below the input: the commands that fit, each with its help."""

from collections.abc import Sequence

from prompt_toolkit.buffer import CompletionState
from prompt_toolkit.completion import Completion

from handrail.render.fit import cells, cut_end
from handrail.repl.live_view import Fragments


def menu_lines(state: CompletionState | None, *, width: int, rows: int) -> list[Fragments]:
    """At most `rows` of the completions, the chosen one among them."""
    if state is None or rows < 1:
        return []
    chosen = state.complete_index
    first = max(0, min((chosen or 0) - rows + 1, len(state.completions) - rows))
    shown = state.completions[first : first + rows]
    column = _column(state.completions)
    return [
        _line(completion, column, width, chosen=first + index == chosen)
        for index, completion in enumerate(shown)
    ]


def _column(completions: Sequence[Completion]) -> int:
    return max((cells(completion.display_text) for completion in completions), default=0) + 2


def _line(completion: Completion, column: int, width: int, *, chosen: bool) -> Fragments:
    name = cut_end(f"  {completion.display_text:<{column}}", width)
    text = cut_end(completion.display_meta_text, width - cells(name))
    return [("class:key reverse" if chosen else "class:key", name), ("class:quiet", text)]
