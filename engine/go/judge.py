"""The end of a game as the players would agree on it: dead stones found by playouts, and the count without them.

Fixed random numbers: the same position is always judged the same.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.game import Outcome
from engine.go.simulation import PLAYOUT, find_dead, prepare_playouts
from engine.go import board
from engine.go.state import BLACK, HUNDREDTHS, POINTS, STATE, TROMP_TAYLOR, WHITE
from engine.go.tally import tally

PLAYOUTS = 500
REMEMBERED = 64  # judgements


@dataclass(frozen=True)
class Judgement:
    """How a position counts.

    Attributes
    ----------
    margin : int
        Black's points less White's, komi included, hundredths.
    dead : frozenset of int
        Points of dead stones.
    owner : dict of int to int
        By point: 1 where it counts for Black, -1 for White.
    """

    margin: int
    dead: frozenset[int]
    owner: dict[int, int]

    @property
    def outcome(self) -> Outcome:
        """Who has won."""
        if self.margin == 0:
            return Outcome.DRAW
        return Outcome.FIRST_WINS if self.margin > 0 else Outcome.SECOND_WINS


def judge(state: Any) -> Judgement:
    """Return how the board of `state` counts as it stands, whether the game is over or not [O-5]."""
    b = state.board
    return _judged(
        b.stones.tobytes(), tuple(b.prisoners.tolist()), int(b.width), int(state.rules), int(state.komi)
    )


@functools.lru_cache(REMEMBERED)
def _judged(stones: bytes, prisoners: tuple[int, int], width: int, rules: int, komi: int) -> Judgement:
    state = np.zeros(2, STATE)
    b = state[0].board  # made anew: playouts depend on the order in which points are listed
    board.clear(b, width)
    for point, colour in enumerate(stones):
        if colour in (BLACK, WHITE):
            board.put(b, np.uint64(point), np.uint64(colour))
    b.prisoners[:] = prisoners
    playout = np.zeros(1, PLAYOUT)[0]
    prepare_playouts(playout)
    if rules != TROMP_TAYLOR:
        find_dead(state[0], playout, state[1], np.int64(PLAYOUTS))
    dead = playout["dead"] != 0
    owner = np.zeros(POINTS, np.int8)
    points = int(tally(b, np.int8(rules), dead, owner))
    return Judgement(
        HUNDREDTHS * points - komi,
        frozenset(np.flatnonzero(dead).tolist()),
        {int(p): int(owner[p]) for p in np.flatnonzero(owner)},
    )
