"""The slash commands that are always there."""

from collections.abc import Iterable
from dataclasses import replace

from handrail.render.amounts import plural, tokens
from handrail.render.status_line import StatusLine
from handrail.repl.commands import Command, Room
from handrail.sessions.conversation import SessionChoice

_KEYS = (
    ("Enter", "send; while the agent works, queue"),
    ("Alt+Enter, Ctrl+J, \\ Enter", "new line"),
    ("Esc, Ctrl+C", "stop the agent"),
    ("Ctrl+C twice, Ctrl+D", "leave"),
    ("//", "starts a message that begins with a slash"),
)


async def show_help(room: Room, argument: str) -> None:
    del argument
    commands = ((command.usage, command.help) for command in room.commands)
    room.say("\n".join([*table(commands), "", *table(_KEYS)]))


async def leave(room: Room, argument: str) -> None:
    del argument
    room.leave()


async def new(room: Room, argument: str) -> None:
    del argument
    await room.open(SessionChoice(model=room.choice.model))


async def model(room: Room, argument: str) -> None:
    if argument:
        await room.open(replace(room.choice, model=argument))
        return
    current = room.conversation.model if room.conversation else "none yet"
    room.say(f"The model is {current}. /model provider:model takes another one for this session.")


async def status(room: Room, argument: str) -> None:
    del argument
    open_session = room.conversation
    session = [("session", open_session.id if open_session else "none is open")]
    session.append(("model", open_session.model if open_session else "none yet"))
    counts = [("context", _context(room.status)), ("usage", _usage(room.status))]
    room.say("\n".join(table([*session, *counts, *room.facts])))


BUILTIN = (
    Command("help", "what can be typed here", show_help, aliases=("?",), at_once=True),
    Command("new", "start a new session", new),
    Command("model", "show the model, or go on with another one", model, argument="[spec]"),
    Command("status", "session, model, context, usage, where data lies", status, at_once=True),
    Command("exit", "leave; the session is kept", leave, aliases=("quit",), at_once=True),
)


def table(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Two columns."""
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    return [f"{name:<{width}}  {text}".rstrip() for name, text in rows]


def _context(line: StatusLine) -> str:
    used = "not measured yet" if line.used is None else f"{line.used:,} tokens"
    return used if line.window is None else f"{used} of {line.window:,}"


def _usage(line: StatusLine) -> str:
    usage = line.usage
    cached = f" ({tokens(usage.cached)} from the cache)" if usage.cached else ""
    requests = plural(usage.requests, "request")
    return f"{requests}, {tokens(usage.input)} tokens in{cached}, {tokens(usage.output)} out"
