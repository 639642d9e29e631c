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
from engine.go.state import HUNDREDTHS, POINTS, STATE, TROMP_TAYLOR
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
    return _judged(state.board.tobytes(), int(state.rules), int(state.komi))


@functools.lru_cache(REMEMBERED)
def _judged(board: bytes, rules: int, komi: int) -> Judgement:
    state = np.zeros(2, STATE)
    state["board"][0] = np.frombuffer(board, STATE["board"])[0]
    playout = np.zeros(1, PLAYOUT)[0]
    prepare_playouts(playout)
    if rules != TROMP_TAYLOR:
        find_dead(state[0], playout, state[1], np.int64(PLAYOUTS))
    dead = playout["dead"] != 0
    owner = np.zeros(POINTS, np.int8)
    points = int(tally(state[0].board, np.int8(rules), dead, owner))
    return Judgement(
        HUNDREDTHS * points - komi,
        frozenset(np.flatnonzero(dead).tolist()),
        {int(p): int(owner[p]) for p in np.flatnonzero(owner)},
    )
