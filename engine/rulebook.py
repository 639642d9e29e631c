"""The rules of a game as text for people: the pages in ``docs/rules``, as sections and blocks.

A page is Markdown, one for each game: ``docs/rules/NAME.md``, in an installed package as well, or
``rules.md`` in the folder of a game that another package provides. What is particular about it:

- A rule is an item ``- **[D-5] Name.** Text``. Its number is what refusals cite. All up to the next rule or
  heading belongs to it.
- ``<!-- board SPEC [POSITION] -->`` shows a position, by default the start. ``<!-- board then POSITION -->``
  shows what the turns before it have led to. A line that ends in ``/`` goes on without a blank. A picture of
  the position may follow: ``![what it shows](FILE)``.
- ``<!-- builds on GAME -->`` after the title: the rules of that game can be looked up here as well.
- A block of ``turns`` says what the rules make of turns in that position, one a line: ``TURN VERDICT: why``.
  See `Verdict`.
- The section `TIPS` is about good play, not about rules.

``docs/rules/fr/NAME.md`` has the texts in French, block by block in the same order: of a picture what it
shows, of a block of ``turns`` the reasons alone, one a line. Boards and turns stand in the English page only.
"""

import enum
import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from tengen.engine.errors import NotationError, OptionError, nearest, quoted
from tengen.engine.game import Game
from tengen.engine.games import find
from tengen.engine.packages import folder_of

ENGLISH = "en"  # the language of the pages
TIPS = "Tips"  # heading of the section about good play
PAGES = "tengen.rules"  # the package whose folder is docs/rules
OWN_PAGE = "rules.md"  # of a game from another package, in its folder
TAG = r"[A-Z]{1,2}-\d+"


class Kind(enum.StrEnum):
    """Kinds of blocks."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    RULE = "rule"
    TABLE = "table"
    CODE = "code"
    BOARD = "board"
    TURNS = "turns"


class Verdict(enum.StrEnum):
    """What the rules make of a turn in an example."""

    LEGAL = "legal"  # it may be played; the position stays
    REFUSED = "refused"  # it may not, by the rule that follows: ``refused [D-5]``
    PLAYED = "played"  # it is played, and what follows is about the position after it
    WINS = "wins"  # it is played, and wins the game
    LOSES = "loses"  # it is played, and loses the game


# What people read of a turn; of one that is played, what it does
SAID = {Verdict.LEGAL: "allowed", Verdict.REFUSED: "not allowed", Verdict.PLAYED: ""}


@dataclass(frozen=True)
class Block:
    """A part of a page."""

    kind: Kind
    # in Markdown, in one line; the lines of a table, of code or of turns; what a board shows, in words
    text: str
    tag: str = ""  # the number of a rule; empty for other kinds
    level: int = 0  # how deep an item is indented, from 0
    spec: str = ""  # the game and the position of a board; an empty position is the start
    position: str = ""
    then: bool = False  # whether the board shows what the turns before it have led to
    picture: str = ""  # the file of a board's drawing, beside the page; empty without one

    def report(self) -> dict[str, Any]:
        """Return the block for JSON, without what is empty."""
        fields = {
            "tag": self.tag,
            "level": self.level,
            "game": self.spec,
            "position": self.position,
            "picture": self.picture,
        }
        present = {name: value for name, value in fields.items() if value}
        return {"kind": str(self.kind), "text": self.text, **present}


@dataclass(frozen=True)
class ExampleTurn:
    """A line of an example: a turn, and what the rules make of it."""

    turn: str
    verdict: Verdict
    rule: str = ""  # the rule that refuses it; empty if it is not refused
    reason: str = ""  # in words; may be empty

    @property
    def said(self) -> str:
        """What people read of it, such as ``not allowed [D-5]: a lone DVONN piece``; may be empty."""
        head = SAID.get(self.verdict, str(self.verdict)) + (f" [{self.rule}]" if self.rule else "")
        return ": ".join(filter(None, (head, self.reason)))

    def report(self) -> dict[str, str]:
        """Return the turn for JSON."""
        return {**vars(self), "verdict": str(self.verdict), "said": self.said}


@dataclass(frozen=True)
class Section:
    """A section of a page; the first one has an empty heading."""

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Rulebook:
    """The rules of a game."""

    title: str
    sections: tuple[Section, ...]  # in order, with `TIPS`
    folder: Path  # where the page lies; its pictures are named from there
    base: str = ""  # the name of the game whose rules it builds on; empty if there is none
    language: str = ENGLISH

    @property
    def tags(self) -> list[str]:
        """The numbers of all rules, in order."""
        return [block.tag for section in self.sections for block in section.blocks if block.tag]

    @property
    def rules(self) -> tuple[Section, ...]:
        """All sections but the tips."""
        return tuple(section for section in self.sections if section.heading != TIPS)

    @property
    def tips(self) -> tuple[Section, ...]:
        """The section about good play; empty if there is none."""
        return tuple(section for section in self.sections if section.heading == TIPS)

    def rule(self, word: str) -> Section:
        """Return the rule called `word`, such as ``D-5`` or ``d5``, as a section of its own.

        Raises OptionError when there is none; lists the rules and the nearest match.
        """
        tag = re.sub(r"^([A-Z]+)-?(\d+)$", r"\1-\2", word.strip("[] ").upper())
        for section in self.sections:
            tags = [block.tag for block in section.blocks]
            if tag and tag in tags:
                begin = tags.index(tag)
                end = next((n for n in range(begin + 1, len(tags)) if tags[n]), len(tags))
                return Section(section.heading, section.blocks[begin:end])
        if self.base and tag in (base := rulebook(find(self.base), self.language)).tags:
            return base.rule(tag)
        known = ", ".join(self.tags)
        meant = nearest(tag, [other.lower() for other in self.tags]).upper()
        meant = meant.replace("DID YOU MEAN", "did you mean")
        raise OptionError(f"rule of {self.title}: expected {known} or tips, got {quoted(word)}{meant}")


def rulebook(game: Game, language: str = ENGLISH) -> Rulebook:
    """Return the rules of a game, in a language if its page has been translated, else in English.

    Raises OptionError when the game has no page; NotationError when its page is malformed.
    """
    own = game.folder / OWN_PAGE
    page = own if own.exists() else folder_of(PAGES) / f"{game.name}.md"
    try:
        book, translation = _read(page), page.parent / language / page.name
        return _in_words_of(book, _read(translation), language) if translation.exists() else book
    except OSError:
        wanted = quoted(str(page), 200)
        raise OptionError(f"rules of {game.name}: expected a page {wanted}, got none") from None


@functools.cache
def _read(page: Path) -> Rulebook:
    """Return the rulebook in the file `page`."""
    return parse(page.read_text("utf-8"), page.parent)


def _in_words_of(book: Rulebook, other: Rulebook, language: str) -> Rulebook:
    """Return a rulebook with the texts of its translation to a language, which has the same structure."""
    texts = (block.text for section in other.sections for block in section.blocks)
    sections = []
    for section, translated in zip(book.sections, other.sections, strict=True):
        tips = section.heading == TIPS  # by which the section is known
        blocks = tuple(_translated(block, texts) for block in section.blocks)
        sections.append(Section(TIPS if tips else translated.heading, blocks))
    return replace(book, title=other.title, sections=tuple(sections), language=language)


def _translated(block: Block, texts: Iterator[str]) -> Block:
    """Return a block with the next one of the translated texts, if it has words."""
    if block.kind == Kind.TURNS:
        lines = block.text.splitlines()
        if any(": " in line for line in lines):
            reasons = iter(next(texts).splitlines())
            lines = [
                f"{head}: {next(reasons)}" if why else head
                for head, _, why in (line.partition(": ") for line in lines)
            ]
        return replace(block, text="\n".join(lines))
    if not block.text or block.kind == Kind.CODE:
        return block
    shown = re.fullmatch(r"!\[(.*)\]\(.*\)", text := next(texts))
    return replace(block, text=shown[1] if shown else text)


def reference(game: Game, tag: str) -> str:
    """Return the command that shows a rule, ``tengen rules dvonn D-5``; empty if no page has it."""
    try:
        rulebook(game).rule(tag)
    except OptionError:
        return ""
    return f"tengen rules {game.name} {tag}"


def parse(text: str, folder: Path) -> Rulebook:
    """Return the rulebook that a page in `folder` holds; raise NotationError when it has no title."""
    title, _, body = text.partition("\n")
    base = re.search(r"<!-- builds on (\w+) -->", body)
    body = body.replace(base[0], "", 1) if base else body
    if not title.startswith("# "):
        raise NotationError(f"page: expected a title such as # DVONN first, got {quoted(title)}")
    heads = re.split(r"^## +(.*)$", body, flags=re.M)
    headings = ["", *heads[1::2]]
    blocks = (tuple(_blocks(part)) for part in heads[::2])
    sections = tuple(Section(*pair) for pair in zip(headings, blocks, strict=True) if pair[1])
    return Rulebook(title[2:].strip(), sections, folder, base[1] if base else "")


def example(block: Block) -> list[ExampleTurn]:
    """Return the turns of a block of `Kind.TURNS`; raise NotationError when a line is malformed."""
    verdicts = "|".join(Verdict)
    turns = []
    for line in block.text.splitlines():
        match = re.fullmatch(rf"(\S.*?)\s+({verdicts})(?: \[({TAG})\])?(?:: (.*))?", line)
        if match is None:
            raise NotationError(f"example: expected TURN and one of {verdicts}, got {quoted(line)}")
        turn, verdict, rule, reason = match.groups(default="")
        turns.append(ExampleTurn(turn, Verdict(verdict), rule, reason))
    return turns


# ----------------------------------------------------------------------------------------------------- blocks


def _blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a section."""
    spec = ""
    fenced = re.compile(r"^```.*?^```$", re.M | re.S)  # in which blank lines divide nothing
    text = fenced.sub(lambda fence: re.sub(r"\n\s*\n", "\n", fence[0]), text)
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        lines = [line for line in part.splitlines() if line.strip()]
        while lines:
            block, used = _first(lines)
            if block.kind == Kind.BOARD:
                block = replace(block, spec=spec) if block.then else block
                spec = block.spec
            yield block
            lines = lines[used:]


def _first(lines: Sequence[str]) -> tuple[Block, int]:
    """Return the block that `lines` begin with, and how many of them it takes."""
    head = lines[0].strip()
    if head.startswith("<!-- board"):
        return _board(lines)
    if head.startswith("```"):
        used = 1 + next(n for n, line in enumerate(lines[1:], 1) if line.strip().startswith("```"))
        kind = Kind.TURNS if head.removeprefix("```") == "turns" else Kind.CODE
        return Block(kind, "\n".join(line.strip() for line in lines[1 : used - 1])), used
    if head.startswith("|"):
        rows = list(takewhile(lambda line: line.strip().startswith("|"), lines))
        return Block(Kind.TABLE, "\n".join(map(str.strip, rows))), len(rows)
    rest = takewhile(lambda line: not re.match(r"\s*(- |\||```|<!-- )", line), lines[1:])
    own = [head, *map(str.strip, rest)]
    words, used = " ".join(own), len(own)
    if not head.startswith("- "):
        return Block(Kind.PARAGRAPH, words), used
    level = (len(lines[0]) - len(lines[0].lstrip())) // 2
    tag = re.match(rf"- \*\*\[({TAG})\]", words)
    kind = Kind.RULE if tag else Kind.ITEM
    return Block(kind, words.removeprefix("- "), tag[1] if tag else "", level), used


def _board(lines: Sequence[str]) -> tuple[Block, int]:
    """Return the board that `lines` begin with, and how many of them it takes."""
    last = next(n for n, line in enumerate(lines) if "-->" in line)
    words = " ".join(line.strip() for line in lines[: last + 1])
    words = words.removeprefix("<!-- board").removesuffix("-->").replace("/ ", "/").strip()
    spec, _, position = words.partition(" ")
    shown = re.match(r"!\[(.*)\]\((.*)\)", lines[last + 1].strip()) if last + 1 < len(lines) else None
    text, picture = shown.groups() if shown else ("", "")
    block = Block(Kind.BOARD, text, spec=spec, position=position, then=spec == "then", picture=picture)
    return block, last + 1 + bool(shown)
