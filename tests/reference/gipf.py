"""GIPF, literally: pieces on named spots, and a turn as every sequence of choices that the rules leave."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Literal, NamedTuple, Self

BASIC_EACH = range(15, 19)
PIECES_EACH = 18
POTENTIALS_EACH = range(7)
FOUR = 4
# From White's edge up to the last row of columns a to i, dots included.
ROWS = (5, 6, 7, 8, 9, 8, 7, 6, 5)
# Steps in a board whose columns were shifted so that the three directions are these for every column.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1))

Rules = Literal["basic", "standard", "tournament"]
Side = Literal["w", "b"]
Kind = Literal["basic", "gipf", "zertz", "tamsk", "used"]
Letter = Literal["g", "z", "-"]

SIDES: tuple[Side, Side] = ("w", "b")
START: Mapping[str, Side] = {"b5": "w", "e2": "w", "h5": "w", "b2": "b", "e8": "b", "h2": "b"}
CHARGED: tuple[Kind, ...] = ("zertz", "tamsk")
STAYING: tuple[Kind, ...] = ("gipf", *CHARGED)
WORTH: Mapping[Kind, int] = {"basic": 1, "gipf": 2, "zertz": 1, "tamsk": 1, "used": 0}
PREFIX: Mapping[Kind, str] = {"basic": "", "gipf": "G", "zertz": "Z", "tamsk": "T"}
SUFFIX: Mapping[Kind, str] = {"basic": "", "zertz": "+", "tamsk": "*", "used": "^"}

_CELL = re.compile(r"[.WB]|[wb][+*^]?")
_NUMBER = re.compile(r"0|[1-9][0-9]*")


class Point(NamedTuple):
    """A dot or spot, or a place off the board: column 0 is `a`, row 1 is White's edge; sorted as a1 to i5."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """Text of the point, for example ``c3``."""
        return f"{chr(ord('a') + self.column)}{self.row}"

    def exists(self) -> bool:
        """Tell whether the board has the point."""
        return 0 <= self.column < len(ROWS) and 1 <= self.row <= ROWS[self.column]

    def is_spot(self) -> bool:
        """Tell whether the point is a spot, which has no place off the board beside it."""
        return self.exists() and all(self.step(direction).exists() for direction in DIRECTIONS)

    def step(self, direction: tuple[int, int]) -> "Point":
        """Return the neighbour, which may be off the board."""
        column = self.column + direction[0]
        shifted = self.row + max(self.column - 4, 0) + direction[1]
        return Point(column, shifted - max(column - 4, 0))


class Way(NamedTuple):
    """A line as a push enters it: its dot here, its spots from there on, and the dot beyond."""

    dot: Point
    spots: tuple[Point, ...]
    beyond: Point

    @property
    def ends(self) -> tuple[Point, Point]:
        """Dot and first spot, which stand for the way in a text and when turns are compared."""
        return self.dot, self.spots[0]


def _way(dot: Point, direction: tuple[int, int]) -> Way:
    """Return the way from `dot` in `direction`."""
    spots = []
    point = dot.step(direction)
    while point.is_spot():
        spots.append(point)
        point = point.step(direction)
    return Way(dot, tuple(spots), point)


POINTS = tuple(Point(column, row) for column, rows in enumerate(ROWS) for row in range(1, rows + 1))
COLUMNS = tuple(
    tuple(point for point in POINTS if point.column == column and point.is_spot()) for column in range(1, 8)
)
WAYS = tuple(
    _way(point, direction)
    for point in POINTS
    if not point.is_spot()
    for direction in DIRECTIONS
    if point.step(direction).is_spot()
)
LINES = tuple(way for way in WAYS if way.dot < way.beyond)
CENTRE = Point(4, 5)


class Piece(NamedTuple):
    """A piece on a spot; ``zertz`` and ``tamsk`` are charged pieces, ``used`` is a potential by itself."""

    side: Side
    kind: Kind

    @property
    def text(self) -> str:
        """Text of the piece in a position."""
        return self.side.upper() if self.kind == "gipf" else self.side + SUFFIX[self.kind]


PIECES: Mapping[str, Piece] = {
    piece.text: piece for piece in (Piece(side, kind) for side in SIDES for kind in WORTH)
}


class Hand(NamedTuple):
    """What a player has beside the board.

    Attributes
    ----------
    reserve
        Basic pieces; a GIPF-piece takes two of them.
    letter
        What may be brought in besides basic pieces: ``g`` GIPF-pieces and then potentials, ``z`` potentials.
    zertz, tamsk
        Potentials not yet in play.
    challenges
        Challenges left.
    """

    reserve: int
    letter: Letter
    zertz: int
    tamsk: int
    challenges: int


class Path(NamedTuple):
    """The turn so far: ends of its pushes and jumps, lines of its groups, and the texts of its parts.

    Paths are compared as `docs/gipf.md` compares turns.
    """

    pushes: tuple[tuple[Point, Point], ...] = ()
    lines: tuple[tuple[Point, Point], ...] = ()
    parts: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Text of the turn."""
        return ";".join(self.parts)

    @property
    def rank(self) -> tuple[object, ...]:
        """What makes one turn smaller than another."""
        return self.pushes, self.lines, self.text

    def push(self, prefix: str, ends: tuple[Point, Point]) -> "Path":
        """Return the path with a push or jump added."""
        text = f"{prefix}{ends[0].name}-{ends[1].name}"
        return self._replace(pushes=(*self.pushes, ends), parts=(*self.parts, text))

    def give_up(self) -> "Path":
        """Return the path with a potential taken out of the game [T-3]."""
        return self._replace(parts=(*self.parts, "p-"))

    def group(self, line: Way, taken: tuple[Point, ...]) -> "Path":
        """Return the path with the removal of `taken` added; a row of which nothing is taken has no group."""
        if not taken:
            return self
        text = "x" + ",".join(spot.name for spot in taken)
        return self._replace(lines=(*self.lines, line.ends), parts=(*self.parts, text))


@dataclass(frozen=True)
class Agreement:
    """What the players agreed before the game: the rules, and numbers of pieces, potentials, challenges."""

    rules: Rules
    white: int
    black: int
    zertz: int
    tamsk: int
    challenges: int

    @classmethod
    def make(
        cls, rules: str, white: int | None, black: int | None, zertz: int, tamsk: int, challenges: int
    ) -> Self:
        """Check the options of a game; raise `ValueError` for a value that none can have."""
        if rules not in ("basic", "standard", "tournament"):
            raise ValueError(f"expected rules 'basic', 'standard' or 'tournament', got {rules!r}")
        allowed = BASIC_EACH if rules == "basic" else range(PIECES_EACH, PIECES_EACH + 1)
        each = []
        for name, number in (("white", white), ("black", black)):
            number = allowed[0] if number is None else number
            if number not in allowed:
                raise ValueError(
                    f"expected {name} from {allowed[0]} to {allowed[-1]} in the {rules} game, got {number}"
                )
            each.append(number)
        for name, number in (("zertz", zertz), ("tamsk", tamsk), ("challenges", challenges)):
            if number not in POTENTIALS_EACH:
                raise ValueError(f"expected {name} from 0 to {POTENTIALS_EACH[-1]}, got {number}")
        return cls(rules, each[0], each[1], zertz, tamsk, challenges)  # type: ignore[arg-type]

    def pieces(self, side: Side) -> int:
        """Return the number of basic pieces that `side` begins with, on the board and in reserve."""
        return self.white if side == "w" else self.black

    @property
    def potentials(self) -> int:
        """Number of potentials of a player."""
        return self.zertz + self.tamsk

    @property
    def fields(self) -> int:
        """Number of fields of a position text."""
        return 5 + (4 if self.potentials else 0) + (2 if self.tamsk else 0)


@dataclass(frozen=True)
class Gipf:
    """A position of GIPF, never changed once made.

    Attributes
    ----------
    agreement
        The rules and what belongs to them.
    pieces
        The occupied spots.
    hands
        Reserves and potentials of White and of Black.
    side
        Who is to move, ``w`` (first) or ``b`` (second). Within a turn it stays who makes it.
    """

    agreement: Agreement
    pieces: Mapping[Point, Piece]
    hands: Mapping[Side, Hand]
    side: Side

    @classmethod
    def start(
        cls,
        rules: str = "standard",
        white: int | None = None,
        black: int | None = None,
        zertz: int = 0,
        tamsk: int = 0,
        challenges: int = 0,
    ) -> Self:
        """Return the position that the game begins with; another game decides challenges, not this one."""
        agreement = Agreement.make(rules, white, black, zertz, tamsk, challenges)
        pieces: dict[Point, Piece] = {}
        if agreement.rules != "tournament":
            kind: Kind = "basic" if agreement.rules == "basic" else "gipf"
            names = {point.name: point for point in POINTS}
            pieces = {names[name]: Piece(side, kind) for name, side in START.items()}
        letter: Letter = "z" if agreement.potentials else "-"
        if agreement.rules == "tournament":
            letter = "g"  # [G-12]
        hands = {}
        for side in SIDES:
            placed = sum(WORTH[piece.kind] for piece in pieces.values() if piece.side == side)
            hands[side] = Hand(agreement.pieces(side) - placed, letter, zertz, tamsk, challenges)
        return cls(agreement, pieces, hands, "w")

    @classmethod
    def parse(
        cls,
        text: str,
        rules: str = "standard",
        white: int | None = None,
        black: int | None = None,
        zertz: int = 0,
        tamsk: int = 0,
        challenges: int = 0,
    ) -> Self:
        """Read a canonical position text. Rows that nobody has taken yet are no fault.

        Raises
        ------
        ValueError
            If the text is malformed, or shows what no game can. Of a player these are: more pieces than the
            player began with, on the board (a GIPF-piece counting two, a used potential none) and in
            reserve; GIPF-pieces in the basic game, more than three in the standard game; more potentials of
            a kind, charged and left, than the game has, or more of both kinds, used ones included; more
            challenges; a letter ``g`` outside the tournament game, ``z`` with no potential left, ``-`` with
            some left.
        """
        agreement = Agreement.make(rules, white, black, zertz, tamsk, challenges)
        fields = text.split(" ")
        if len(fields) != agreement.fields:
            raise ValueError(f"expected {agreement.fields} fields, got {len(fields)} in {text!r}")
        board, *reserves, side, letters = fields[:5]
        numbers = [_parse_number(field) for field in (*reserves, *fields[5:])]
        numbers += [0, 0, challenges, challenges, 0, 0][len(numbers) - 2 :]
        hands = {
            owner: Hand(numbers[i], letter, numbers[2 + i], numbers[6 + i], numbers[4 + i])
            for i, (owner, letter) in enumerate(zip(SIDES, _parse_letters(letters), strict=True))
        }
        position = cls(agreement, _parse_board(board), hands, _parse_side(side))
        for owner in SIDES:
            if fault := position._fault(owner):
                raise ValueError(f"{fault} of {owner!r} in {text!r}")
        return position

    def format(self) -> str:
        """Return the canonical position text."""
        board = "/".join("".join(self._cell(spot) for spot in column) for column in COLUMNS)
        white, black = self.hands["w"], self.hands["b"]
        text = f"{board} {white.reserve} {black.reserve} {self.side} {white.letter}{black.letter}"
        if self.agreement.potentials:
            text += f" {white.zertz} {black.zertz} {white.challenges} {black.challenges}"
        if self.agreement.tamsk:
            text += f" {white.tamsk} {black.tamsk}"
        return text

    @property
    def turn(self) -> int:
        """Side to move: 0 White, who is first, 1 Black."""
        return SIDES.index(self.side)

    def turns(self) -> list[str]:
        """Return all legal turns, one for each position that can be reached; none when the game is over."""
        return list(self._results)

    def play(self, turn: str) -> Self:
        """Return the position after `turn`.

        Raises
        ------
        ValueError
            If `turn` is not one of `turns()`.
        """
        if turn not in self._results:
            raise ValueError(f"{turn!r} is not a legal turn in {self.format()!r}")
        return self._results[turn]

    def outcome(self) -> Literal["first", "second"] | None:
        """Return who won, or None while the game goes on; there are no draws [G-7]."""
        fallen = self._without_gipf()
        if len(fallen) == 2:  # [G-11]: the player who took both kinds' last ones has made the last turn
            winner = self.side
        elif fallen:
            winner = _other(fallen[0])
        elif self._results:
            return None
        else:  # [G-7]
            winner = _other(self.side)
        return "first" if winner == "w" else "second"

    @cached_property
    def _results(self) -> dict[str, Self]:
        """The positions that can be reached, keyed by the smallest turn that leads to each."""
        if self._without_gipf():
            return {}
        found: dict[str, tuple[Path, Self]] = {}
        for path, after in self._sequences():
            key = after.format()
            if key not in found or path.rank < found[key][0].rank:
                found[key] = path, after
        return {path.text: after for path, after in sorted(found.values(), key=lambda item: item[0].rank)}

    def _sequences(self) -> Iterator[tuple[Path, Self]]:
        """Yield every sequence of choices that makes a turn, and the position after it."""
        for extra, pushed in self._extra_pushes(Path()):  # [T-4]
            for opening, ready in pushed._removals(extra):  # [G-6]
                if ready._without_gipf():  # [G-11]: the removals are the whole turn
                    yield opening, ready._passed_on()
                    continue
                moves = list(ready._moves(opening))
                if not moves and opening.parts and not ready._rows():  # [G-7] [T-6]: the same side has lost
                    yield opening, ready
                for path, moved in moves:
                    for path_pushed, closing in moved._extra_pushes(path):  # [T-4]
                        for path_closed, closed in closing._removals(path_pushed):
                            yield path_closed, closed._passed_on()

    def _extra_pushes(self, path: Path) -> Iterator[tuple[Path, Self]]:
        """Yield every way to use up the TAMSK potential on the central spot, if there is one [T-2]."""
        if self.pieces.get(CENTRE) != Piece(self.side, "tamsk"):
            yield path, self
            return
        base = replace(self, pieces={**self.pieces, CENTRE: Piece(self.side, "basic")})
        yield from base._extra_pushes(path.give_up())  # [T-3]
        for way in WAYS:
            pieces = base._pushed(way, Piece(self.side, "used"))  # [T-5]
            if pieces is not None:
                yield from replace(base, pieces=pieces)._extra_pushes(path.push("p", way.ends))

    def _moves(self, path: Path) -> Iterator[tuple[Path, Self]]:
        """Yield every push [G-1] and every jump [P-5], without what follows."""
        for kind in PREFIX:
            hand = self._hand_after(kind)
            if hand is None:
                continue
            for way in WAYS:
                pieces = self._pushed(way, Piece(self.side, kind))
                if pieces is not None:
                    hands = {**self.hands, self.side: hand}
                    yield path.push(PREFIX[kind], way.ends), replace(self, pieces=pieces, hands=hands)
        for origin, piece in self.pieces.items():
            if piece == Piece(self.side, "zertz"):
                for direction in DIRECTIONS:
                    target = origin.step(direction)
                    while target in self.pieces:
                        target = target.step(direction)
                    if target.is_spot() and target != origin.step(direction):
                        base = {origin: Piece(self.side, "basic"), target: Piece(self.side, "used")}
                        yield path.push("j", (origin, target)), replace(self, pieces={**self.pieces, **base})

    def _pushed(self, way: Way, piece: Piece) -> dict[Point, Piece] | None:
        """Return the board after `piece` is pushed along `way`, or None when the line is full [G-2]."""
        vacant = next((i for i, spot in enumerate(way.spots) if spot not in self.pieces), None)
        if vacant is None:
            return None
        pieces = dict(self.pieces)
        for i in range(vacant, 0, -1):
            pieces[way.spots[i]] = pieces[way.spots[i - 1]]
        pieces[way.spots[0]] = piece
        return pieces

    def _hand_after(self, kind: Kind) -> Hand | None:
        """Return what the player has left after bringing in a piece of `kind`, or None when it may not be."""
        hand = self.hands[self.side]
        if hand.reserve < WORTH[kind]:
            return None
        hand = hand._replace(reserve=hand.reserve - WORTH[kind])
        if kind == "gipf":
            return hand if hand.letter == "g" else None  # [G-12]
        if not self._has_played(self.side):  # [G-12]: the first turn brings in a GIPF-piece
            return None
        if kind == "basic":  # [P-2]: the potentials not in play are lost
            return hand._replace(letter="-", zertz=0, tamsk=0)
        if kind == "zertz":
            hand = hand._replace(zertz=hand.zertz - 1)
        else:  # [T-1]: the ZÈRTZ potentials not in play are lost
            hand = hand._replace(zertz=0, tamsk=hand.tamsk - 1)
        if hand.zertz < 0 or hand.tamsk < 0:
            return None
        return hand._replace(letter="z" if hand.zertz + hand.tamsk else "-")

    def _removals(self, path: Path, resolved: frozenset[Way] = frozenset()) -> Iterator[tuple[Path, Self]]:
        """Yield every order and choice in which the side may take its rows, each line once [G-5] [G-8]."""
        rows = {line: row for line, row in self._rows().items() if line not in resolved}
        if not rows or self._without_gipf():  # [G-11]
            yield path, self
            return
        for line, row in rows.items():
            for taken in self._choices(row):
                yield from self._without(taken)._removals(path.group(line, taken), resolved | {line})

    def _rows(self) -> dict[Way, tuple[Point, ...]]:
        """Return the rows of the side, with what extends them, keyed by their lines [G-3]."""
        rows = {}
        for line in LINES:
            for run in _runs(spot if spot in self.pieces else None for spot in line.spots):
                if self._has_four(spot if self.pieces[spot].side == self.side else None for spot in run):
                    rows[line] = run
        return rows

    @staticmethod
    def _has_four(spots: Iterator[Point | None]) -> bool:
        """Tell whether four adjacent ones of `spots` are there."""
        return any(len(run) >= FOUR for run in _runs(spots))

    def _choices(self, row: tuple[Point, ...]) -> Iterator[tuple[Point, ...]]:
        """Yield every set of spots of the row that may be taken, in the order of the row [G-8] [P-3]."""
        staying = [spot for spot in row if self.pieces[spot].kind in STAYING]
        kinds = {self.pieces[spot].kind for spot in row}
        to_be_broken = kinds <= {*STAYING} and not kinds <= {"gipf"}
        for left in chain.from_iterable(combinations(staying, size) for size in range(len(staying) + 1)):
            own = (spot if spot in left and self.pieces[spot].side == self.side else None for spot in row)
            if not (to_be_broken and self._has_four(own)):
                yield tuple(spot for spot in row if spot not in left)

    def _without(self, taken: tuple[Point, ...]) -> Self:
        """Return the position after the side takes the pieces on `taken` [G-4] [G-9] [P-4] [P-6]."""
        returned = sum(WORTH[self.pieces[spot].kind] for spot in taken if self.pieces[spot].side == self.side)
        hand = self.hands[self.side]
        hands = {**self.hands, self.side: hand._replace(reserve=hand.reserve + returned)}
        pieces = {spot: piece for spot, piece in self.pieces.items() if spot not in taken}
        return replace(self, pieces=pieces, hands=hands)

    def _passed_on(self) -> Self:
        """Return the position with the opponent to move."""
        return replace(self, side=_other(self.side))

    def _without_gipf(self) -> tuple[Side, ...]:
        """Return the sides that have lost their last GIPF-piece [G-11]."""
        if self.agreement.rules == "basic":
            return ()
        return tuple(
            side
            for side in SIDES
            if Piece(side, "gipf") not in self.pieces.values() and self._has_played(side)
        )

    def _has_played(self, side: Side) -> bool:
        """Tell whether `side` has made its first turn, which only a tournament game can be without [G-12]."""
        if self.agreement.rules != "tournament":
            return True
        owners = [piece.side for piece in self.pieces.values()]
        hand = self.hands[side]
        if side in owners or hand.reserve < PIECES_EACH or hand.letter != "g":
            return True
        if side == "w":
            return self.side != "w" or "b" in owners
        if self.side == "w":
            return self._has_played("w")
        return [*self.pieces.values()] != [Piece("w", "gipf")] or self.hands["w"].reserve != PIECES_EACH - 2

    def _cell(self, spot: Point) -> str:
        """Return the text of one spot."""
        return self.pieces[spot].text if spot in self.pieces else "."

    def _fault(self, side: Side) -> str | None:
        """Say what no game can show of `side`, or return None."""
        agreement, hand = self.agreement, self.hands[side]
        kinds = [piece.kind for piece in self.pieces.values() if piece.side == side]
        gipf, zertz, tamsk = (kinds.count(kind) for kind in STAYING)
        used = kinds.count("used")
        most_gipf = {"basic": 0, "standard": 3, "tournament": PIECES_EACH // 2}[agreement.rules]
        potentials_left = hand.zertz + hand.tamsk
        for what, limit, got in (
            ("pieces", agreement.pieces(side), sum(WORTH[kind] for kind in kinds) + hand.reserve),
            ("GIPF-pieces", most_gipf, gipf),
            ("ZÈRTZ potentials", agreement.zertz, zertz + hand.zertz),
            ("TAMSK potentials", agreement.tamsk, tamsk + hand.tamsk),
            ("potentials", agreement.potentials, zertz + tamsk + used + potentials_left),
            ("challenges", agreement.challenges, hand.challenges),
        ):
            if got > limit:
                return f"expected at most {limit} {what}, got {got}"
        letters = "z" if potentials_left else "-"
        if agreement.rules == "tournament":
            letters += "g"
        if hand.letter not in letters:
            return f"expected {' or '.join(map(repr, letters))} to bring in, got {hand.letter!r}"
        intact = (hand.zertz, hand.tamsk) == (agreement.zertz, agreement.tamsk)
        if hand.letter == "g" and (len(kinds) > gipf or not intact):  # [G-12][P-2]
            return "expected 'g' only while nothing but GIPF-pieces has been brought in"
        return None


def _other(side: Side) -> Side:
    """Return the opponent."""
    return "b" if side == "w" else "w"


def _runs(spots: Iterator[Point | None]) -> list[tuple[Point, ...]]:
    """Split `spots` where None interrupts them."""
    runs: list[tuple[Point, ...]] = [()]
    for spot in spots:
        if spot is None:
            runs.append(())
        else:
            runs[-1] += (spot,)
    return runs


def _parse_board(text: str) -> dict[Point, Piece]:
    """Read the seven columns of a position text."""
    columns = text.split("/")
    if len(columns) != len(COLUMNS):
        raise ValueError(f"expected {len(COLUMNS)} columns, got {len(columns)} in {text!r}")
    pieces = {}
    for column, spots in zip(columns, COLUMNS, strict=True):
        cells = _CELL.findall(column)
        if "".join(cells) != column:
            raise ValueError(f"expected '.' and pieces such as 'w', 'B' or 'w+', got {column!r}")
        if len(cells) != len(spots):
            name = spots[0].name[0]
            raise ValueError(f"expected {len(spots)} spots in column {name}, got {len(cells)} in {column!r}")
        for spot, cell in zip(spots, cells, strict=True):
            if cell != ".":
                pieces[spot] = PIECES[cell]
    return pieces


def _parse_number(text: str) -> int:
    """Read a number of pieces, potentials or challenges."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"expected a number, got {text!r}")
    return int(text)


def _parse_side(text: str) -> Side:
    """Read the side to move."""
    if text == "w":
        return "w"
    if text == "b":
        return "b"
    raise ValueError(f"expected side 'w' or 'b', got {text!r}")


def _parse_letters(text: str) -> tuple[Letter, Letter]:
    """Read what White and Black may bring in besides basic pieces."""
    if not re.fullmatch("[gz-]{2}", text):
        raise ValueError(f"expected two of 'g', 'z' and '-', got {text!r}")
    return text[0], text[1]  # type: ignore[return-value]
