"""Texts of Gomoku and Gobang: positions as rows from the top, side and pairs; turns as GTP vertices."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tengen.engine.board.goban import SIDES, format_rows, parse_rows, parse_side, parse_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from tengen.engine.game import Outcome
from tengen.engine.gomoku.lines.board import KIND_BITS, kinds_of
from tengen.engine.gomoku.lines.patterns import DOUBLE_FOUR, FOUR, OPEN_FOUR, OVERLINE
from tengen.engine.gomoku.lines.renju import is_forbidden, may_play
from tengen.engine.gomoku.rules import check, five_sides, outcome, set_up, stones
from tengen.engine.gomoku.state import BLACK, WHITE, coordinates, is_empty, point

MAX_PAIRS_IN_TEXT = 999  # the greatest number in a position text


def format_position(s: Any) -> str:
    """Return the canonical text of a state."""
    text = f"{format_rows(stones(s), int(s.width))} {SIDES[s.side_to_move]}"
    return f"{text} {s.pairs[BLACK]} {s.pairs[WHITE]}" if s.capturing else text


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes, on the board and under the rules of `options`.

    Raise NotationError when it is malformed or for another board size, PositionError with all faults when no
    game can reach it.
    """
    words = text.split()
    capturing = "capture-win" in options
    if len(words) != (4 if capturing else 2):
        pairs = ", then the pairs taken by Black and by White" if capturing else ""
        form = f"rows of . X O between slashes, then b or w{pairs}"
        raise NotationError(f"position: expected {form}, got {quoted(text)}")
    placed, faults_of_rows = parse_rows(words[0], int(options["size"]))
    side, faults_of_side = parse_side(words[1])
    malformed = faults_of_rows + faults_of_side
    malformed += [
        f"expected a number of pairs to {MAX_PAIRS_IN_TEXT}, got {quoted(word)}"
        for word in words[2:]
        if not re.fullmatch(r"0|[1-9][0-9]{0,2}", word)
    ]
    if malformed:
        raise NotationError("position: " + "; ".join(malformed))
    black, white = (int(word) for word in words[2:] or ("0", "0"))
    s = set_up(options, placed, side, (black, white))
    if faults := _faults(s):
        raise PositionError(faults, s)
    return s


def status(s: Any) -> list[str]:
    """Return all reasons in words why no game can reach the state `s`; empty if none is known.

    The numbers of stones may differ by any amount, and a side that has made five may be to move, as GTP
    allows set-up play.
    """
    return check(s) + _faults(s)


def _faults(s: Any) -> list[str]:
    """Return why no game can reach the stones and pairs of `s`."""
    faults = []
    if five_sides(s) == {BLACK, WHITE}:
        faults.append("both sides have made five")
    if s.pairs_to_win and min(s.pairs) >= s.pairs_to_win:
        faults.append(f"both sides have taken {s.pairs_to_win} pairs")
    return faults


def format_turn(s: Any, actions: Sequence[int]) -> str:
    """Return the vertex of the turn made of `actions` (one)."""
    return vertex(*coordinates(int(actions[0])))


def parse_action(s: Any, text: str) -> int:
    """Return the action of the turn `text` on the board of state `s`, legal or not.

    Raise NotationError when it is not a vertex of the board.
    """
    return int(point(*parse_vertex(text, int(s.width))))


def parse_turn(s: Any, text: str) -> tuple[int, ...]:
    """Return the actions of the turn `text` in state `s`.

    Raise NotationError when it is not a vertex of the board, IllegalTurnError with the rule that refuses it.
    """
    p = np.int64(parse_action(s, text))
    x, y = coordinates(int(p))
    if outcome(s) != Outcome.ONGOING:
        raise IllegalTurnError(text, "the game is over", "M-2")
    if not is_empty(s, p):
        raise IllegalTurnError(text, f"{vertex(x, y)} is occupied", "M-1")
    if s.renju and s.side_to_move == BLACK and is_forbidden(s, p):
        raise IllegalTurnError(text, f"{vertex(x, y)} is forbidden for Black: {_fault(s, p)}", "R-7")
    if s.pro and not may_play(s, p):
        where = "in the middle" if s.stones == 0 else "outside of the middle five by five points"
        raise IllegalTurnError(text, f"this stone is put {where}", "M-4")
    return (int(p),)


def _fault(s: Any, p: Any) -> str:
    """Return what a stone of Black's on the forbidden point `p` would make."""
    kinds = int(kinds_of(s, BLACK, p))
    lines = [kinds >> 4 * d & KIND_BITS for d in range(4)]
    if OVERLINE in lines:
        return "overline"
    fours = sum(line in (FOUR, OPEN_FOUR, DOUBLE_FOUR) for line in lines)
    return "double four" if fours > 1 or DOUBLE_FOUR in lines else "double three"


def result(s: Any) -> str:
    """Return the result in GTP notation: ``B+1`` or ``W+1`` for a win, ``0`` for a draw."""
    return {Outcome.FIRST_WINS: "B+1", Outcome.SECOND_WINS: "W+1"}.get(Outcome(int(outcome(s))), "0")
