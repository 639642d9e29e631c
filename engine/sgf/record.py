"""Records of games: trees of nodes, and the positions to which they lead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Self

from tengen import __version__
from tengen.engine.board.goban import BLACK, EMPTY, WHITE, format_rows, parse_rows
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, TengenError, located, quoted
from tengen.engine.sgf.node import COLOURS, STONES, Node, Properties, format_point, parse_area, parse_turn
from tengen.engine.sgf.syntax import tree_text
from tengen.engine.spec import GameSpec

if TYPE_CHECKING:
    from tengen.engine.game import Game
    from tengen.engine.play.position import Position

MAX_POINTS = 10_000  # that a node sets up, each as often as it is named
MAX_SET_UPS = 10_000  # on the way to a position
DERIVED = {"FF", "GM", "CA", "AP", "SZ", "TG", "TP", "PL", *STONES}  # of a root: `Record` writes them itself
NAME = re.compile(r"[A-Z][A-Z0-9-]*")

Played = tuple[int | str | None, str]  # side (None: the side to move) and text of a turn


class Record:
    """The record of a game: a tree of nodes, of which the main line is the game.

    A new record has a root with the properties that name the game and the start position. They, like all
    others, may be changed: what is written are the properties of the nodes.

    Parameters
    ----------
    spec : GameSpec
    start : str, optional
        Text of the position to begin with; None for that of the game.
    turns : iterable of (int, str)
        Side, 0 or 1, and text of each turn of the main line.
    properties : mapping of str to list of str
        Other properties of the root: PB, PW, RE, DT, TM, GN, EV, C...

    Attributes
    ----------
    spec : GameSpec
    root : Node
    notes : list of str
        What was guessed or left out when the record was read, in words.
    assumption : str
        Which rules it does not say, and what is assumed; empty if it says all, or was not read.
    """

    def __init__(
        self,
        spec: GameSpec,
        start: str | None = None,
        turns: Iterable[tuple[int, str]] = (),
        properties: Mapping[str, list[str]] | None = None,
    ) -> None:
        given = dict(properties or {})
        if taken := given.keys() & {*derived_names(spec), *COLOURS}:
            expected = "expected properties that do not follow from the rest"
            raise NotationError(f"record: {expected}, got {quoted(min(taken))}")
        self._set(spec, Node(None, {**head(spec), **_start_properties(spec, start), **given}))
        node = self.root
        for number, (side, turn) in enumerate(turns, 1):
            with located(f"record: turn {number}"):
                node = node.add(side, turn)

    @classmethod
    def of_tree(cls, spec: GameSpec, root: Node, notes: Iterable[str] = ()) -> Self:
        """Return the record of a tree.

        Parameters
        ----------
        spec : GameSpec
            The game; all nodes get it.
        root : Node
            The start; the nodes are kept, not copied.
        notes : iterable of str
            What was guessed or left out, in words.
        """
        made = cls.__new__(cls)
        made._set(spec, root)
        made.notes.extend(notes)
        return made

    def _set(self, spec: GameSpec, root: Node) -> None:
        self.spec = spec
        self.root = root
        self.notes: list[str] = []
        self.assumption = ""
        for node in root:
            node.spec = spec

    def copy(self) -> Self:
        """Return a copy, whose nodes may be changed."""
        return self.of_tree(self.spec, self.root.copy(), self.notes)

    @property
    def properties(self) -> Properties:
        """The properties of the root: GM, SZ, PB, PW, RE, C..."""
        return self.root.properties

    def value(self, name: str) -> str:
        """Return a property of the root in one line; empty without it.

        Parameters
        ----------
        name : str
            In SGF, such as ``PB``.
        """
        return " ".join(" ".join(self.root.properties.get(name, ())).split())

    def name_game(self, spec: GameSpec) -> None:
        """Have the record be of a game, and say so in its root; the turns stay as they are.

        Parameters
        ----------
        spec : GameSpec
            The game.
        """
        for node in self.root:
            node.spec = spec
        self.spec = spec
        self.root.properties |= {name: [value] for name, value in _naming(spec)}

    # ------------------------------------------------------------------------------------------ the main line

    @property
    def line(self) -> list[Node]:
        """The nodes of the main line, from the root on."""
        return [self.root, *self.root.main_line()]

    @property
    def turns(self) -> list[tuple[int, str]]:
        """Side and text of each turn of the main line."""
        return [(int(node.side or 0), node.turn or "") for node in self.line if node.colour]

    @property
    def start(self) -> str | None:
        """Text of the position in which the main line's first turn is played; None for that of the game."""
        return self.segment(0)[0] if any(node.is_set_up for node in self._line_before(0)) else None

    def _line_before(self, turns: int) -> list[Node]:
        """Return the main line up to the turn after the first `turns`."""
        nodes, number = [], 0
        for node in self.line:
            number += bool(node.colour)
            if number > turns:
                break
            nodes.append(node)
        return nodes

    # ---------------------------------------------------------------------------------------------- positions

    def walk(
        self,
        nodes: Iterable[Node] | None = None,
        faults: list[str] | None = None,
        position: Position | None = None,
        turns: int = 0,
    ) -> Iterator[tuple[Node, Position]]:
        """Yield nodes with their positions: the same one moved on, or after a set-up another one.

        Parameters
        ----------
        nodes : iterable of Node, optional
            A line that begins at the root, or after `position`; by default the main line.
        faults : list of str, optional
            Without it a turn or a set-up that is impossible raises. With it the walk ends there, and the
            list gets the reason, which names the number of the turn.
        position : Position, optional
            The one that the first node follows, which is changed; by default the start of the game.
        turns : int
            The number of turns that led to it.

        Raises
        ------
        NotationError, PositionError, IllegalTurnError
            When a turn cannot be played, or a position not be set up; names the number of the turn.
        """
        position = begin(self.spec) if position is None else position
        set_ups = 0
        for node in self.line if nodes is None else nodes:
            turns, set_ups = turns + bool(node.colour), set_ups + node.is_set_up
            set_up = f"set-up after turn {turns}" if turns else "start position"
            try:
                with located(f"turn {turns}" if node.colour else set_up):
                    if set_ups > MAX_SET_UPS:
                        raise NotationError(f"expected at most {MAX_SET_UPS:,} positions set up, got more")
                    position = follow(position, node)
            except TengenError as error:
                if faults is None:
                    raise
                faults.append(str(error))
                return
            yield node, position

    def explore(self) -> Iterator[tuple[Node, Position]]:
        """Yield all nodes in depth-first order with their positions, the same ones moved on and back.

        Where a turn or a set-up is impossible, the branch is left out.
        """
        start = begin(self.spec)
        pending: list[tuple[Node, Position, int]] = [(self.root, start, 0)]
        while pending:
            node, position, turns = pending.pop()
            while len(position.turns_played) > turns:
                position.pop()
            try:
                after = follow(position, node)
            except TengenError:
                continue
            yield node, after
            turns = len(after.turns_played)
            pending += [(child, after, turns) for child in reversed(node.children)]

    def legal_line(self) -> tuple[list[Node], str]:
        """Return the main line up to the first turn that cannot be played, and why the rest is left out."""
        faults: list[str] = []
        line = self.line
        legal = [node for node, _ in self.walk(line, faults)]
        if not faults:
            return legal, ""
        left = sum(bool(node.colour) for node in line[len(legal) :])
        turns = f"{left:,} turns" if left != 1 else "1 turn"
        return legal, f"{faults[0]}; left out from there: {turns}"

    def opening_line(self) -> list[Node]:
        """Return the nodes of the main line with turns, up to a position that is set up in the middle."""
        nodes: list[Node] = []
        for node in self.line:
            if node.is_set_up and nodes:
                break
            if node.colour:
                nodes.append(node)
        return nodes

    def segment(self, upto: int | None = None) -> tuple[str | None, list[tuple[int, str]]]:
        """Return the last position that the main line sets up, and the turns from there.

        Parameters
        ----------
        upto : int, optional
            How many turns of the main line count; by default all.

        Returns
        -------
        str or None
            The text of the position; None for the start of the game.
        list of (int, str)
        """
        end = position(self, upto)
        start = None if end.start_text == begin(self.spec).text() else end.start_text
        played = zip(end.sides_played, end.turns_played, strict=True)
        return start, [(side.number, turn) for side, turn in played]

    # ------------------------------------------------------------------------------------------------ writing

    def to_sgf(self) -> str:
        """Return the record as SGF, which is read back as the same tree.

        Raises
        ------
        NotationError
            If the name of a property is none.
        """
        for name in (name for node in self.root for name in node.properties):
            if not NAME.fullmatch(name):
                raise NotationError(f"record: expected names of properties in capitals, got {quoted(name)}")
        return tree_text(self.root)

    def __repr__(self) -> str:
        return f"<Record of {self.spec}, {len(self.turns)} turns>"


def write(*records: Record) -> str:
    """Return a file of these records in SGF."""
    return "".join(record.to_sgf() for record in records)


def position(record: Record, upto: int | None = None) -> Position:
    """Return the position before the turn after the first `upto` of the main line, by default at its end.

    Raises as `Record.walk`.
    """
    found = begin(record.spec)
    for _, found in record.walk(record.line if upto is None else record._line_before(upto)):  # noqa: B007
        pass
    return found


def winning_side(game: Game, result: str) -> int | None:
    """Return the side that has won by a result as SGF writes it; None if none has, or it does not tell."""
    letter, plus, _ = result.partition("+")
    return game.letters.index(letter.lower()) if plus and letter.lower() in game.letters else None


def replay(position: Position, turns: Iterable[Played], first: int = 1) -> None:
    """Play `turns` on `position`.

    `first` is the number of the first turn. Raises NotationError or IllegalTurnError when a turn cannot be
    played; names its number. The turns before it have been played.
    """
    for number, (side, turn) in enumerate(turns, first):
        with located(f"turn {number}"):
            position.push(turn, side)


# ------------------------------------------------------------------------------------------- what a node does


def follow(position: Position, node: Node) -> Position:
    """Return the position of `node`, which follows that of `position`.

    It is `position` itself, moved on by the turn, unless the node sets up another one. A set-up that changes
    nothing leaves it with its history. Raises NotationError, PositionError or IllegalTurnError when the turn
    cannot be played, or the position not be set up.
    """
    if node.is_set_up:
        text = set_up_text(position, node)
        return position if text == position.text() else begin(position.spec, text)
    if colour := node.colour:
        position.push(parse_turn(position.spec, node.properties[colour][0]), node.side)
    return position


def set_up_text(position: Position, node: Node) -> str:
    """Return the text of the position that `node` sets up after `position`; TP takes precedence over stones.

    The side to move is that of PL, else that of the next turn; of a root the one with fewer stones, of any
    other node the one whose turn it was. Raises NotationError when the node makes no sense on this board.
    """
    spec, properties = position.spec, node.properties
    if "TP" in properties:
        return begin(spec, properties["TP"][0]).text()
    if not spec.game.square:
        raise NotationError(f"record: expected the position of {spec} in TP, got AB, AW, AE or PL")
    rows, side, *rest = position.text().split()
    size = int(spec.values["size"])
    stones = {**parse_rows(rows, size)[0], **stones_of(node, size)}
    colours = list(stones.values())
    if "PL" in properties:
        side = properties["PL"][0].strip()[:1].lower()
        if side not in spec.game.letters:
            raise NotationError(f"record: expected PL[B] or PL[W], got {quoted(properties['PL'][0])}")
    elif colour := next_colour(node):
        side = colour.lower()
    elif node.parent is None:
        side = "b" if colours.count(BLACK) <= colours.count(WHITE) else "w"
    if stones != parse_rows(rows, size)[0]:  # a ko and passes are over; prisoners stay
        own = begin(spec).text().split()[2:]
        kept = [old if old.isdigit() else new for old, new in zip(rest, own, strict=True)]
        rest = [*kept[:-1], own[-1]] if spec.game.ends_by_agreement else kept
    return " ".join([format_rows(stones, size), side, *rest])


def stones_of(node: Node, size: int) -> dict[tuple[int, int], int]:
    """Return the colours that AB, AW and AE of a node give to points, by column and row.

    Raises NotationError when a point is none of the board, or gets two stones.
    """
    stones: dict[tuple[int, int], int] = {}
    named = 0
    for name, colour in STONES.items():
        for value in node.properties.get(name, ()):
            with located(f"record: {name}"):
                for xy in parse_area(value, size):
                    named += 1
                    if named > MAX_POINTS:
                        most = f"{MAX_POINTS:,} points"
                        raise NotationError(f"expected at most {most} in AB, AW and AE of a node")
                    if stones.setdefault(xy, colour) != colour and colour != EMPTY:
                        raise NotationError(f"expected one stone on {vertex(*xy)}, got two")
    return stones


def next_colour(node: Node) -> str:
    """Return the property of the turn that follows in the main line, empty if a set-up or nothing does."""
    for following in node.main_line():
        if following.colour or following.is_set_up:
            return following.colour
    return ""


# --------------------------------------------------------------------------------------- properties of a root


def begin(spec: GameSpec, text: str | None = None) -> Position:
    """Return the position that a text describes, by default the start; what computes is loaded now."""
    from tengen.engine.play.position import Position

    return Position(spec, text)


def head(spec: GameSpec) -> Properties:
    """Return the properties that name the game."""
    named = dict(_naming(spec))
    title = {} if spec.game.sgf_gm else {"GN": spec.game.title}  # for programs that do not know TG
    first = {"FF": "4", "GM": named.pop("GM"), "CA": "UTF-8", "AP": f"tengen:{__version__}"}
    return {name: [value] for name, value in {**first, **named, **title}.items()}


def _naming(spec: GameSpec) -> Iterator[tuple[str, str]]:
    """Yield the properties that say what is played."""
    yield "GM", str(spec.game.sgf_gm)
    if spec.game.square:
        yield "SZ", str(spec.values["size"])
    yield "TG", str(spec)
    for name, values in option_properties(spec).items():
        yield name, values[0]


def _start_properties(spec: GameSpec, start: str | None) -> Properties:
    """Return the properties that set up the start position; none for that of the game if it has no stones."""
    square = spec.game.square
    if start is None and not square:
        return {}
    own = begin(spec).text() if start is not None or "handicap" in spec.values else ""
    text = own if start is None else begin(spec, start).text()
    if not text:
        return {}
    rows, side, *more = text.split()
    if not square or more != own.split()[2:]:
        return {} if text == own else {"TP": [text]}
    size = int(spec.values["size"])
    stones, _ = parse_rows(rows, size)
    if text == own and not stones:
        return {}
    points: Properties = {"AB": [], "AW": [], "AE": [], "PL": [side.upper()]}
    for (x, y), colour in stones.items():
        points["AB" if colour == BLACK else "AW"].append(format_point(x, y, size))
    taken = parse_rows(own.split()[0], size)[0].keys() - stones.keys()  # of the handicap
    points["AE"] = sorted(format_point(x, y, size) for x, y in taken)
    return {name: values for name, values in points.items() if values}


def derived_names(spec: GameSpec) -> set[str]:
    """Return the names of the root properties that `Record` writes itself."""
    return DERIVED | option_properties(spec).keys()


def option_properties(spec: GameSpec) -> Properties:
    """Return the SGF properties for the options of `spec`, which other programs understand."""
    if not spec.game.sgf_properties:
        return {}
    properties: Properties = spec.game.module("record").properties(spec)
    return properties
