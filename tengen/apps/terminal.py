"""What a terminal shows: boards with lines, discs and colours where it can, else plain; pages of rules."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tengen.apps.language import translate
from tengen.engine.board.sketch import Sketch, Tone
from tengen.engine.columns import columns
from tengen.engine.notation import shown as as_shown
from tengen.engine.notation import shown_sketch
from tengen.engine.play.position import Position
from tengen.engine.rulebook import Block, Kind, Rulebook, Section, example

Ask = Callable[[str], str]  # takes a prompt, and returns what a person answers

DUMB = ("", "dumb", "linux")  # values of TERM: no lines, no discs
RESET = "\x1b[0m"
FAINT = "2"  # SGR code
MAX_WIDTH = 100  # of running text
NARROWEST = 40
# SGR codes, with colours of the table of 256; on wood all but grey have a contrast of 3 or more, names of 4.5
WOOD, MARKED = "48;5;137", "48;5;65"
TONES = {
    Tone.LIGHT: "1;38;5;231",
    Tone.DARK: "38;5;16",
    Tone.GREY: "38;5;252",
    Tone.RED: "1;38;5;88",
    Tone.LINE: "38;5;237",
    Tone.NAME: "38;5;234",
}
MARGIN = 1  # characters and lines around the board
BULLET, PLAIN_BULLET = "• ", "- "
INDENT = 2
SUBHEADING = "### "
TIPS = "tips"  # in place of the number of a rule


@dataclass(frozen=True)
class Style:
    """What is used for output."""

    unicode: bool = False  # whether boards are drawn with lines and discs
    colour: bool = False  # whether colours are used: 256 of them
    width: int = 80  # characters of a line of text

    def paint(self, text: str, *codes: str) -> str:
        """Return `text` with these SGR codes, if there are colours."""
        return f"\x1b[{';'.join(codes)}m{text}{RESET}" if self.colour and text else text

    def bold(self, text: str) -> str:
        """Return `text` in bold, if there are colours."""
        return self.paint(text, "1")


def style_of() -> Style:
    """Return what can be shown on standard output.

    Anything but a terminal gets plain text, and so does one without UTF-8. ``NO_COLOR`` in the environment
    turns colours off (no-color.org).
    """
    width = max(NARROWEST, min(MAX_WIDTH, shutil.get_terminal_size().columns - 1))
    term = os.environ.get("TERM", "")
    if not sys.stdout.isatty() or term in DUMB:
        return Style(width=width)
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    colours = "256color" in term or os.environ.get("COLORTERM", "") in ("truecolor", "24bit")
    return Style(encoding == "utf8", colours and not os.environ.get("NO_COLOR"), width)


# ----------------------------------------------------------------------------------------------------- boards


def board_text(position: Position, style: Style, before: Position | None = None) -> str:
    """Return the board of a position, with the places marked that have changed since `before`."""
    shown = position.current
    game = shown.spec.game
    if not style.unicode or not game.offers("sketch"):
        return as_shown(position.spec, "\n".join(map(translate, position.board().splitlines())))
    sketch: Sketch = shown_sketch(position.spec, game.module("sketch").sketch(shown.state))
    changed = set()
    if before is not None and before.current.spec == shown.spec:
        old = game.module("sketch").sketch(before.current.state).cells
        for name, cell in sketch.cells.items():
            if (old[name].text, old[name].tone) != (cell.text, cell.tone):
                changed.add(name)
    below = [style.paint(translate(sketch.legend), FAINT), *map(translate, sketch.notes)]
    explained = filter(None, [as_shown(position.spec, translate(position.explanation()))])
    return "\n".join([*rows(sketch, style, changed), "", *below, *explained])


def rows(sketch: Sketch, style: Style, marked: set[str]) -> list[str]:
    """Return the lines of a board; the places `marked` stand in brackets, or on another ground."""
    begins = [*(cell.begin for cell in sketch.cells.values()), *(x for x, _ in sketch.lines)]
    left = MARGIN - min(*begins, MARGIN)
    grid: dict[tuple[int, int], tuple[str, Tone, bool]] = {}
    for (x, y), text in sketch.lines.items():
        grid |= {(left + x + n, y): (character, Tone.LINE, False) for n, character in enumerate(text)}
    for name, cell in sketch.cells.items():
        begin, text = left + cell.begin, cell.text
        for number, character in enumerate(text):
            grid[begin + number, cell.y] = character, cell.tone, name in marked
        if name in marked:
            grid[begin - 1, cell.y] = " " if style.colour else "(", cell.tone, True
            grid[begin + len(text), cell.y] = " " if style.colour else ")", cell.tone, True
    width = max(x for x, _ in grid) + 1 + MARGIN
    height = max(y for _, y in grid) + 1
    blank = (" ", Tone.LINE, False)
    lines = [[grid.get((x, y), blank) for x in range(width)] for y in range(height)]
    if not style.colour:
        return ["".join(character for character, _, _ in line).rstrip() for line in lines]
    empty = [blank] * width
    return [_coloured(line) for line in (empty, *lines, empty)]


def _coloured(line: list[tuple[str, Tone, bool]]) -> str:
    """Return a line with the codes of its colours, as few as possible."""
    text, current = "", ""
    for character, tone, marked in line:
        codes = f"\x1b[0;{MARKED if marked else WOOD};{TONES[tone]}m"
        text += character if codes == current else codes + character
        current = codes
    return text + RESET


# ------------------------------------------------------------------------------------------------------ pages


def chosen(book: Rulebook, tag: str | None) -> tuple[str, tuple[Section, ...]]:
    """Return the title to show, and the sections that `tag` asks for: all rules, the hints, or one rule."""
    if tag is None:
        return book.title, book.rules
    if tag.lower() == TIPS:
        return book.title, book.tips
    return "", (book.rule(tag),)


def page(title: str, sections: Iterable[Section], style: Style) -> str:
    """Return sections of a page under a title; no title if it is empty."""
    parts = [style.bold(title)] if title else []
    for section in sections:
        parts += [style.bold(translate(section.heading))] if section.heading else []
        parts += blocks(section.blocks, style)
    return "\n\n".join(parts)


def show_paged(text: str) -> None:
    """Print `text`; in a terminal that has too few lines for it, by its pager."""
    if sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines - 1:
        import pydoc

        os.environ.setdefault("LESS", "-FRX")  # colours are shown, and the text stays when it is left
        pydoc.pager(text)
    else:
        print(text)


def blocks(listed: Iterable[Block], style: Style) -> Iterator[str]:
    """Yield blocks as text."""
    for block in listed:
        match block.kind:
            case Kind.BOARD:
                board = board_text(Position(block.spec, block.position or None), style)
                yield f"{block.text}.\n\n{board}" if block.text else board
            case Kind.TURNS:
                yield _turns(block, style)
            case Kind.TABLE:
                yield _table(block.text)
            case Kind.CODE:
                yield textwrap.indent(block.text, " " * INDENT)
            case Kind.ITEM:
                bullet = BULLET if style.unicode else PLAIN_BULLET
                yield _wrapped(block.text, style, " " * INDENT * block.level + bullet)
            case Kind.PARAGRAPH if block.text.startswith(SUBHEADING):
                yield style.bold(block.text.removeprefix(SUBHEADING))
            case _:
                yield _wrapped(block.text, style)


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


def _turns(block: Block, style: Style) -> str:
    """Return the turns of an example, in columns."""
    turns = example(block)
    wide = max(len(line.turn) for line in turns)
    rows = []
    for line in turns:
        head = " " * INDENT + f"{line.turn:<{wide}}  "
        blank = " " * len(head)
        said = textwrap.fill(translate(line.said), style.width, initial_indent=head, subsequent_indent=blank)
        rows.append((said or head).rstrip())
    return "\n".join(rows)


def _table(text: str) -> str:
    """Return a table in columns."""
    rows = [
        [cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in text.splitlines()
    ]
    rows = [row for row in rows if not all(re.fullmatch(":?-+:?", cell) for cell in row)]
    return "\n".join(columns(rows))
