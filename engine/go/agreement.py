"""The end of a game as the players would agree on it: dead stones by playouts, and the count without them.

Fixed random numbers: the same position is always judged the same.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.engine.board.goban import SIDES, format_rows
from tengen.engine.board.grids import vertex
from tengen.engine.game import Outcome
from tengen.engine.go import board
from tengen.engine.go.dead import find_dead, is_near_end, reset_playout
from tengen.engine.go.playout import PLAYOUT
from tengen.engine.go.scoring import find_seki, score_board
from tengen.engine.go.state import (
    BLACK,
    EMPTY,
    HUNDREDTHS,
    NEIGHBOURS,
    POINTS,
    STATE,
    TERRITORY,
    TROMP_TAYLOR,
    WHITE,
    coordinates,
    stone_points,
)

LIFE_AND_DEATH_PLAYOUTS = 150
CACHED_SCORES = 64  # judgements


@dataclass(frozen=True)
class AgreedScore:
    """How a position counts.

    Attributes
    ----------
    margin : int
        Black's points less White's, komi included, hundredths.
    dead : frozenset of int
        Points of dead stones.
    owner : dict of int to int
        By point: 1 where it counts for Black, -1 for White.
    seki : frozenset of int
        Points in seki, where that counts: by territory.
    """

    margin: int
    dead: frozenset[int]
    owner: dict[int, int]
    seki: frozenset[int]

    @property
    def outcome(self) -> Outcome:
        """Who has won."""
        if self.margin == 0:
            return Outcome.DRAW
        return Outcome.FIRST_WINS if self.margin > 0 else Outcome.SECOND_WINS


def agreed_score(state: Any) -> AgreedScore:
    """Return how the board of `state` counts as it stands, whether the game is over or not [O-5]."""
    b, rules = state.board, np.int8(state.rules)
    dead = np.zeros(POINTS, np.bool_)
    if rules != TROMP_TAYLOR:
        dead[:] = np.frombuffer(_dead_stones(b.stones.tobytes(), int(b.width)), np.uint8) != 0
    owner = np.zeros(POINTS, np.int8)
    points = int(score_board(b, rules, dead, owner))
    seki = np.zeros(POINTS, np.bool_)
    if rules == TERRITORY:
        find_seki(b, dead, seki)
    return AgreedScore(
        HUNDREDTHS * points - int(state.komi),
        frozenset(np.flatnonzero(dead).tolist()),
        {int(p): int(owner[p]) for p in np.flatnonzero(owner)},
        frozenset(np.flatnonzero(seki).tolist()),
    )


def prepare(state: Any, playout: Any) -> None:
    """Get `playout` ready for a search from `state`, with the dead stones if the game may be near its end."""
    reset_playout(playout)
    b = state.board
    if state.rules != TROMP_TAYLOR and is_near_end(state):
        playout.dead[:] = np.frombuffer(_dead_stones(b.stones.tobytes(), int(b.width)), np.uint8)


@functools.lru_cache(CACHED_SCORES)
def _dead_stones(stones: bytes, width: int) -> bytes:
    """Return the colours of dead stones by point, 0 elsewhere."""
    state = np.zeros(2, STATE)
    b = state[0].board  # made anew: playouts depend on the order in which points are listed
    board.clear(b, width)
    for p, colour in enumerate(stones):
        if colour in (BLACK, WHITE):
            board.put(b, np.uint64(p), np.uint64(colour))
    playout = np.zeros(1, PLAYOUT)[0]
    reset_playout(playout)
    find_dead(state[0], playout, state[1], np.int64(LIFE_AND_DEATH_PLAYOUTS))
    return bytes(playout.dead.tobytes())


def chains_by_status(state: Any, status: str) -> list[list[str]]:
    """Return the chains that are ``alive``, in ``seki`` or ``dead``: lists of vertices, from the bottom."""
    score = agreed_score(state)
    found: dict[int, list[str]] = {}
    for p in stone_points(state.board):
        own = "dead" if p in score.dead else "seki" if p in score.seki else "alive"
        if own == status:
            found.setdefault(int(state.board.chain[p]), []).append(vertex(*coordinates(p)))
    return list(found.values())


@dataclass(frozen=True)
class Dispute:
    """A position whose dead stones one side calls alive: all are, by the rules of Tromp and Taylor.

    Attributes
    ----------
    text : str
        The position less the dead stones of the side to move.
    komi : float
        Such that the side to move wins by taking most of what is at stake.
    liberties : frozenset of str
        Vertices of the liberties of what is at stake.
    """

    text: str
    komi: float
    liberties: frozenset[str]


def dispute(state: Any) -> Dispute | None:
    """Return what the side to move faces when the other one calls its dead stones alive; None without any."""
    b, dead = state.board, sorted(agreed_score(state).dead)
    own = [p for p in dead if b.stones[p] == state.side_to_move + 1]
    if len(own) == len(dead):
        return None
    gone, owner = np.zeros((2, POINTS), np.bool_), np.zeros(POINTS, np.int8)
    gone[0, own] = gone[1, dead] = True
    points = sum(int(score_board(b, np.int8(TROMP_TAYLOR), each, owner)) for each in gone)
    stones = {coordinates(p): int(b.stones[p]) for p in stone_points(b) if not gone[0, p]}
    around = {p + int(step) for p in dead if p not in own for step in NEIGHBOURS.view(np.int64)}
    return Dispute(
        f"{format_rows(stones, int(b.width))} {SIDES[state.side_to_move]} - 0 0 0",
        points / 2,
        frozenset(vertex(*coordinates(p)) for p in around if b.stones[p] == EMPTY),
    )
