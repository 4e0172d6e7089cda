"""How the live region looks: at most so many lines, the newest of each thing."""

from handrail.events import MAIN
from handrail.render.fit import cut_end, cut_start
from handrail.render.retry_words import retry_words
from handrail.render.sanitise import sanitise_line, sanitise_output, sanitise_prose
from handrail.render.words import describe
from handrail.repl.live import Live, Running
from handrail.repl.wrap import wrap

Fragments = list[tuple[str, str]]
"""Style and text, as prompt_toolkit takes them."""

_OUTPUT_LINES = 4
_SHOWN_AFTER_S = 2
_QUIET = "class:quiet"


def live_lines(live: Live, root: str, *, width: int, rows: int) -> list[Fragments]:
    """Text and calls from above to below; of too much the lower end is kept."""
    if live.working_since is None or rows < 1:
        return []
    calls = [line for running in live.calls.values() for line in _call(live, running, root, width)]
    below = [*calls, *_retries(live, width)] or _waiting(live, width)
    lines = [*_text(live, width, max(rows - len(below), 1)), *below]
    return lines[-rows:]


def elapsed(seconds: float) -> str:
    """`7 s`, `2 m 05 s`; nothing in the first moments."""
    whole = int(seconds)
    if whole < _SHOWN_AFTER_S:
        return ""
    return f"{whole} s" if whole < 60 else f"{whole // 60} m {whole % 60:02} s"


def _text(live: Live, width: int, rows: int) -> list[Fragments]:
    tail = sanitise_prose(live.stream.tail(rows)[-rows * width :]).expandtabs(4)
    if not tail.strip():
        return []
    wrapped = [piece for line in tail.split("\n") for piece in wrap(line, width - 2)]
    while not wrapped[0].strip():
        wrapped.pop(0)
    return [[("", f"  {piece}")] for piece in ["", *wrapped][-rows:]]


def _call(live: Live, running: Running, root: str, width: int) -> list[Fragments]:
    prefix = "  " if running.source == MAIN else "  │ "
    since = elapsed(live.now() - running.since)
    described = describe(running.call, root)
    tool = f"{described.tool:<5} "
    what = cut_end(described.what, width - len(prefix) - len(tool) - len(since) - 2)
    head = [(_QUIET, prefix), ("class:tool", tool), ("", what), (_QUIET, f"  {since}")]
    output = sanitise_output(running.output).rstrip("\n")
    lines = output.expandtabs(4).split("\n")[-_OUTPUT_LINES:] if output else []
    return [head, *([(_QUIET, f"{prefix}  {cut_end(line, width - 6)}")] for line in lines)]


def _retries(live: Live, width: int) -> list[Fragments]:
    """The countdown of each agent whose request is sent again."""
    now = live.now()
    waiting = [each for each in live.retries.values() if each.until > now]
    lines = [(each.retry, retry_words(each.retry, each.until - now)) for each in waiting]
    return [
        [(_QUIET, cut_end(f"{'  ' if retry.source == MAIN else '  │ '}{words}", width))]
        for retry, words in lines
    ]


def _waiting(live: Live, width: int) -> list[Fragments]:
    """Nothing runs: the model is at work, or a sub-agent's."""
    since = elapsed(live.now() - (live.working_since or 0.0))
    if live.agents:
        names = ", ".join(sanitise_line(source.agent) for source in live.agents.values())
        return [_plain(f"{names} working", since, width)]
    if live.summarising:
        return [_plain("summarising", since, width)]
    if live.reasoning:
        text = " ".join(sanitise_line(line) for line in live.reasoning.split("\n"))
        room = width - len("  thinking  ") - len(since) - 2
        return [_plain(f"thinking  {cut_start(text.strip(), room)}", since, width)]
    return [] if live.stream.tail(1).strip() else [_plain("working", since, width)]


def _plain(words: str, since: str, width: int) -> Fragments:
    return [(_QUIET, cut_end(f"  {words}  {since}".rstrip(), width))]
