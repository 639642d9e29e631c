"""Texts of three men's morris: rows from the top and the side to move; turns as ``B2`` or ``A1-B2``."""

from collections.abc import Mapping, Sequence
from typing import Any

from tengen.engine.board.goban import (
    BLACK,
    SIDES,
    WHITE,
    Stones,
    find_vertex,
    format_rows,
    parse_rows,
    parse_side,
)
from tengen.engine.board.grids import vertex
from tengen.engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from tengen.engine.game import Outcome
from tengen_morris.rules import ADJACENT, MEN, POINTS, SIZE, SLIDE, check, outcome, recompute_key, start


def men(s: Any) -> Stones:
    """Return the men, BLACK or WHITE, by column and row."""
    return {(p % SIZE, p // SIZE): int(s.points[p]) for p in range(POINTS) if s.points[p]}


def format_position(s: Any) -> str:
    """Return the canonical text of a state."""
    return f"{format_rows(men(s), SIZE)} {SIDES[s.side_to_move]}"


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes.

    Raises
    ------
    NotationError, PositionError
        When the text is not of this form, or no game can come to it; lists all faults.
    """
    words = text.split()
    if len(words) != 2:
        raise NotationError(f"position: expected rows of . X O, then b or w, got {quoted(text)}")
    placed, faults = parse_rows(words[0], SIZE)
    side, more = parse_side(words[1])
    if faults + more:
        raise NotationError("position: " + "; ".join(faults + more))
    s = start(options)
    for (x, y), colour in placed.items():
        s.points[x + SIZE * y] = colour
    s.men, s.side_to_move = len(placed), side
    s.key = recompute_key(s)
    if impossible := status(s):
        raise PositionError(impossible)
    return s


def status(s: Any) -> list[str]:
    """Return every reason why no game can come to the state `s`; empty when none is known."""
    colours = [*men(s).values()]
    black, white = colours.count(BLACK), colours.count(WHITE)
    faults = check(s)
    if max(black, white) > MEN // 2:
        faults.append(f"expected at most three men of a side [MM-2], got {black} black and {white} white")
    elif len(colours) < MEN and black - white != s.side_to_move:
        expected = (
            "one black man more than white ones" if s.side_to_move else "as many black men as white ones"
        )
        faults.append(f"expected {expected} with {SIDES[s.side_to_move]} to move, got {black} and {white}")
    if outcome(s) == Outcome.FIRST_WINS + s.side_to_move:
        faults.append("the side to move has won before [MM-3]")
    return faults


def format_turn(s: Any, actions: Sequence[int]) -> str:
    """Return the text of the turn made of `actions` (one)."""
    action = int(actions[0])
    points = [action] if action < SLIDE else divmod(action - SLIDE, POINTS)
    return "-".join(vertex(p % SIZE, p // SIZE) for p in points)


def parse_turn(s: Any, text: str) -> tuple[int, ...]:
    """Return the actions of the turn `text` in state `s`.

    Raises
    ------
    NotationError, IllegalTurnError
        When the text is no turn, or the rules refuse it.
    """
    places = [find_vertex(name, SIZE) for name in text.split("-")]
    points = [place[0] + SIZE * place[1] for place in places if place]
    if len(points) != len(places) or len(points) > 2:
        raise NotationError(f"turn: expected points from A1 to C3, such as B2 or A1-B2, got {quoted(text)}")
    *begin, end = points
    if outcome(s) != Outcome.ONGOING:
        raise IllegalTurnError(text, "the game is over")
    if begin and s.men < MEN:
        raise IllegalTurnError(text, "men slide once all are placed", "MM-2")
    if not begin and s.men == MEN:
        raise IllegalTurnError(text, "all men are placed; they slide, such as A1-B2", "MM-3")
    if s.points[end]:
        raise IllegalTurnError(text, f"{vertex(end % SIZE, end // SIZE)} is occupied")
    if not begin:
        return (end,)
    if s.points[begin[0]] != s.side_to_move + 1:
        raise IllegalTurnError(text, "there is no man of the side to move", "MM-3")
    if not ADJACENT[begin[0], end]:
        raise IllegalTurnError(text, "the points are not next to each other on a line", "MM-3")
    return (SLIDE + POINTS * begin[0] + end,)


def result(s: Any) -> str:
    """Return the result as GTP writes it."""
    return {Outcome.FIRST_WINS: "B+1", Outcome.SECOND_WINS: "W+1"}.get(Outcome(int(outcome(s))), "0")
