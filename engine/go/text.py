"""Texts of Go: positions as in docs/go.md, turns as GTP vertices or ``pass``."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from tengen.engine.board.goban import PASS as PASS_TEXT
from tengen.engine.board.goban import SIDES, find_vertex, format_rows, parse_rows, parse_side, parse_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from tengen.engine.game import Outcome
from tengen.engine.go import board
from tengen.engine.go.agreement import agreed_score, counted
from tengen.engine.go.rules import check, is_legal, outcome, set_up, stones_of
from tengen.engine.go.state import EMPTY, HUNDREDTHS, NOWHERE, PASS, name_of, point, stone_points

NO_KO = "-"
NAMES = ("Black", "White")
_PRISONERS = re.compile(r"0|[1-9][0-9]{0,5}")


def format_position(s: Any) -> str:
    """Return the canonical text of a state."""
    b = s.board
    ko = name_of(int(b.ko)) if b.ko != NOWHERE else NO_KO
    rows = format_rows(stones_of(s), int(b.width))
    return f"{rows} {SIDES[s.side_to_move]} {ko} {b.prisoners[0]} {b.prisoners[1]} {s.passes}"


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes, on the board and under the rules of `options`.

    Raise NotationError when it is malformed or for another board size, PositionError with all faults when no
    game can reach it.
    """
    words = text.split()
    if len(words) != 6:
        form = "rows of . X O between slashes, b or w, ko point or -, prisoners of Black, of White, passes"
        raise NotationError(f"position: expected {form}, got {quoted(text)}")
    rows, side, ko, black, white, passes = words
    size = int(options["size"])
    stones, malformed = parse_rows(rows, size)
    side_to_move, faults = parse_side(side)
    malformed += faults
    banned = find_vertex(ko, size)
    if banned is None and ko != NO_KO:
        last = vertex(size - 1, size - 1)
        malformed.append(f"expected a ko point from A1 to {last} or {NO_KO}, got {quoted(ko)}")
    for name, number in zip(NAMES, (black, white), strict=True):
        if not _PRISONERS.fullmatch(number):
            malformed.append(f"expected the number of prisoners of {name}, 0 to 999999, got {quoted(number)}")
    if passes not in ("0", "1", "2"):
        malformed.append(f"expected 0, 1 or 2 passes, got {quoted(passes)}")
    if malformed:
        raise NotationError("position: " + "; ".join(malformed))
    forbidden = point(*banned) if banned else NOWHERE
    s = set_up(options, stones, side_to_move, forbidden, (int(black), int(white)), int(passes))
    if faults := status(s):
        raise PositionError(faults, s)
    return s


def status(s: Any) -> list[str]:
    """Return all reasons in words why no game can reach the state `s`; empty if none is known.

    The numbers of stones may differ by any amount: GTP allows set-up play.
    """
    heads: dict[int, int] = {}  # of chains, and the first point of each from the bottom
    for p in stone_points(s.board):
        heads.setdefault(int(s.board.chain[p]), p)
    dead = [p for head, p in heads.items() if not s.board.liberties[head]]
    captured = [f"the chain of {name_of(p)} has no liberty" for p in dead]
    ko = [] if s.board.ko == NOWHERE else _ko_faults(s)
    return check(s) + captured + ko


def _ko_faults(s: Any) -> list[str]:
    """Return why the ko point is impossible, as a list of at most one sentence [O-4]."""
    p, b = int(s.board.ko), s.board
    if s.passes:
        return [f"{name_of(p)} is no ko point after a pass"]
    if b.stones[p] != EMPTY:
        return [f"the ko point {name_of(p)} is occupied"]
    if board.takes_ko(b, np.uint64(p), np.uint64(s.side_to_move + 1)) == NOWHERE:
        taking = f"{NAMES[s.side_to_move]} could not retake a single stone by a single stone there"
        return [f"{name_of(p)} is no ko point: {taking}"]
    return []


def format_turn(s: Any, actions: Sequence[int]) -> str:
    """Return the vertex of the turn made of `actions` (one), or ``pass``."""
    return name_of(int(actions[0])) if actions[0] != PASS else PASS_TEXT


def parse_action(s: Any, text: str) -> int:
    """Return the action of the turn `text` on the board of state `s`, legal or not.

    Raise NotationError when it is neither a vertex of the board nor ``pass``.
    """
    if text.lower() == PASS_TEXT:
        return int(PASS)
    return int(point(*parse_vertex(text, int(s.board.width), f" or {PASS_TEXT}")))


def parse_turn(s: Any, text: str) -> tuple[int, ...]:
    """Return the actions of the turn `text` in state `s`.

    Raise NotationError when it is neither a vertex of the board nor ``pass``, IllegalTurnError with the rule
    that refuses it.
    """
    p = parse_action(s, text)
    if outcome(s) != Outcome.ONGOING:
        raise IllegalTurnError(text, "the game is over", "O-5")
    if p != PASS and (refusal := _refusal(s, p)):
        raise IllegalTurnError(text, *refusal)
    return (p,)


def _refusal(s: Any, p: int) -> tuple[str, str] | None:
    """Return why `p` is illegal for the side to move, and the number of the rule; None if it is legal."""
    b = s.board
    if b.stones[p] != EMPTY:
        return f"{name_of(p)} is occupied", "O-1"
    if b.ko == p:
        return f"{name_of(p)} may not be retaken at once", "O-4"
    if not board.is_legal(b, np.uint64(p), np.uint64(s.side_to_move + 1)):
        return f"a stone on {name_of(p)} has no liberty", "O-3"
    if not is_legal(s, np.uint64(p)):
        return f"{name_of(p)} recreates an earlier board", "O-4"
    return None


def points_text(hundredths: int) -> str:
    """Return a number of points, given in hundredths, without trailing zeros."""
    return f"{hundredths / HUNDREDTHS:.2f}".rstrip("0").rstrip(".")


def result(s: Any) -> str:
    """Return the result in GTP notation: ``B+3.5``, ``W+0.25``, ``0`` for a draw."""
    return _margin_text(agreed_score(s).margin)


def counted_result(s: Any, dead: Collection[str]) -> str:
    """Return the result as `result` does if the players agree that the stones on these vertices are dead."""
    return _margin_text(counted(s, dead).margin)


def _margin_text(margin: int) -> str:
    """Return Black's margin, in hundredths, in GTP notation."""
    return f"{'B' if margin > 0 else 'W'}+{points_text(abs(margin))}" if margin else "0"
