"""The Gomoku board in plain text and as a drawing."""

from typing import Any

import numpy as np

from tengen.engine.board import goban
from tengen.engine.board.grids import vertex
from tengen.engine.board.picture import Picture
from tengen.engine.game import Outcome
from tengen.engine.gomoku.lines.renju import is_forbidden
from tengen.engine.gomoku.rules import outcome, stones
from tengen.engine.gomoku.state import coordinates, is_empty, point

STAR_LINES = ((15, 4), (9, 3), (0, 0))  # by minimal board size: the line of the stars, from 1; 0 for no stars
LARGE = 15  # larger boards have nine stars
ENDS = {Outcome.FIRST_WINS: "Black has won", Outcome.SECOND_WINS: "White has won", Outcome.DRAW: "Draw"}


def caption(s: Any) -> str:
    """Return the side to move, or the result."""
    return ENDS.get(Outcome(int(outcome(s))), f"{('Black', 'White')[s.side_to_move]} to move")


def note(s: Any) -> str:
    """Return the captured pairs, or the points that are forbidden for Black."""
    if s.capturing:
        goal = f" of {s.pairs_to_win}" if s.pairs_to_win else ""
        return f"pairs taken: Black {s.pairs[0]}{goal}, White {s.pairs[1]}{goal}"
    points = " ".join(vertex(x, y) for x, y in _forbidden(s))
    return f"forbidden for Black: {points}" if points else ""


def board(s: Any) -> str:
    """Return the board in plain text: rows from the top, ``X`` black, ``O`` white, no column I."""
    return "\n".join([*goban.diagram(stones(s), int(s.width)), caption(s), *filter(None, [note(s)])])


def draw(s: Any) -> Picture:
    """Return the board as a drawing; crosses mark the points that are forbidden for Black."""
    size = int(s.width)
    game = "Gobang" if s.capturing else "Gomoku"
    title = "; ".join(filter(None, [f"{game}, {size} by {size}: {caption(s)}", note(s)]))
    marks = [stroke for x, y in _forbidden(s) for stroke in goban.cross(x, y, size)]
    return goban.draw(title, stones(s), size, star_points(size), caption(s), note(s), marks)


def _forbidden(s: Any) -> list[tuple[int, int]]:
    """Return the points that are forbidden for Black in Renju, while the game goes on."""
    if not s.renju or outcome(s) != Outcome.ONGOING:
        return []
    empty = [point(x, y) for y in range(s.width) for x in range(s.width)]
    return [coordinates(p) for p in empty if is_empty(s, p) and is_forbidden(s, np.int64(p))]


def star_points(size: int) -> set[tuple[int, int]]:
    """Return the points that are marked with a dot."""
    last = size - 1
    line = next(line for least, line in STAR_LINES if size >= least)
    if not line or size % 2 == 0:
        return set()
    middle = last // 2
    marked = {line - 1, last - line + 1} | ({middle} if size > LARGE else set())
    return {(x, y) for x in marked for y in marked} | {(middle, middle)}
