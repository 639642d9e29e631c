"""Pages of rules in a terminal: wrapped text, with the boards drawn."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from tengen.apps.terminal.boards import board_text
from tengen.apps.terminal.style import Style
from tengen.engine.columns import columns
from tengen.engine.rulebook import Block, Kind, Section, example

BULLET, PLAIN_BULLET = "• ", "- "
INDENT = 2


def page(title: str, sections: Iterable[Section], style: Style) -> str:
    """Return sections of a page under a title; no title if it is empty."""
    parts = [style.bold(title)] if title else []
    for section in sections:
        parts += [style.bold(section.heading)] if section.heading else []
        parts += blocks(section.blocks, style)
    return "\n\n".join(parts)


def blocks(listed: Iterable[Block], style: Style) -> Iterator[str]:
    """Yield blocks as text."""
    for block in listed:
        match block.kind:
            case Kind.BOARD:
                yield _board(block, style)
            case Kind.TURNS:
                yield _turns(block, style)
            case Kind.TABLE:
                yield _table(block.text)
            case Kind.CODE:
                yield textwrap.indent(block.text, " " * INDENT)
            case Kind.RULE:
                yield _wrapped(block.text, style)
            case Kind.ITEM:
                bullet = BULLET if style.unicode else PLAIN_BULLET
                yield _wrapped(block.text, style, " " * INDENT * block.level + bullet)
            case _:
                yield (
                    style.bold(block.text[4:])
                    if block.text.startswith("### ")
                    else _wrapped(block.text, style)
                )


def _wrapped(text: str, style: Style, bullet: str = "") -> str:
    """Return a paragraph in lines, without the marks of Markdown, or with codes for them."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    lines = textwrap.wrap(
        re.sub(r"(?<![\w*])\*(?!\*)([^*]+)\*(?!\*)", r"\1", text).replace("`", ""),
        style.width,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_on_hyphens=False,
        break_long_words=False,
    )
    return re.sub(r"\*\*(.*?)\*\*", lambda bold: style.bold(bold[1]), "\n".join(lines), flags=re.S)


def _board(block: Block, style: Style) -> str:
    """Return a board with what it shows."""
    from tengen.engine.play.position import Position

    board = board_text(Position(block.spec, block.position or None), style)
    shown = f"{block.text}:\n\n" if block.text else ""
    return f"{shown}{board}"


def _turns(block: Block, style: Style) -> str:
    """Return the turns of an example, in columns."""
    turns = example(block)
    wide = max(len(line.turn) for line in turns)
    rows = []
    for line in turns:
        verdict = f"{line.verdict} [{line.rule}]" if line.rule else str(line.verdict)
        reason = f": {line.reason}" if line.reason else ""
        head = " " * INDENT + f"{line.turn:<{wide}}  "
        rows.append(
            textwrap.fill(
                verdict + reason, style.width, initial_indent=head, subsequent_indent=" " * len(head)
            )
        )
    return "\n".join(rows)


def _table(text: str) -> str:
    """Return a table in columns."""
    rows = [
        [cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in text.splitlines()
    ]
    rows = [row for row in rows if not all(re.fullmatch(":?-+:?", cell) for cell in row)]
    return "\n".join(columns(rows))
