"""Records of games in SGF (FF[4]): see `Record`, `parse`, `write`, `position` (notation.md, Records).

On square boards a turn is an SGF point and a start position is set up with AB, AW and PL, so that other
programs can read the record. Elsewhere, and where stones do not say all, turns and positions are written in
the texts of this house. The property TG holds the game spec, TP the text of the start position.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path

from tengen import __version__
from tengen.engine import game as games
from tengen.engine.board.goban import BLACK, EMPTY, WHITE, Stones, find_vertex, parse_rows, position_text
from tengen.engine.board.grids import vertex
from tengen.engine.challenge import begin
from tengen.engine.errors import NotationError, TengenError, quoted
from tengen.engine.game import Game, GameSpec
from tengen.engine.position import Position

MAX_BYTES = 16 << 20
POINT_LETTERS = string.ascii_lowercase + string.ascii_uppercase
PASS = "pass"
PASS_BOARD = 19  # up to this size, older formats pass with the point tt
STONES = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}  # set-up properties
SET_UP = {*STONES, "PL"}
COLOURS = {"B", "W"}  # properties of turns
DERIVED = {"FF", "GM", "CA", "AP", "SZ", "TG", "TP", *SET_UP}  # of the root: they follow from the rest
TURNS_PER_LINE = 10

Properties = dict[str, list[str]]


@dataclass
class Variation:
    """What might have been played instead.

    Attributes
    ----------
    turns : list of (int, str)
        Side and text of each turn, at least one.
    comment : str
        On the first of them; empty for none.
    """

    turns: list[tuple[int, str]]
    comment: str = ""


# A ] belongs to the value when another ] comes before any other mark in its line: the \ was forgotten.
_VALUE = r"\[[^\\\]]*+(?:(?:\\.|\](?=[^\[\]();\n]*+\]))[^\\\]]*+)*+\]"
_TOKEN = re.compile(
    rf"\s*+(?:(?P<mark>[();])|(?P<name>[A-Za-z][A-Za-z0-9-]*+)\s*+(?P<values>(?:{_VALUE}\s*+)++))", re.DOTALL
)
_VALUES = re.compile(_VALUE, re.DOTALL)
_BEGIN = re.compile(r"\(\s*+;")


@dataclass
class Record:
    """A game on record.

    Attributes
    ----------
    spec : GameSpec
    start : str, optional
        Text of the position that it starts from; None for the game's own.
    turns : list of (int, str)
        Side, 0 or 1, and text of each turn.
    properties : dict of str to list of str
        What the root says besides: PB, PW, RE, DT, TM, GN, EV, C...
    comments : dict of int to str
        By index of the turn that they follow.
    details : dict of int to dict
        Other properties of the turns, BL and WL among them, by index of the turn.
    variations : dict of int to list of Variation
        By index of the turn that they would replace. They are written; reading passes over them.
    """

    spec: GameSpec
    start: str | None = None
    turns: list[tuple[int, str]] = field(default_factory=list)
    properties: Properties = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    details: dict[int, Properties] = field(default_factory=dict)
    variations: dict[int, list[Variation]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Name the game for readers that do not know TG."""
        if not self.spec.game.sgf_gm:
            self.properties = {"GN": [self.spec.game.title], **self.properties}


# -------------------------------------------------------------------------------------------------- replaying


def position(record: Record, upto: int | None = None) -> Position:
    """Return the position after the first `upto` turns of `record`, after all of them by default.

    Raises
    ------
    NotationError, PositionError
        When the start position is faulty.
    NotationError, IllegalTurnError
        When a turn cannot be played; names its number.
    """
    begun = begin(record.spec, record.start)
    replay(begun, record.turns[:upto])
    return begun


def replay(position: Position, turns: Iterable[tuple[int | None, str]], first: int = 1) -> None:
    """Play `turns`, each the side (None: whose turn it is) and the text, on `position`.

    `first` is the number of the first of them.

    Raises
    ------
    NotationError, IllegalTurnError
        When a turn cannot be played; names its number. The turns before it stay played.
    """
    for number, (side, turn) in enumerate(turns, first):
        try:
            position.play(turn, side)
        except TengenError as error:
            error.args = (f"turn {number}: {error}",)
            raise


# ---------------------------------------------------------------------------------------------------- reading


def read_file(path: Path | str) -> Record:
    """Return the first record in the file at `path`.

    Raises
    ------
    NotationError
        When there is no such file, it is not text, larger than `MAX_BYTES`, cut off or otherwise malformed.
    OptionError
        When it is of a game that is not known.
    """
    where = quoted(str(path), limit=200)
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise NotationError(f"record: {where}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_BYTES:
        raise NotationError(f"record: {where}: expected at most {MAX_BYTES >> 20} MB")
    if b"\0" in data:
        raise NotationError(f"record: {where}: expected SGF, got a binary file")
    try:
        return parse(_decoded(data))
    except TengenError as error:
        error.args = (f"{where}: {error}",)
        raise


def _decoded(data: bytes) -> str:
    """Return the text of a file: UTF-8, or what its CA property names, or else Latin-1, which takes all."""
    named = re.search(rb"CA\s*\[([\w.:-]{1,40})\]", data[:10_000])
    for encoding in ("utf-8-sig", named[1].decode("latin-1") if named else ""):
        try:
            return data.decode(encoding)
        except (LookupError, UnicodeError):
            continue
    return data.decode("latin-1")


def parse(text: str) -> Record:
    """Return the first record in `text`: its main line, without variations.

    Line ends, unknown properties and the lower-case letters of older formats' names are taken as they come.
    A record in the dialect of a public archive is translated by its game.

    Raises
    ------
    NotationError
        When the text is no SGF, is cut off, or a turn or a set-up stone is no point of the board.
    OptionError
        When it is of a game, or for a size of board, that is not known.
    """
    root, turns, details = _gather(_translated(list(_main_line(text))))
    colour = turns[0][0] if turns else ""
    spec = _spec(root, colour)
    played = [(_side(spec.game, name), _turn(spec, value, n)) for n, (name, value) in enumerate(turns, 1)]
    return Record(
        spec=spec,
        start=_start(spec, root, colour),
        turns=played,
        properties={name: values for name, values in root.items() if name not in _derived(spec)},
        comments={index: "\n".join(of_turn.pop("C")) for index, of_turn in details.items() if "C" in of_turn},
        details={index: of_turn for index, of_turn in details.items() if of_turn},
    )


def _derived(spec: GameSpec) -> Set[str]:
    """Return the names of the root's properties that follow from the rest of a record."""
    return DERIVED | _of_options(spec).keys()


def _of_options(spec: GameSpec) -> Properties:
    """Return the properties that tell other programs the options of `spec`."""
    if not spec.game.sgf_properties:
        return {}
    told: Properties = spec.game.module("record").properties(spec)
    return told


def _translated(nodes: list[Properties]) -> list[Properties]:
    """Return `nodes` as this house writes them: those of a public archive are translated by its game."""
    number = nodes[0].get("GM", [""])[0].strip()
    if "TG" not in nodes[0]:
        for game in games.known():
            if game.archive_gm and str(game.archive_gm) == number:
                return list(game.module("archive").translated(nodes))
    return nodes


def _tokens(text: str, begin: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the marks ``( ) ;`` of `text`, each with no values, and its properties with theirs."""
    while match := _TOKEN.match(text, begin):
        begin = match.end()
        if match["mark"]:
            yield match["mark"], []
        else:
            yield _name(match["name"]), [_unescaped(v[1:-1]) for v in _VALUES.findall(match["values"])]
    rest = text[begin:].lstrip()
    line = text.count("\n", 0, len(text) - len(rest)) + 1
    if re.match(r"[A-Za-z0-9]*\s*\[", rest):
        raise NotationError(f"record: cut off: the value that begins in line {line} has no ]")
    if rest:
        expected = "expected ; ( ) or a property such as B[dd]"
        raise NotationError(f"record: {expected}, got {quoted(rest)} in line {line}")


def _name(text: str) -> str:
    """Return the name of a property, without the lower-case letters that older formats add for people."""
    short = "".join(letter for letter in text if not letter.islower())
    return short if short[:1].isalpha() else text.upper()


def _unescaped(value: str) -> str:
    """Return what a value says: escapes undone, line ends as line feeds."""
    unified = re.sub(r"\r\n?|\n\r", "\n", value)
    return re.sub(r"\\(.)", lambda match: match[1].strip("\n"), unified, flags=re.DOTALL)


def _main_line(text: str) -> Iterator[Properties]:
    """Yield the nodes of the first record in `text` until a variation ends; the rest is only checked."""
    begin = _BEGIN.search(text)
    if not begin:
        raise NotationError(f"record: expected SGF, which begins with (;, got {quoted(text)}")
    node: Properties | None = None
    depth, main = 0, True
    for name, values in _tokens(text, begin.start()):
        if name in "();" and main and node is not None:
            yield node
            node = None
        if name == ";":
            node = {}
        elif name in "()":
            depth += 1 if name == "(" else -1
            main = main and name == "("
        elif node is None:
            raise NotationError(f"record: expected ; before {quoted(name)}")
        else:
            node.setdefault(name, []).extend(values)
        if depth == 0:
            return
    raise NotationError("record: cut off: expected ) at the end")


def _gather(nodes: Iterable[Properties]) -> tuple[Properties, list[tuple[str, str]], dict[int, Properties]]:
    """Return what the root says, the turns as property and value, and what else stands at each of them.

    What a node without a turn says goes to the turn before it, or to the root.
    """
    root: Properties = {}
    turns: list[tuple[str, str]] = []
    details: dict[int, Properties] = {}
    for number, node in enumerate(nodes):
        played = [(name, value) for name in node if name in COLOURS for value in node[name]]
        turns += played
        target = details.setdefault(len(turns) - 1, {}) if turns and number else root
        for name, values in node.items():
            if name in SET_UP and target is not root:
                expected = "expected set-up before the first turn only"
                raise NotationError(f"record: {expected}, got {name} at turn {len(turns)}")
            if name not in COLOURS:
                target.setdefault(name, []).extend(values)
    return root, turns, details


def _spec(root: Properties, colour: str) -> GameSpec:
    """Return the game that the root names: by TG, or by the number GM, the size SZ and others of the game.

    `colour` is the property of the first turn, empty without one.
    """
    size = _size(root)
    if "TG" in root:
        spec = GameSpec.parse(root["TG"][0])
        if spec.game.square and size is not None and size != spec.values["size"]:
            raise NotationError(f"record: expected SZ[{spec.values['size']}] for {spec}, got {size}")
        return spec
    number = root.get("GM", ["1"])[0].strip()
    known: dict[str, Game] = {}
    for game in games.known():
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
    """Return the points on a side that SZ names, None without it."""
    if "SZ" not in root:
        return None
    match = re.fullmatch(r"([0-9]{1,3})(:\1)?", root["SZ"][0].strip())
    if not match:
        raise NotationError(f"record: expected SZ of a square board, such as 15, got {quoted(root['SZ'][0])}")
    return int(match[1])


def _side(game: Game, colour: str) -> int:
    """Return the side whose turns stand under the property `colour`, B or W."""
    return game.letters.index(colour.lower())


def _turn(spec: GameSpec, value: str, number: int) -> str:
    """Return the text of turn `number` (from 1), whose property has this value."""
    text = value.strip()
    if not spec.game.square:
        return text
    size = int(spec.values["size"])
    if not text or (text == "tt" and size <= PASS_BOARD):
        return PASS
    return vertex(*_point(text, size, f"turn {number}"))


def _point(text: str, size: int, where: str) -> tuple[int, int]:
    """Return column and row, both from 0, rows from the bottom, of the SGF point `text`."""
    x, y = (POINT_LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
    if not (0 <= x < size and 0 <= y < size):
        last = POINT_LETTERS[size - 1] * 2
        raise NotationError(f"record: {where}: expected a point from aa to {last}, got {quoted(text)}")
    return x, size - 1 - y


def _start(spec: GameSpec, root: Properties, colour: str) -> str | None:
    """Return the text of the start position, None for the game's own; TP says all and goes before stones.

    `colour` is the property of the first turn, empty without one.
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
    for name, colour in STONES.items():
        for value in root.get(name, []):
            for xy in _area(value.strip(), size, name):
                if stones.setdefault(xy, colour) != colour and colour != EMPTY:
                    raise NotationError(f"record: expected one stone on {vertex(*xy)}, got two")
    return {xy: colour for xy, colour in stones.items() if colour != EMPTY}


def _area(text: str, size: int, where: str) -> Iterator[tuple[int, int]]:
    """Yield the points of ``dd``, or of the rectangle ``aa:cc``."""
    corner, _, opposite = text.partition(":")
    (x, y), (u, v) = (_point(point, size, where) for point in (corner, opposite or corner))
    for column in range(min(x, u), max(x, u) + 1):
        for row in range(min(y, v), max(y, v) + 1):
            yield column, row


def _first(game: Game, root: Properties, stones: Stones, colour: str) -> int:
    """Return the side to move at the start: that of PL, or of the first turn, or who has fewer stones."""
    if "PL" in root:
        letter = root["PL"][0].strip()[:1].upper()
        if letter not in COLOURS:
            raise NotationError(f"record: expected PL[B] or PL[W], got {quoted(root['PL'][0])}")
        return _side(game, letter)
    if colour:
        return _side(game, colour)
    colours = list(stones.values())
    return _side(game, "B" if colours.count(BLACK) <= colours.count(WHITE) else "W")


# ---------------------------------------------------------------------------------------------------- writing


def write(record: Record) -> str:
    """Return `record` in SGF; `parse` reads it back, less the variations.

    Raises
    ------
    TengenError
        When something in the record has no place in a file: a faulty start position, a turn that is no point
        of the square board, a property that follows from the rest, a comment or a variation on a turn that
        there is not.
    """
    game = record.spec.game
    _require_names(record.properties, _derived(record.spec) | COLOURS)
    lines = [f"(;FF[4]GM[{game.sgf_gm}]CA[UTF-8]AP[tengen:{__version__}]"]
    size = _property("SZ", [str(record.spec.values["size"])]) if game.square else ""
    lines.append(size + _property("TG", [str(record.spec)]))
    lines += [_property(name, values) for name, values in _of_options(record.spec).items()]
    lines += [_property(name, values) for name, values in _start_properties(record).items() if values]
    lines += [_property(name, values) for name, values in record.properties.items() if values]
    branches = _branches(record)
    nodes = ["(" * (index in branches) + node for index, node in enumerate(_turn_nodes(record))]
    lines += ["".join(nodes[n : n + TURNS_PER_LINE]) for n in range(0, len(nodes), TURNS_PER_LINE)]
    lines += [f"){branches[index]}" for index in sorted(branches, reverse=True)]
    return "\n".join(lines) + ")\n"


def _start_properties(record: Record) -> Properties:
    """Return the properties that set up the start position; none for the game's own, if it has no stones."""
    square = record.spec.game.square
    if record.start is None and not square:
        return {}
    own = Position.start(record.spec).text()
    text = own if record.start is None else Position.parse(record.spec, record.start).text()
    rows, side, *more = text.split()
    if not square or more != own.split()[2:]:
        return {} if text == own else {"TP": [text]}
    size = int(record.spec.values["size"])
    stones, _ = parse_rows(rows, size)
    if text == own and not stones:
        return {}
    points: Properties = {"AB": [], "AW": []}
    for (x, y), colour in stones.items():
        points["AB" if colour == BLACK else "AW"].append(_sgf_point(x, y, size))
    return {**points, "PL": [side.upper()]}


def _turn_nodes(record: Record) -> list[str]:
    """Return the nodes of the turns."""
    if stray := {*record.comments, *record.details, *record.variations} - set(range(len(record.turns))):
        expected = f"expected comments and variations on {len(record.turns)} turns"
        raise NotationError(f"record: {expected}, got one on turn {max(stray) + 1}")
    nodes = []
    for index, played in enumerate(record.turns):
        details = record.details.get(index, {})
        _require_names(details, COLOURS | SET_UP | {"C"})
        if index in record.comments:
            details = {**details, "C": [record.comments[index]]}
        nodes.append(_turn_node(record.spec, played, index + 1, details))
    return nodes


def _branches(record: Record) -> dict[int, str]:
    """Return the variations beside each turn that has any."""
    return {
        index: "".join(f"({_variation(record.spec, variation, index + 1)})" for variation in variations)
        for index, variations in record.variations.items()
        if variations
    }


def _variation(spec: GameSpec, variation: Variation, number: int) -> str:
    """Return the nodes of a variation that begins with turn `number`."""
    comment: Properties = {"C": [variation.comment]} if variation.comment else {}
    return "".join(
        _turn_node(spec, played, number + later, {} if later else comment)
        for later, played in enumerate(variation.turns)
    )


def _turn_node(spec: GameSpec, played: tuple[int, str], number: int, properties: Properties) -> str:
    """Return the node of turn `number`, the side and the text, with the `properties` that stand at it."""
    side, turn = played
    colour = spec.game.letters[side].upper()
    of_node = {colour: [_turn_value(spec, turn, number)], **properties}
    return ";" + "".join(_property(name, values) for name, values in of_node.items() if values)


def _turn_value(spec: GameSpec, turn: str, number: int) -> str:
    """Return the property value of turn `number` (from 1): a point on square boards, or else its text."""
    if not spec.game.square:
        return turn
    if turn == PASS:
        return ""
    size = int(spec.values["size"])
    place = find_vertex(turn, size)
    if place is None:
        last = vertex(size - 1, size - 1)
        raise NotationError(f"record: turn {number}: expected a vertex from A1 to {last}, got {quoted(turn)}")
    return _sgf_point(*place, size)


def _sgf_point(x: int, y: int, size: int) -> str:
    """Return the SGF point of column `x` and row `y`, both from 0, rows from the bottom; undoes `_point`."""
    return POINT_LETTERS[x] + POINT_LETTERS[size - 1 - y]


def _require_names(properties: Properties, reserved: Set[str]) -> None:
    """Raise NotationError unless all names are SGF's and none is `reserved`."""
    for name in properties:
        if name in reserved or not re.fullmatch(r"[A-Z][A-Z0-9]*", name):
            expected = "expected a property in capitals, none that follows from the rest"
            raise NotationError(f"record: {expected}, got {quoted(name)}")


def _property(name: str, values: Iterable[str]) -> str:
    """Return a property as a file holds it."""
    return name + "".join(f"[{_escaped(value)}]" for value in values)


def _escaped(value: str) -> str:
    """Return `value` as it stands between brackets; `_unescaped` undoes it."""
    return re.sub(r"([\\\]])", r"\\\1", value)
