"""Motifs of five in a row: fives, fours that cannot be stopped, double threats, captured pairs.

They are found by playing stones, not by the patterns of the evaluation.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tengen.engine.board.grids import vertex
from tengen.engine.game import Outcome
from tengen.engine.gomoku.rules import MAX_ACTIONS, do_move, five_sides, generate, set_side_to_move, stones
from tengen.engine.gomoku.state import REACH, WHITE, coordinates, has_stone, point
from tengen.engine.play.motifs import Motif, counted, listed, most_important

FIVE, CAPTURE_WIN, UNSTOPPABLE, DOUBLE_THREAT, DOUBLE_THREE = 9, 8, 7, 6, 5  # worth of motifs
ENDS = 5  # steps between the points that complete an open four
STONES_OF_THREE = 3
LINES = ((1, 0), (0, 1), (1, 1), (1, -1))


def motifs(s: Any, actions: Sequence[int]) -> list[Motif]:
    """Return what the turn made of `actions` does in state `s`."""
    p, side = int(actions[0]), int(s.side_to_move)
    after = _with_stone(s, p, side)
    found = _captures(s, after, side)
    if _has_won(after, side):
        if side in five_sides(after):
            found.append(Motif("five", "makes five in a row", FIVE, (_name(p),)))
        return most_important(found)
    if not after.result and not _winning_points(after, 1 - side):
        found += _threats(after, p, side)
        if ended := tuple(map(_name, _winning_points(s, 1 - side))):
            words = f"stops the threat to win at {listed(ended)}"
            found.append(Motif("stop", words, len(ended), ended, defends=True))
    return most_important(found)


def _captures(s: Any, after: Any, side: int) -> list[Motif]:
    """Return the motif of the pairs that have been captured between two states."""
    pairs = int(after.pairs[side]) - int(s.pairs[side])
    if not pairs:
        return []
    taken = tuple(sorted(vertex(*place) for place in stones(s).keys() - stones(after).keys()))
    words = f"captures {counted(pairs, 'pair')}: {listed(taken)}"
    if s.pairs_to_win and after.pairs[side] >= s.pairs_to_win:
        words += f", {counted(int(after.pairs[side]), 'pair')} in all"
        return [Motif("capture-win", words, CAPTURE_WIN, taken)]
    return [Motif("capture", words, pairs, taken)]


def _threats(after: Any, p: int, side: int) -> list[Motif]:
    """Return the motif of the threats to win that a stone on `p` has made; the other side has none."""
    wins = _winning_points(after, side)
    if not wins:
        threes = [step for step in LINES if _is_three(after, p, step, side)]
        words = "makes two open threes at once"
        return [Motif("double-three", words, DOUBLE_THREE, (_name(p),), sure=False)] if threes[1:] else []
    places = tuple(map(_name, wins))
    stops = list(_stops(after, wins, side))
    if not stops:
        return [Motif(*_unstoppable(after, p, wins), UNSTOPPABLE, places)]
    if all(_follows(stopped, p, side) for stopped in stops):
        return [Motif("double-threat", "makes a four and an open three at once", DOUBLE_THREAT, (_name(p),))]
    return []


def _unstoppable(after: Any, p: int, wins: Sequence[int]) -> tuple[str, str]:
    """Return the kind of threats that nothing stops, and what they are in words."""
    named = " and ".join(map(_name, wins))
    if len(wins) == 1:
        if after.renju and after.side_to_move != WHITE:
            return "forbidden-point", f"makes a four that only {named} stops, which is forbidden for Black"
        return "threat", f"threatens to win at {named}, and nothing stops that"
    if any(_is_open_four(wins, p, step) for step in LINES):
        return "open-four", f"makes an open four: five follows at {' or '.join(map(_name, wins))}"
    return "double-four", f"threatens to win at {named} at once"


def _follows(stopped: Any, p: int, side: int) -> bool:
    """Return whether `side` has a stone, on a line with `p`, whose threats nothing stops."""
    if stopped.result or _winning_points(stopped, 1 - side):
        return False
    legal = set(_legal(stopped, side))
    for q in {place for step in LINES for place in _line(stopped, p, step)} & legal:
        further = _with_stone(stopped, q, side)
        wins = _winning_points(further, side)
        if wins and not any(_stops(further, wins, side)):
            return True
    return False


def _is_three(after: Any, p: int, step: tuple[int, int], side: int) -> bool:
    """Return whether another stone of `side` on the line through `p` would make an open four there."""
    if sum(has_stone(after, side, q) for q in _line(after, p, step)) < STONES_OF_THREE:  # with `p` itself
        return False
    legal = set(_legal(after, side))
    for q in _line(after, p, step):
        if q in legal:
            wins = _winning_points(_with_stone(after, q, side), side)
            if _is_open_four(wins, p, step) and _is_open_four(wins, q, step):
                return True
    return False


def _is_open_four(wins: Sequence[int], p: int, step: tuple[int, int]) -> bool:
    """Return whether two of the points `wins` are the ends of a line with `p` between them."""
    x, y = coordinates(p)
    ends = {(x + k * step[0], y + k * step[1]): k for k in range(-ENDS, ENDS + 1)}
    places = sorted(ends[place] for place in map(coordinates, wins) if place in ends)
    return any(a < 0 < b and b - a == ENDS for a in places for b in places)


def _stops(after: Any, wins: Sequence[int], side: int) -> Iterator[Any]:
    """Yield the positions after the answers to a threat to win at `wins` that keep `side` from winning."""
    legal = _legal(after, 1 - side)
    for q in legal if after.capturing else [q for q in wins if q in legal]:
        answered = after.copy()
        do_move(answered, q)
        if answered.result or not _winning_points(answered, side):
            yield answered


def _winning_points(s: Any, side: int) -> list[int]:
    """Return the points on which `side` wins with a single stone; they are next to stones."""
    ready = s.copy()
    set_side_to_move(ready, side)
    occupied = stones(s)  # only points within a step of a stone can win
    around = {(x + u, y + v) for x, y in occupied for u in (-1, 0, 1) for v in (-1, 0, 1)} - occupied.keys()
    near = [point(x, y) for x, y in sorted(around) if 0 <= x < s.width and 0 <= y < s.width]
    return [p for p in near if _has_won(_with_stone(ready, p, side), side)]


def _legal(s: Any, side: int) -> list[int]:
    """Return the points on which `side` may put a stone."""
    ready, found = s.copy(), np.zeros(MAX_ACTIONS, np.int32)
    set_side_to_move(ready, side)
    points: list[int] = found[: generate(ready, found)].tolist()
    return points


def _line(s: Any, p: int, step: tuple[int, int]) -> Iterator[int]:
    """Yield the points on a line with `p` that a row through it can reach, from end to end."""
    x, y = coordinates(p)
    for k in range(1 - REACH, REACH):
        u, v = x + k * step[0], y + k * step[1]
        if 0 <= u < s.width and 0 <= v < s.width:
            yield point(u, v)


def _with_stone(s: Any, p: int, side: int) -> Any:
    """Return the state after a stone of `side` on `p`."""
    after = s.copy()
    set_side_to_move(after, side)
    do_move(after, p)
    return after


def _has_won(s: Any, side: int) -> bool:
    return bool(s.result == (Outcome.FIRST_WINS, Outcome.SECOND_WINS)[side])


def _name(p: int) -> str:
    return vertex(*coordinates(p))
