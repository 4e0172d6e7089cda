"""What a model writes, as Markdown: no text is left out, and no link hides its target."""

from collections.abc import Iterator
from itertools import dropwhile
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.markdown import CodeBlock, Heading, ListItem, Markdown, MarkdownElement, TableElement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from handrail.render.blocks import Prefixed
from handrail.render.sanitise import sanitise, sanitise_prose

_MAX_CHARS = 200_000
"""Longer texts are shown as they stand."""


def prose(text: str) -> RenderableType:
    if len(text) > _MAX_CHARS:
        return Text(sanitise_prose(text))
    return _Prose(text)


class _Code(CodeBlock):
    """Code as it stands, indented, with nothing behind its lines."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = self.text.copy()
        code.rstrip()
        yield Prefixed("  ", "  ", code)


class _Heading(Heading):
    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = dict.fromkeys(Heading.LEVEL_ALIGN, "left")


class _Item(ListItem):
    def render_number(
        self, console: Console, options: ConsoleOptions, number: int, last_number: int
    ) -> RenderResult:
        del console, options
        width = len(str(last_number)) + 3
        yield Prefixed(f"{number}. ".rjust(width), " " * width, self.elements, "quiet")


class _Table(TableElement):
    """Without blank lines around it, and with cells that wrap."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = Table(
            box=box.SIMPLE, pad_edge=False, show_edge=False, style="markdown.table.border"
        )
        header = self.header.row.cells if self.header and self.header.row else []
        for cell in header:
            title = cell.content.copy()
            title.stylize("markdown.table.header")
            table.add_column(title, overflow="fold", justify=title.justify or "default")
        for row in self.body.rows if self.body else []:
            table.add_row(*(cell.content for cell in row.cells))
        yield table


class _Prose(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
        "list_item_open": _Item,
        "table_open": _Table,
    }

    def __init__(self, text: str) -> None:
        super().__init__("", hyperlinks=False)
        self.parsed = [_plain(token) for token in _parser().parse(sanitise_prose(text))]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Without the blank line that a list or a table at the start would bring."""
        return dropwhile(_is_line_end, super().__rich_console__(console, options))


def _is_line_end(part: object) -> bool:
    return isinstance(part, Segment) and part.text == "\n"


def _parser() -> MarkdownIt:
    """Neither HTML nor link definitions: both would be left out of what is shown."""
    parser = MarkdownIt("commonmark", {"html": False})
    return parser.enable(["strikethrough", "table"]).disable("reference")


def _plain(token: Token) -> Token:
    """The parser turns entities into characters, so what it made is sanitised again."""
    if token.children is not None:
        token.children = list(_inline(token.children))
    token.content = sanitise_prose(token.content)
    return token


def _inline(tokens: list[Token]) -> Iterator[Token]:
    targets: list[tuple[str, list[str]]] = []
    for token in tokens:
        if token.type == "link_open":
            targets.append((_attribute(token, "href"), []))
        elif token.type == "link_close":
            target, shown = targets.pop()
            if "".join(shown) != target:
                yield _text(f" ({target})")
        else:
            plain = _inline_token(token)
            for _, shown in targets:
                shown.append(plain.content)
            yield plain


def _inline_token(token: Token) -> Token:
    if token.type == "image":
        return _text(f"{token.content} ({_attribute(token, 'src')})".lstrip())
    if token.type == "softbreak":
        return Token("hardbreak", "br", 0)
    return _plain(token)


def _attribute(token: Token, name: str) -> str:
    return sanitise(str(token.attrs.get(name, "")))


def _text(content: str) -> Token:
    return Token("text", "", 0, content=sanitise_prose(content))
