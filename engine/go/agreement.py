"""Final scores with dead stones removed, as the players would agree.

A position always gets the same score: playouts have a fixed seed, and searches a number of nodes.
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
from tengen.engine.go.life.status import Judge, find_chains
from tengen.engine.go.passing import wins_by_passing
from tengen.engine.go.playouts.ownership import estimate_ownership, is_near_end, reset_playout
from tengen.engine.go.playouts.playout import PLAYOUT
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
FINAL_BUDGET = 1_000_000  # nodes of local searches for the score of a position
PASSING_BUDGET = 30_000  # ... before a pass in a game, where it must be quick and may be unsure
CACHED_POSITIONS = 64


@dataclass(frozen=True)
class AgreedScore:
    """The score of a position.

    Attributes
    ----------
    margin : int
        Black's points less White's, komi included, hundredths.
    dead : frozenset of int
        Points of dead stones.
    owner : dict of int to int
        By point: 1 if it counts for Black, -1 for White.
    seki : frozenset of int
        Points in seki; only with territory scoring.
    unsure : frozenset of int
        Points of stones that count as alive or dead without being certain to be so.
    """

    margin: int
    dead: frozenset[int]
    owner: dict[int, int]
    seki: frozenset[int]
    unsure: frozenset[int]

    @property
    def outcome(self) -> Outcome:
        """The winner."""
        if self.margin == 0:
            return Outcome.DRAW
        return Outcome.FIRST_WINS if self.margin > 0 else Outcome.SECOND_WINS


def agreed_score(state: Any) -> AgreedScore:
    """Return the score of the present board, whether the game is over or not [O-5]."""
    b, rules = state.board, np.int8(state.rules)
    dead, unsure = np.zeros((2, POINTS), np.bool_)
    if rules != TROMP_TAYLOR:
        marks = _life_and_death(b.stones.tobytes(), int(b.width), FINAL_BUDGET)
        dead[:], unsure[:] = (np.frombuffer(mark, np.uint8) != 0 for mark in marks)
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
        frozenset(np.flatnonzero(unsure).tolist()),
    )


def prepare(state: Any, playout: Any) -> None:
    """Prepare `playout` for a search from `state`; find the dead stones if the game is near its end.

    Playouts judge them. What is not clear is looked into when a pass comes into question.
    """
    reset_playout(playout)
    if state.rules == TROMP_TAYLOR or not is_near_end(state):
        return
    for budget in (0, PASSING_BUDGET):
        dead, unsure = _life_and_death(state.board.stones.tobytes(), int(state.board.width), budget)
        playout.dead[:], playout.unsure[:] = np.frombuffer(dead, np.uint8), np.frombuffer(unsure, np.uint8)
        if not state.passes and not wins_by_passing(state, playout):
            break


@functools.lru_cache(CACHED_POSITIONS)
def _life_and_death(stones: bytes, width: int, budget: int) -> tuple[bytes, bytes]:
    """Return the colours of dead and of unsure stones by point, 0 elsewhere.

    `budget` is the number of nodes of local searches; without any, playouts alone decide.
    """
    state = np.zeros(2, STATE)
    b = state[0].board  # a fresh board, as playouts depend on the order of the list of empty points
    board.clear(b, width)
    for p, colour in enumerate(stones):
        if colour in (BLACK, WHITE):
            board.put(b, np.uint64(p), np.uint64(colour))
    playout = np.zeros(1, PLAYOUT)[0]
    reset_playout(playout)
    playout.sacrifices = 1
    estimate_ownership(state[0], playout, state[1], np.int64(LIFE_AND_DEATH_PLAYOUTS))
    chains = find_chains(b, playout.owner / LIFE_AND_DEATH_PLAYOUTS)
    if budget:
        Judge(b, chains, budget).run()
    marks = np.zeros((2, POINTS), np.uint8)
    for chain in chains:
        marks[0, chain.stones] = chain.colour * chain.dead
        marks[1, chain.stones] = chain.colour * chain.unsure
    return marks[0].tobytes(), marks[1].tobytes()


def chains_by_status(state: Any, status: str) -> list[list[str]]:
    """Return the vertices of the chains with a status (``alive``, ``seki``, ``dead``), from the bottom."""
    score = agreed_score(state)
    found: dict[int, list[str]] = {}
    for p in stone_points(state.board):
        own = "dead" if p in score.dead else "seki" if p in score.seki else "alive"
        if own == status:
            found.setdefault(int(state.board.chain[p]), []).append(vertex(*coordinates(p)))
    return list(found.values())


@dataclass(frozen=True)
class Dispute:
    """A position to play on from, by Tromp-Taylor rules, if one side calls its dead stones alive.

    Attributes
    ----------
    text : str
        The position without the dead stones of the side to move.
    komi : float
        With it the side to move wins by capturing most of the disputed stones.
    liberties : frozenset of str
        Vertices of the liberties of the disputed stones.
    """

    text: str
    komi: float
    liberties: frozenset[str]


def dispute(state: Any) -> Dispute | None:
    """Return the position to play on from if the opponent calls its dead stones alive; None without any."""
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
