"""Forced wins of Gomoku, Renju and Gobang by brute force, with rules of its own (``docs/gomoku.md``).

The attacker, who is to move, plays only threats: stones after which it would win at once if the other side
passed (fours; in Gobang also captures to come that reach the number of pairs), and, if so allowed, stones
after which it could then play one that wins at once in two or more ways (threes). The defender plays every
legal turn. A win by fours alone is a VCF, one that takes threes as well a VCT.

Nothing here is shared with the engine's games. Boards are padded with walls, positions are copied for each
stone, and every question is answered from the whole board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tengen.engine.jit import kernel, record
from tests import rows
from tests.reference import Gobang, Gomoku, reference
from tests.reference.words import COLUMNS
from tests.solver import NO_WIN, Unfinished

FOLDER = Path(__file__).parent / "suites"
LONGEST = 99  # plies: more than any search here comes to
PATIENCE = 1_000_000  # actions that the engine's solver may try: in Gobang fours may go on without end


class Case(NamedTuple):
    """A position, and in how many plies the mover wins by fours at the soonest: None when it does not."""

    spec: str
    text: str
    plies: int | None

    def line(self) -> str:
        """Return the case as a line of the suite."""
        return f"{self.spec} ; {self.text} ; {NO_WIN if self.plies is None else self.plies}"


def suite(game: str) -> Path:
    """Return the file of the suite of ``gomoku`` (with Renju) or ``gobang``."""
    return FOLDER / f"{game}.txt"


def cases(game: str) -> list[Case]:
    """Return the cases of a suite."""
    return [
        Case(spec, text, None if plies == NO_WIN else int(plies)) for spec, text, plies in rows(suite(game))
    ]


# ------------------------------------------------------------------------------------------------- positions

LARGEST = 22  # points on a side
STRIDE = LARGEST + 2  # a wall around: lines are walked until they leave it
CELLS = STRIDE * STRIDE
EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3
STONES = ".XO"
SIDES = "bw"
FIVE = 5
DIRECTIONS = np.array([1, STRIDE, STRIDE + 1, STRIDE - 1])
EIGHT = np.concatenate([DIRECTIONS, -DIRECTIONS])


class Rules(NamedTuple):
    """What is played."""

    size: int  # points on a side
    exact: tuple[bool, bool]  # whether six or more are no five: for Black, for White
    renju: bool
    captures: bool
    capture_win: int  # pairs that win, 0 for none

    @classmethod
    def parse(cls, spec: str) -> Rules:
        """Return the rules that a game spec names."""
        game = reference(spec)
        if isinstance(game, Gobang):
            return cls(game.size, (False, False), False, True, game.capture_win)
        assert isinstance(game, Gomoku)
        exact = (game.exactly_five or game.renju, game.exactly_five)
        return cls(game.size, exact, game.renju, False, 0)


def point(vertex: str) -> int:
    """Return the cell of a vertex such as ``H8``."""
    return int(vertex[1:]) * STRIDE + COLUMNS.index(vertex[0]) + 1


def vertex(cell: int) -> str:
    """Return the vertex of a cell."""
    return f"{COLUMNS[cell % STRIDE - 1]}{cell // STRIDE}"


class Board:
    """A position: `cells` within walls, the `pairs` that each side has taken, and whose `turn` it is."""

    def __init__(self, rules: Rules, cells: np.ndarray, pairs: np.ndarray, turn: int) -> None:
        self.rules, self.cells, self.pairs, self.turn = rules, cells, pairs, turn

    @classmethod
    def parse(cls, spec: str, text: str) -> Board:
        """Return the position of a text."""
        rules = Rules.parse(spec)
        rows, side, *pairs = text.split()
        grid = [[STONES.index(letter) for letter in row] for row in reversed(rows.split("/"))]
        cells = np.full((STRIDE, STRIDE), WALL, np.int8)
        cells[1 : rules.size + 1, 1 : rules.size + 1] = grid
        return cls(rules, cells.ravel(), np.array(pairs or [0, 0], np.int64), BLACK + SIDES.index(side))

    @classmethod
    def start(cls, spec: str) -> Board:
        """Return the empty board."""
        size = Rules.parse(spec).size
        return cls.parse(spec, "/".join(["." * size] * size) + " b")

    def grid(self) -> np.ndarray:
        """Return the points, the lowest row first: a view, shape (size, size)."""
        size = self.rules.size
        return self.cells.reshape(STRIDE, STRIDE)[1 : size + 1, 1 : size + 1]

    def text(self) -> str:
        """Return the text of the position."""
        rows = "/".join("".join(STONES[stone] for stone in row) for row in self.grid()[::-1])
        taken = [str(number) for number in self.pairs] if self.rules.captures else []
        return " ".join([rows, SIDES[self.turn - BLACK], *taken])

    def copy(self) -> Board:
        """Return an independent copy."""
        return Board(self.rules, self.cells.copy(), self.pairs.copy(), self.turn)

    def played(self, cell: int) -> Board:
        """Return the position after a stone of the side to move, without asking whether it is legal."""
        after = self.copy()
        after.pairs[self.turn - BLACK] += put(after.cells, cell, self.turn, self.rules.captures)
        after.turn = opponent(self.turn)
        return after

    def legal(self) -> list[int]:
        """Return the cells where the side to move may play, if nobody has won."""
        black = self.rules.renju and self.turn == BLACK
        empty = np.flatnonzero(self.cells == EMPTY).tolist()
        return [cell for cell in empty if not (black and forbidden(self.cells, cell))]

    def winner(self) -> int:
        """Return who has a five, or enough pairs: `EMPTY` when nobody has."""
        if owner := owner_of_five(self.cells, self.rules.exact):
            return int(owner)
        enough = self.rules.capture_win and self.pairs >= self.rules.capture_win
        return BLACK + int(np.argmax(enough)) if np.any(enough) else EMPTY

    def alike(self) -> Iterator[str]:
        """Yield the texts of the position from all eight sides."""
        for turned in range(4):
            for mirrored in (False, True):
                other = self.copy()
                grid = np.rot90(self.grid(), turned)
                other.grid()[:] = grid[::-1] if mirrored else grid
                yield other.text()


# ----------------------------------------------------------------------------------------------------- rules


@kernel
def opponent(colour):
    """Return the other colour."""
    return BLACK + WHITE - colour


@kernel
def run(cells, cell, step, colour):
    """Return how many stones of `colour` follow `cell` in one direction without a gap."""
    length = 0
    while cells[cell + step * (length + 1)] == colour:
        length += 1
    return length


@kernel
def row(cells, cell, step, colour):
    """Return how long the row is in which a stone of `colour` on `cell` stands, or would stand."""
    return 1 + run(cells, cell, step, colour) + run(cells, cell, -step, colour)


@kernel
def makes_five(cells, cell, colour, exact):
    """Return whether a stone of `colour` on `cell` makes a five [M-2] [R-1]."""
    for step in DIRECTIONS:
        length = row(cells, cell, step, colour)
        if length == FIVE or (length > FIVE and not exact):
            return True
    return False


@kernel
def owner_of_five(cells, exact):
    """Return who has a five: `EMPTY` when nobody has."""
    for cell in range(STRIDE, CELLS - STRIDE):
        colour = cells[cell]
        if colour in (BLACK, WHITE) and makes_five(cells, cell, colour, exact[colour - BLACK]):
            return colour
    return EMPTY


@kernel
def captured(cells, cell, colour):
    """Return how many pairs a stone of `colour` on `cell` takes [B-2]."""
    enemy, pairs = opponent(colour), 0
    for step in EIGHT:
        if (
            cells[cell + step] == enemy
            and cells[cell + 2 * step] == enemy
            and cells[cell + 3 * step] == colour
        ):
            pairs += 1
    return pairs


@kernel
def put(cells, cell, colour, captures):
    """Put a stone on `cell`, take off what it captures, and return how many pairs that are."""
    pairs = 0
    cells[cell] = colour
    if captures:
        enemy = opponent(colour)
        for step in EIGHT:
            if (
                cells[cell + step] == enemy
                and cells[cell + 2 * step] == enemy
                and cells[cell + 3 * step] == colour
            ):
                cells[cell + step] = EMPTY
                cells[cell + 2 * step] = EMPTY
                pairs += 1
    return pairs


@kernel
def fours(cells, cell, step):
    """Return how many fours Black's stone on `cell` stands in, along one line [R-3] [R-4].

    The stone that makes the five stands at one of the two ends of the unbroken row that `cell` is in. The
    fours of both ends are the same if that row has four stones, and two if it has fewer.
    """
    number = 0
    for sign in (-1, 1):
        end = cell + sign * step * (run(cells, cell, sign * step, BLACK) + 1)
        if cells[end] == EMPTY and row(cells, end, step, BLACK) == FIVE:
            number += 1
    return 1 if number == 2 and row(cells, cell, step, BLACK) == FIVE - 1 else number


@kernel
def makes_straight_four(cells, cell, step):
    """Return whether Black's stone on the empty `cell` makes a straight four along one line [R-3]."""
    if row(cells, cell, step, BLACK) != FIVE - 1:
        return False
    for sign in (-1, 1):
        end = cell + sign * step * (run(cells, cell, sign * step, BLACK) + 1)
        # beyond the end, the five has to end as well
        if cells[end] != EMPTY or cells[end + sign * step] == BLACK:
            return False
    return True


@kernel
def forbidden(cells, cell):
    """Return whether the empty `cell` is forbidden for Black [R-1] to [R-6]."""
    overline = False
    for step in DIRECTIONS:
        length = row(cells, cell, step, BLACK)
        if length == FIVE:
            return False
        overline = overline or length > FIVE
    if overline:
        return True
    cells[cell] = BLACK
    number, threes = 0, 0
    for step in DIRECTIONS:
        number += fours(cells, cell, step)
        three = 0
        for sign in (-1, 1):  # the straight four holds `cell`: its fourth stone ends the row of `cell`
            end = cell + sign * step * (run(cells, cell, sign * step, BLACK) + 1)
            if (
                cells[end] == EMPTY
                and makes_straight_four(cells, end, step)
                and not makes_five(cells, end, BLACK, True)
                and not forbidden(cells, end)
            ):
                three = 1
        threes += three
    cells[cell] = EMPTY
    return number >= 2 or threes >= 2


# ------------------------------------------------------------------------------------------------ the search

DEEPEST = 64  # plies from the root, at most
SLOTS = 1 << 20
NEVER, NOT_YET, WON = -1, 0, 1  # what a search of so many plies finds; NEVER: with more neither
FINAL = 127  # plies, in the memory: `NEVER`
SEARCH = record(
    [
        ("exact", "i8", (2,)),
        ("renju", "i8"),
        ("captures", "i8"),
        ("capture_win", "i8"),
        ("attacker", "i8"),
        ("cells", "i1", (DEEPEST, CELLS)),
        ("pairs", "i8", (DEEPEST, 2)),
        ("first", "i8", (DEEPEST,)),  # cell that won last at that ply: tried first
        ("nodes", "i8"),
        ("limit", "i8"),
        ("question", "u8"),  # a part of all keys: what other questions have left is not found
        # positions with the attacker to move, by key; the last one of a slot
        ("keys", "u8", (SLOTS,)),
        ("won", "i1", (SLOTS,)),  # in so many plies or fewer, 0 when that is not known
        ("lost", "i1", (SLOTS,)),  # not in so many plies or fewer
    ]
)
_GENERATOR = np.random.default_rng(5)
# By cell and content, by side and pairs, by threes left. Two positions of one search with the same 64 bits
# would be taken for one another: with a million positions the odds are one in 37 million.
KEYS = _GENERATOR.integers(1, 2**63, (CELLS, WALL + 1), np.uint64)
KEYS_OF_PAIRS = _GENERATOR.integers(1, 2**63, (2, 64), np.uint64)
KEYS_OF_THREES = _GENERATOR.integers(1, 2**63, DEEPEST, np.uint64)


@kernel
def _key(t, ply, threes):
    key = KEYS_OF_THREES[threes] ^ t.question
    for cell in range(CELLS):
        key ^= KEYS[cell, t.cells[ply, cell]]
    if t.capture_win:
        key ^= KEYS_OF_PAIRS[0, t.pairs[ply, 0]] ^ KEYS_OF_PAIRS[1, t.pairs[ply, 1]]
    return key


@kernel
def _wins_on(t, ply, cell, colour):
    """Return whether a stone of `colour` on the empty `cell` wins at once. Such a stone is always legal."""
    cells = t.cells[ply]
    if makes_five(cells, cell, colour, t.exact[colour - BLACK]):
        return True
    if t.capture_win == 0:
        return False
    return t.pairs[ply, colour - BLACK] + captured(cells, cell, colour) >= t.capture_win


@kernel
def _ways_to_win(t, ply, colour):
    """Return on how many points `colour` could win at once."""
    number = 0
    for cell in range(STRIDE, CELLS - STRIDE):
        if t.cells[ply, cell] == EMPTY and _wins_on(t, ply, cell, colour):
            number += 1
    return number


@kernel
def _legal(t, ply, cell, colour):
    """Return whether `colour` may play on the empty `cell` [R-7]."""
    return not (t.renju and colour == BLACK and forbidden(t.cells[ply], cell))


@kernel
def _can_move(t, ply, colour):
    for cell in range(STRIDE, CELLS - STRIDE):
        if t.cells[ply, cell] == EMPTY and _legal(t, ply, cell, colour):
            return True
    return False


@kernel
def _play(t, ply, cell, colour):
    """Make ``ply + 1`` the position after a stone of `colour`."""
    for each in range(CELLS):  # to assign rows, numba would compile for seconds how a mismatch is told
        t.cells[ply + 1, each] = t.cells[ply, each]
    for side in range(2):
        t.pairs[ply + 1, side] = t.pairs[ply, side]
    t.pairs[ply + 1, colour - BLACK] += put(t.cells[ply + 1], cell, colour, t.captures)


@kernel
def _may_matter(t, ply, cell, colour, stones):
    """Return whether a stone could be a threat of `colour` that was none before.

    A stone that neither captures nor prepares to (``cell``, two enemy stones, empty) changes nothing but the
    fives that hold it. That five stands within the board, and what is missing in it are the stones still to
    come: the last one, and for a three the one before it. So at least three of its other four stones, for a
    three two, stand already. (An enemy stone in it may be captured first.)
    """
    cells = t.cells[ply]
    for step in DIRECTIONS:
        for begin in range(1 - FIVE, 1):
            own, inside = 0, True
            for i in range(begin, begin + FIVE):
                at = cell + i * step
                inside = inside and 0 <= at < CELLS and cells[at] != WALL
                if inside and cells[at] == colour:
                    own += 1
            if inside and own >= stones:
                return True
    if t.captures:
        enemy = opponent(colour)
        for step in EIGHT:
            if cells[cell + step] == enemy and cells[cell + 2 * step] == enemy:
                third = cells[cell + 3 * step]
                if third in (colour, EMPTY):
                    return True
    return False


@kernel
def _has_three(t, ply):
    """Return whether the attacker could play a stone that wins at once in two or more ways."""
    colour = t.attacker
    for cell in range(STRIDE, CELLS - STRIDE):
        if (
            t.cells[ply, cell] == EMPTY
            and _may_matter(t, ply, cell, colour, FIVE - 2)
            and _legal(t, ply, cell, colour)
        ):
            _play(t, ply, cell, colour)
            if _ways_to_win(t, ply + 1, colour) >= 2:
                return True
    return False


@kernel
def _attack(t, ply, plies, threes):
    """Return whether the attacker, who is to move, wins position `ply` within so many plies (odd).

    Parameters
    ----------
    t : SEARCH record
    ply, plies : int64
    threes : int64
        How many threats other than fours it may play.

    Returns
    -------
    int64
        `WON`, `NOT_YET` or `NEVER`; it means nothing once more `nodes` were looked at than the `limit`.
    """
    t.nodes += 1
    if t.nodes > t.limit:
        return NOT_YET
    attacker = t.attacker
    if _ways_to_win(t, ply, attacker):
        return WON
    if plies < 3 or ply + 4 >= DEEPEST:
        return NOT_YET
    key = _key(t, ply, threes)
    slot = np.int64(key & np.uint64(SLOTS - 1))
    if t.keys[slot] == key:
        if 0 < t.won[slot] <= plies:
            return WON
        if t.lost[slot] >= plies:
            return NEVER if t.lost[slot] == FINAL else NOT_YET
    if threes == 0:
        stones = FIVE - 2
    elif (t.renju and attacker == BLACK) or _has_three(t, ply):
        stones = 0  # any stone may make a point legal, or leave a three that stands
    else:
        stones = FIVE - 3
    verdict = NEVER
    for i in range(STRIDE - 1, CELLS - STRIDE):
        cell = t.first[ply] if i == STRIDE - 1 else i
        if (
            t.cells[ply, cell] == EMPTY
            and (stones == 0 or _may_matter(t, ply, cell, attacker, stones))
            and _legal(t, ply, cell, attacker)
        ):
            found = _after(t, ply, cell, plies, threes)
            verdict = max(verdict, found)
            if found == WON:
                t.first[ply] = cell
                break
    if t.nodes <= t.limit:
        if t.keys[slot] != key:
            t.keys[slot], t.won[slot], t.lost[slot] = key, 0, 0
        if verdict == WON:
            t.won[slot] = plies
        else:
            t.lost[slot] = FINAL if verdict == NEVER else plies
    return verdict


@kernel
def _after(t, ply, cell, plies, threes):
    """Return what `_attack` does for one stone of the attacker, on a legal `cell` that does not win at once.

    `NEVER` too when it threatens nothing, or the defender can win at once.
    """
    attacker = t.attacker
    defender = opponent(attacker)
    _play(t, ply, cell, attacker)
    four = _ways_to_win(t, ply + 1, attacker) > 0
    if not four and (threes == 0 or not _has_three(t, ply + 1)):
        return NEVER
    if _ways_to_win(t, ply + 1, defender):
        return NEVER
    if not four and plies < FIVE:  # a three, the reply, a four, the reply, the five
        return NOT_YET
    left = threes if four else threes - 1
    replies = False
    for reply in range(STRIDE, CELLS - STRIDE):
        if t.cells[ply + 1, reply] != EMPTY:
            continue
        # A reply to a four that takes no stone changes nothing in a five, or in pairs to be taken, but on its
        # own point: where that is none on which the attacker wins, the attacker wins at once.
        if (
            four
            and not _wins_on(t, ply + 1, reply, attacker)
            and not (t.captures and captured(t.cells[ply + 1], reply, defender))
        ):
            continue
        if not _legal(t, ply + 1, reply, defender):
            continue
        replies = True
        _play(t, ply + 1, reply, defender)
        found = _attack(t, ply + 2, plies - 2, left)
        if found != WON:
            return found
    # A full board, or one with nothing but forbidden points, is a draw.
    return WON if replies or _can_move(t, ply + 1, defender) else NEVER


class Verdict(NamedTuple):
    """What a search found."""

    plies: int | None  # of the shortest win, the winning stone included; None for none
    final: bool  # whether there is no win in more plies either
    tried: int  # positions with the attacker to move that were looked at


class Force:
    """Brute force on the positions of one game spec. One question may take `limit` positions."""

    def __init__(self, spec: str, limit: int = 10**15) -> None:
        rules = Rules.parse(spec)
        t: Any = np.zeros(1, SEARCH)[0]
        t.exact[:], t.renju, t.captures = rules.exact, rules.renju, rules.captures
        t.capture_win, t.limit = rules.capture_win, limit
        self.spec, self._t = spec, t

    def _set_up(self, board: Board) -> None:
        if board.winner():
            raise ValueError(f"expected a game that goes on, got {board.text()!r}")
        t = self._t
        t.cells[0], t.pairs[0], t.attacker, t.nodes = board.cells, board.pairs, board.turn, 0
        t.first[:] = 0
        t.question = _GENERATOR.integers(1, 2**63, dtype=np.uint64)

    def _finished(self, board: Board, found: int) -> int:
        if self._t.nodes > self._t.limit:
            raise Unfinished(f"{board.text()}: more than {self._t.limit} positions")
        return found

    def shortest_win(self, board: Board, most: int = LONGEST, threes: int = 0) -> Verdict:
        """Return in how many plies, at most so many, the side to move wins by fours and so many threes.

        `Unfinished` is raised when that takes more positions than the limit, or a win may lie deeper than
        brute force goes.
        """
        self._set_up(board)
        for plies in range(1, min(most, DEEPEST - 4) + 1, 2):
            found = self._finished(board, int(_attack(self._t, 0, plies, threes)))
            if found != NOT_YET:
                return Verdict(plies if found == WON else None, found == NEVER, int(self._t.nodes))
        if most > DEEPEST - 4:
            raise Unfinished(f"{board.text()}: deeper than {most} plies")
        return Verdict(None, False, int(self._t.nodes))

    def fours(self, board: Board, cells: Sequence[int] | None = None) -> list[int]:
        """Return the legal cells, or those among `cells`, where a stone threatens to win but does not yet."""
        t, found = self._t, []
        self._set_up(board)
        for cell in board.legal() if cells is None else cells:
            if not _wins_on(t, 0, cell, board.turn):
                _play(t, 0, cell, board.turn)
                if _ways_to_win(t, 1, board.turn):
                    found.append(cell)
        return found

    def confirm_line(self, board: Board, turns: Sequence[str], threes: int = 0) -> bool:
        """Return whether a line of play wins for the side to move, and each of its turns forces that win.

        All turns are legal and the last one wins. After each turn of the attacker, the defender has no reply,
        within the line or beside it, after which the attacker would not win by fours and threes within the
        plies that the line still takes. A three that the line plays counts against `threes`.

        `Unfinished` is raised when that takes more positions than the limit.
        """
        for ply, turn in enumerate(turns):
            cell = point(turn)
            if board.winner() or cell not in board.legal():
                return False
            left = len(turns) - ply
            if ply % 2 == 0 and left > 1:
                self._set_up(board)
                within = (int(_after(self._t, 0, cell, plies, threes)) for plies in range(3, left + 1, 2))
                if not any(self._finished(board, found) == WON for found in within):
                    return False
                threes -= cell not in self.fours(board, [cell])
            board = board.played(cell)
        return len(turns) % 2 == 1 and board.winner() == opponent(board.turn)
