"""Reading records: the meaning of the nodes of an SGF file."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tengen.engine import game as games
from tengen.engine.board.goban import BLACK, EMPTY, WHITE, Stones, position_text
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, located, quoted
from tengen.engine.game import Game, GameSpec
from tengen.engine.play.position import Position
from tengen.engine.sgf.points import parse_point, parse_turn
from tengen.engine.sgf.record import (
    COLOURS,
    NAME,
    SET_UP,
    STONES,
    Properties,
    Record,
    Variation,
    derived_names,
)
from tengen.engine.sgf.syntax import Node, tree
from tengen.engine.storage.files import read_bytes
from tengen.engine.storage.parsing import require_characters

MAX_BYTES = 8 << 20
MAX_SET_UP = 10_000  # points that a record sets up, each as often as it is named
CHARSET = rb"CA\s*\[([\w.:-]{1,40})\]"


def read_file(path: Path | str, variations: bool = False) -> Record:
    """Return the first record in the file at `path`, with its `variations` if asked.

    Raises
    ------
    NotationError
        When the file does not exist or is no regular one, is not text, is larger than `MAX_BYTES`, is cut off
        or malformed.
    OptionError
        When the game is unknown.
    """
    where = quoted(str(path), limit=200)
    try:
        data = read_bytes(Path(path), MAX_BYTES)
    except OSError as error:
        raise NotationError(f"record: {where}: {error.strerror}") from None
    if b"\0" in data:
        raise NotationError(f"record: {where}: expected SGF, got a binary file")
    with located(where):
        return parse(decoded(data), variations)


def decoded(data: bytes, naming: bytes = CHARSET, default: str = "latin-1") -> str:
    """Return the text of a file, decoded as UTF-8, else as it says itself, else by a default.

    Parameters
    ----------
    data : bytes
    naming : bytes
        A pattern whose first group is the encoding that the file names.
    default : str
        An encoding; what is invalid in it is replaced.
    """
    named = re.search(naming, data[:10_000])
    for encoding in ("utf-8-sig", named[1].decode("latin-1") if named else ""):
        try:
            return require_characters(data.decode(encoding), encoding)
        except (LookupError, UnicodeError, NotationError):
            continue
    return data.decode(default, "replace")


def parse(text: str, variations: bool = False) -> Record:
    """Return the first record in `text`: its main line, and its `variations` if asked.

    Any line ends, unknown properties and the lower-case letters in names of older formats are accepted. A
    record in the dialect of a public archive is translated by its game; its variations are skipped.

    Raises
    ------
    NotationError
        When the text is not SGF or is cut off, or a turn or a set-up stone is not a point of the board.
    OptionError
        When the game or the size of its board is unknown.
    """
    first = tree(text)
    if variations:
        _merge_notes(first)
    line = [node.properties for node in first.main_line()]
    nodes = _translated(line)
    root, turns, details = _split_nodes(nodes)
    colour = turns[0][0] if turns else ""
    spec = _spec(root, colour)
    return Record(
        spec=spec,
        start=_start(spec, root, colour),
        turns=_played(spec, turns, 1),
        properties={name: values for name, values in root.items() if name not in derived_names(spec)},
        comments=_comments(details),
        details={index: detail for index, detail in details.items() if detail},
        variations=_variations(spec, first) if variations and nodes is line else {},
    )


def _merge_notes(root: Node) -> None:
    """Give the properties of every node without a turn to the node before; nodes with set-up stay.

    What follows such a node, variations included, then follows the node before.
    """
    pending = [root]
    while pending:
        node = pending.pop()
        following, node.children = node.children[::-1], []
        while following:
            child = following.pop()
            if _turns_of(child.properties) or SET_UP & child.properties.keys():
                node.children.append(child)
                continue
            for name, values in child.properties.items():
                node.properties.setdefault(name, []).extend(values)
            following += reversed(child.children)
        pending += node.children


def _variations(spec: GameSpec, root: Node) -> dict[int, list[Variation]]:
    """Return the variations of the main line, by index of the turn that they replace, however deep they nest.

    Those that set up stones are skipped from there on.
    """
    found: dict[int, list[Variation]] = {}
    pending = [(root, 0, found)]  # the first node of a line, the turns before it, where its variations go
    while pending:
        first, played, variations = pending.pop()
        index = 0
        for node in _line(first):
            index += len(_turns_of(node.properties))
            for child in node.children[1:]:
                _, turns, details = _split_nodes([{}, *(later.properties for later in _line(child))])
                if turns and not SET_UP & child.properties.keys():
                    number = played + index
                    variation = Variation(_played(spec, turns, number + 1), _comments(details))
                    variation.details = {place: detail for place, detail in details.items() if detail}
                    variations.setdefault(index, []).append(variation)
                    pending.append((child, number, variation.variations))
    return found


def _line(first: Node) -> Iterator[Node]:
    """Yield the nodes of a line that begins at `first`, up to one that sets up stones."""
    yield first
    yield from itertools.takewhile(
        lambda node: not SET_UP & node.properties.keys(), itertools.islice(first.main_line(), 1, None)
    )


def _played(spec: GameSpec, turns: Iterable[tuple[str, str]], first: int) -> list[tuple[int, str]]:
    """Return side and text of turns, given as property and value; `first` is the number of the first one."""
    return [
        (_side(spec.game, name), parse_turn(spec, value, number))
        for number, (name, value) in enumerate(turns, first)
    ]


def _comments(details: dict[int, Properties]) -> dict[int, str]:
    """Take the comments out of the properties of turns and return them, by index of the turn."""
    return {index: "\n".join(detail.pop("C")) for index, detail in details.items() if "C" in detail}


def _turns_of(properties: Properties) -> list[tuple[str, str]]:
    """Return the turns of a node, as property and value."""
    return [(name, value) for name in properties if name in COLOURS for value in properties[name]]


def _translated(nodes: list[Properties]) -> list[Properties]:
    """Return `nodes` in tengen's own form; those of a public archive are translated by its game."""
    name = nodes[0].get("GM", [""])[0].strip().lower()
    if "TG" not in nodes[0]:
        for game in games.known():
            if game.archive_gm and game.archive_gm == name:
                return list(game.module("archive").translate(nodes))
    return nodes


def _split_nodes(
    nodes: Iterable[Properties],
) -> tuple[Properties, list[tuple[str, str]], dict[int, Properties]]:
    """Return the properties of the root, the turns as property and value, and the other properties by turn.

    Properties of a node without a turn go to the previous turn, or to the root.
    """
    root: Properties = {}
    turns: list[tuple[str, str]] = []
    details: dict[int, Properties] = {}
    for number, node in enumerate(nodes):
        played = _turns_of(node)
        turns += played
        target = details.setdefault(len(turns) - 1, {}) if turns and number else root
        for name, values in node.items():
            if name in SET_UP and target is not root:
                expected = "expected set-up before the first turn only"
                raise NotationError(f"record: {expected}, got {name} at turn {len(turns)}")
            if name not in COLOURS and NAME.fullmatch(name):  # others could not be written
                target.setdefault(name, []).extend(values)
    return root, turns, details


def _spec(root: Properties, colour: str) -> GameSpec:
    """Return the game that the root names: by TG, or by GM, SZ and properties of the game.

    `colour` is the property of the first turn, empty if there is none.
    """
    size = _size(root)
    if "TG" in root:
        spec = GameSpec.parse(root["TG"][0])
        if spec.game.square and size is not None and size != spec.values["size"]:
            raise NotationError(f"record: expected SZ[{spec.values['size']}] for {spec}, got {size}")
        return spec
    number = root.get("GM", ["1"])[0].strip()
    known: dict[str, Game] = {}
    for game in sorted(games.known(), key=lambda game: game.sgf_gm):
        if game.sgf_gm:
            known.setdefault(str(game.sgf_gm), game)
    if number not in known:
        listed = ", ".join(f"GM[{gm}] {game.title}" for gm, game in known.items())
        raise NotationError(f"record: expected a game spec in TG, or {listed}, got GM {quoted(number)}")
    spec = GameSpec.parse(known[number].name)
    spec = spec if size is None else spec.with_option("size", size)
    if spec.game.sgf_properties:
        size = int(spec.values["size"])
        stones = _stones(root, size)
        first = _first(spec.game, root, stones, colour)
        for name, value in spec.game.module("record").options(root, size, stones, first).items():
            spec = spec.with_option(name, value)
    return spec


def _size(root: Properties) -> int | None:
    """Return the board size that SZ names; None without it."""
    if "SZ" not in root:
        return None
    match = re.fullmatch(r"([0-9]{1,3})(:\1)?", root["SZ"][0].strip())
    if not match:
        raise NotationError(f"record: expected SZ of a square board, such as 15, got {quoted(root['SZ'][0])}")
    return int(match[1])


def _side(game: Game, colour: str) -> int:
    """Return the side of the property `colour`, B or W."""
    return game.letters.index(colour.lower())


def _start(spec: GameSpec, root: Properties, colour: str) -> str | None:
    """Return the text of the start position, None for that of the game; TP takes precedence over stones.

    `colour` is the property of the first turn, empty if there is none.
    """
    if "TP" in root:
        return root["TP"][0]
    if not SET_UP & root.keys():
        return None
    if not spec.game.square:
        raise NotationError(f"record: expected the start position of {spec} in TP, got AB, AW, AE or PL")
    size = int(spec.values["size"])
    stones = _stones(root, size)
    text = position_text(spec, stones, spec.game.letters[_first(spec.game, root, stones, colour)])
    return None if text == Position.start(spec).text() else text


def _stones(root: Properties, size: int) -> dict[tuple[int, int], int]:
    """Return the colours of the stones that AB, AW and AE set, by column and row."""
    stones: dict[tuple[int, int], int] = {}
    named = 0
    for name, colour in STONES.items():
        for value in root.get(name, []):
            for xy in _area(value.strip(), size, name):
                named += 1
                if named > MAX_SET_UP:
                    raise NotationError(f"record: expected at most {MAX_SET_UP:,} points in AB, AW and AE")
                if stones.setdefault(xy, colour) != colour and colour != EMPTY:
                    raise NotationError(f"record: expected one stone on {vertex(*xy)}, got two")
    return {xy: colour for xy, colour in stones.items() if colour != EMPTY}


def _area(text: str, size: int, where: str) -> Iterator[tuple[int, int]]:
    """Yield the points of ``dd``, or of the rectangle ``aa:cc``."""
    corner, _, opposite = text.partition(":")
    (x, y), (u, v) = (parse_point(point, size, where) for point in (corner, opposite or corner))
    for column in range(min(x, u), max(x, u) + 1):
        for row in range(min(y, v), max(y, v) + 1):
            yield column, row


def _first(game: Game, root: Properties, stones: Stones, colour: str) -> int:
    """Return the side to move at the start: by PL, else by the first turn, else the one with fewer stones."""
    if "PL" in root:
        letter = root["PL"][0].strip()[:1].upper()
        if letter not in COLOURS:
            raise NotationError(f"record: expected PL[B] or PL[W], got {quoted(root['PL'][0])}")
        return _side(game, letter)
    if colour:
        return _side(game, colour)
    colours = list(stones.values())
    return _side(game, "B" if colours.count(BLACK) <= colours.count(WHITE) else "W")
