"""Texts of tic-tac-toe: rows from the top and the side to move; turns as GTP vertices."""

from collections.abc import Mapping, Sequence
from typing import Any

from tengen.engine.board.goban import SIDES, Stones, format_rows, parse_rows, parse_side, parse_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from tengen.engine.game import Outcome
from tengen_tictactoe.rules import POINTS, SIZE, check, outcome, recompute_key, start


def stones(s: Any) -> Stones:
    """Return the stones by column and row."""
    return {(p % SIZE, p // SIZE): int(s.points[p]) for p in range(POINTS) if s.points[p]}


def format_position(s: Any) -> str:
    """Return the canonical text of a state."""
    return f"{format_rows(stones(s), SIZE)} {SIDES[s.side_to_move]}"


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes; NotationError or PositionError when it describes none."""
    words = text.split()
    if len(words) != 2:
        raise NotationError(f"position: expected rows and side, got {quoted(text)}")
    placed, faults = parse_rows(words[0], SIZE)
    side, more = parse_side(words[1])
    if faults + more:
        raise NotationError("position: " + "; ".join(faults + more))
    s = start(options)
    for (x, y), colour in placed.items():
        s.points[x + SIZE * y] = colour
    s.side_to_move = side
    s.key = recompute_key(s)
    if impossible := status(s):
        raise PositionError(impossible)
    return s


def status(s: Any) -> list[str]:
    """Return every reason why no game can come to the state `s`."""
    colours = [*stones(s).values()]
    uneven = colours.count(1) - colours.count(2) != s.side_to_move
    return check(s) + (["the numbers of stones do not fit the side to move"] if uneven else [])


def format_turn(s: Any, actions: Sequence[int]) -> str:
    """Return the vertex of the turn made of `actions` (one)."""
    return vertex(int(actions[0]) % SIZE, int(actions[0]) // SIZE)


def parse_turn(s: Any, text: str) -> tuple[int, ...]:
    """Return the actions of the turn `text`; NotationError or IllegalTurnError when there is none."""
    x, y = parse_vertex(text, SIZE)
    if outcome(s) != Outcome.ONGOING:
        raise IllegalTurnError(text, "the game is over")
    if s.points[x + SIZE * y]:
        raise IllegalTurnError(text, f"{vertex(x, y)} is occupied")
    return (x + SIZE * y,)


def result(s: Any) -> str:
    """Return the result as GTP writes it."""
    return {Outcome.FIRST_WINS: "B+1", Outcome.SECOND_WINS: "W+1"}.get(Outcome(int(outcome(s))), "0")
