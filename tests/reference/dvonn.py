"""DVONN, literally: stacks on named spaces, and a flood fill after every move."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Self

from tests.reference.words import one_of

PIECES_EACH = 23
DVONN_PIECES = 3
# Columns of rows 1 to 5.
ROWS = ("abcdefghi", "abcdefghij", "abcdefghijk", "bcdefghijk", "cdefghijk")
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))

Side = Literal["w", "b"]
Phase = Literal["p", "m"]
SIDES: tuple[Side, Side] = ("w", "b")

_STACK = re.compile(r"(?P<top>[WB])(?P<height>[1-9][0-9]?)(?P<star>\*(?P<reds>[23])?)?")


class Space(NamedTuple):
    """A place of the board, whether or not the board has it: column 1 is `a`, row 1 is White's edge."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """Text of the space, for example ``c3``."""
        return f"{chr(ord('a') + self.column - 1)}{self.row}"

    def step(self, direction: tuple[int, int], distance: int = 1) -> "Space":
        """Return the place `distance` steps away, which may be off the board."""
        return Space(self.column + direction[0] * distance, self.row + direction[1] * distance)


BOARD = tuple(
    tuple(Space(ord(column) - ord("a") + 1, row) for column in columns)
    for row, columns in enumerate(ROWS, start=1)
)
SPACES = tuple(space for row in BOARD for space in row)
# The six places around a space, also those off the board.
NEIGHBOURS = {space: [space.step(direction) for direction in DIRECTIONS] for space in SPACES}


class Stack(NamedTuple):
    """One or more pieces on a space."""

    owner: Side | None  # side whose colour is on top; None for a DVONN piece alone, which nobody controls
    height: int  # number of pieces, red and enemy ones included
    reds: int  # number of DVONN pieces in it

    def onto(self, other: "Stack") -> "Stack":
        """Return the stack that results when this one is put on `other`."""
        return Stack(self.owner, self.height + other.height, self.reds + other.reds)


LONE_DVONN = Stack(None, 1, 1)


@dataclass(frozen=True)
class Dvonn:
    """A position of DVONN, never changed once made."""

    stacks: Mapping[Space, Stack]  # the occupied spaces
    side: Side  # who is to move, ``w`` (first) or ``b`` (second)
    phase: Phase  # ``p`` while pieces are placed, ``m`` while stacks are moved

    @classmethod
    def start(cls) -> Self:
        """Return the empty board, White to place."""
        return cls({}, "w", "p")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a canonical position text.

        `ValueError` is raised if the text is malformed, or shows what no game can: wrong numbers of pieces, a
        side that is not to place, stacks without contact to a DVONN piece.
        """
        fields = text.split(" ")
        if len(fields) != 3:
            raise ValueError(f"expected board, side and phase, got {len(fields)} fields in {text!r}")
        board, side_text, phase_text = fields
        position = cls(
            _parse_board(board), one_of("side", side_text, *SIDES), one_of("phase", phase_text, "p", "m")
        )
        fault = position._placing_fault() if position.phase == "p" else position._moving_fault()
        if fault:
            raise ValueError(f"{fault} in {text!r}")
        return position

    def format(self) -> str:
        """Return the canonical position text."""
        rows = (",".join(_format_stack(self.stacks.get(space)) for space in row) for row in BOARD)
        return f"{'/'.join(rows)} {self.side} {self.phase}"

    @property
    def turn(self) -> int:
        """Side to move: 0 White, who is first, 1 Black."""
        return 0 if self.side == "w" else 1

    def turns(self) -> list[str]:
        """Return all legal turns: placements, or moves, or only ``pass``; none when the game is over."""
        return list(self._turns)

    @cached_property
    def _turns(self) -> Mapping[str, tuple[Space, Space] | None]:
        """All legal turns, a move with origin and target; every question about a position asks for them."""
        if self.phase == "p":
            return {space.name: None for space in SPACES if space not in self.stacks}
        if moves := self._moves(self.side):
            return moves
        return {"pass": None} if self._moves(_other(self.side)) else {}  # [D-7]

    def play(self, turn: str) -> Self:
        """Return the position after `turn`; raise `ValueError` if it is not one of `turns()`."""
        if turn not in self._turns:
            raise ValueError(f"{turn!r} is not a legal turn in {self.format()!r}")
        if self.phase == "p":
            return self._place(turn)
        ends = self._turns[turn]
        if ends is None:
            return type(self)(self.stacks, _other(self.side), "m")
        origin, target = ends
        stacks = dict(self.stacks)
        stacks[target] = stacks.pop(origin).onto(stacks[target])
        return type(self)(_in_contact(stacks), _other(self.side), "m")

    def outcome(self) -> Literal["first", "second", "draw"] | None:
        """Return who won, ``"draw"``, or None while anybody can play."""
        if self._turns:
            return None
        white, black = self.score()  # [D-8]
        if white == black:
            return "draw"
        return "first" if white > black else "second"

    def score(self) -> tuple[int, int]:
        """Return the pieces in the stacks that White and that Black control."""
        white, black = (
            sum(stack.height for stack in self.stacks.values() if stack.owner == side) for side in SIDES
        )  # [D-8]
        return white, black

    def _place(self, turn: str) -> Self:
        """Return the position after a placement on the space named `turn`."""
        space = next(space for space in SPACES if space.name == turn)
        piece = LONE_DVONN if len(self.stacks) < DVONN_PIECES else Stack(self.side, 1, 0)  # [D-1]
        stacks = {**self.stacks, space: piece}
        if len(stacks) == len(SPACES):
            return type(self)(stacks, "w", "m")  # [D-2]
        return type(self)(stacks, _other(self.side), "p")

    def _moves(self, side: Side) -> dict[str, tuple[Space, Space]]:
        """Return origin and target of every move that `side` could make now, keyed by its text."""
        moves = {}
        for origin in SPACES:
            stack = self.stacks.get(origin)
            if stack is None or stack.owner != side:  # [D-3], and [D-5]: nobody owns a lone DVONN piece
                continue
            if all(neighbour in self.stacks for neighbour in NEIGHBOURS[origin]):  # [D-4]
                continue
            for direction in DIRECTIONS:
                target = origin.step(direction, stack.height)
                if target in self.stacks:  # [D-3]
                    moves[origin.name + target.name] = (origin, target)
        return moves

    def _placing_fault(self) -> str | None:
        """Say what no placing phase can show, or return None."""
        placed = len(self.stacks)
        if placed == len(SPACES):
            return "expected an empty space in the placing phase, got a full board"
        side = "w" if placed % 2 == 0 else "b"  # [D-1]: they alternate from White's first piece on
        if self.side != side:
            return f"expected side {side!r} after {placed} placements, got {self.side!r}"
        coloured = max(placed - DVONN_PIECES, 0)
        expected = {
            LONE_DVONN: min(placed, DVONN_PIECES),
            Stack("b", 1, 0): coloured - coloured // 2,
            Stack("w", 1, 0): coloured // 2,
        }
        for piece, count in expected.items():
            got = sum(stack == piece for stack in self.stacks.values())
            if got != count:
                return f"expected {count} of {_format_stack(piece)} after {placed} placements, got {got}"
        return None

    def _moving_fault(self) -> str | None:
        """Say what no moving phase can show, or return None."""
        reds = sum(stack.reds for stack in self.stacks.values())
        if reds != DVONN_PIECES:  # [D-9]
            return f"expected {DVONN_PIECES} DVONN pieces, got {reds}"
        pieces = sum(stack.height for stack in self.stacks.values())
        if pieces > len(SPACES):
            return f"expected at most {len(SPACES)} pieces, got {pieces}"
        for side in SIDES:
            tops = sum(stack.owner == side for stack in self.stacks.values())
            if tops > PIECES_EACH:
                return f"expected at most {PIECES_EACH} stacks of {side!r}, got {tops}"
        cut_off = self.stacks.keys() - _in_contact(self.stacks).keys()
        if cut_off:  # [D-6]
            return f"expected contact to a DVONN piece, got none at {_names(cut_off)}"
        return None


def _other(side: Side) -> Side:
    """Return the opponent."""
    return "b" if side == "w" else "w"


def _names(spaces: Iterable[Space]) -> str:
    """Return the sorted names of the spaces."""
    return ", ".join(sorted(space.name for space in spaces))


def _in_contact(stacks: Mapping[Space, Stack]) -> dict[Space, Stack]:
    """Return the stacks that a chain of neighbours joins to a DVONN piece; the others leave [D-6]."""
    reached = {space for space, stack in stacks.items() if stack.reds}  # [D-9]: in contact with itself
    frontier = list(reached)
    while frontier:
        for neighbour in NEIGHBOURS[frontier.pop()]:
            if neighbour in stacks and neighbour not in reached:
                reached.add(neighbour)
                frontier.append(neighbour)
    return {space: stack for space, stack in stacks.items() if space in reached}


def _parse_board(text: str) -> dict[Space, Stack]:
    """Read the five rows of a position text."""
    rows = text.split("/")
    if len(rows) != len(BOARD):
        raise ValueError(f"expected {len(BOARD)} rows, got {len(rows)} in {text!r}")
    stacks = {}
    for number, (row, spaces) in enumerate(zip(rows, BOARD, strict=True), start=1):
        cells = row.split(",")
        if len(cells) != len(spaces):
            raise ValueError(f"expected {len(spaces)} spaces in row {number}, got {len(cells)} in {row!r}")
        for space, cell in zip(spaces, cells, strict=True):
            if cell != "-":
                stacks[space] = _parse_stack(cell, space)
    return stacks


def _parse_stack(text: str, space: Space) -> Stack:
    """Read one occupied space."""
    if text == "D":
        return LONE_DVONN
    match = _STACK.fullmatch(text)
    if match is None:
        raise ValueError(f"expected '-', 'D' or a stack such as 'W1' or 'B3*' at {space.name}, got {text!r}")
    height = int(match["height"])
    reds = int(match["reds"] or 1) if match["star"] else 0
    if reds >= height:
        raise ValueError(f"expected fewer than {height} DVONN pieces at {space.name}, got {text!r}")
    return Stack("w" if match["top"] == "W" else "b", height, reds)


def _format_stack(stack: Stack | None) -> str:
    """Return the text of one space."""
    if stack is None:
        return "-"
    if stack.owner is None:
        return "D"
    star = {0: "", 1: "*"}.get(stack.reds, f"*{stack.reds}")
    return f"{stack.owner.upper()}{stack.height}{star}"
