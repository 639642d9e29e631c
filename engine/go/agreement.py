"""Final scores with dead stones removed, as the players would agree.

A position always gets the same score: playouts have a fixed seed, and searches a number of nodes.
"""

import functools
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.board.goban import SIDES, format_rows
from tengen.engine.game import Outcome
from tengen.engine.go import board
from tengen.engine.go.life.status import Chain, Judge, Status, find_chains
from tengen.engine.go.passing import wins_by_passing
from tengen.engine.go.playouts.playout import PLAYOUT, estimate_ownership, reset_playout
from tengen.engine.go.scoring import score_board
from tengen.engine.go.state import (
    BLACK,
    HUNDREDTHS,
    POINTS,
    STATE,
    TROMP_TAYLOR,
    WHITE,
    coordinates,
    liberties_of,
    name_of,
    stone_points,
)
from tengen.engine.jit import StopFlag

LIFE_AND_DEATH_PLAYOUTS = 150
PLAYOUT_SLICE = 10  # playouts between two looks at whether to stop; even, as the sides begin in turn
FINAL_BUDGET = 1_000_000  # nodes of local searches for the score of a position
PASSING_BUDGET = 30_000  # ... before a pass in a game, where it must be quick and may be unsure
CACHED_POSITIONS = 64


@dataclass(frozen=True)
class AgreedScore:
    """The score of a position."""

    margin: int  # Black's points less White's, komi included, hundredths
    dead: frozenset[int]  # points of dead stones
    owner: dict[int, int]  # by point: 1 if it counts for Black, -1 for White
    seki: frozenset[int]  # points in seki; only with territory scoring
    unsure: frozenset[int]  # points of stones that count as alive or dead without being certain to be so

    @property
    def outcome(self) -> Outcome:
        """The winner."""
        if self.margin == 0:
            return Outcome.DRAW
        return Outcome.FIRST_WINS if self.margin > 0 else Outcome.SECOND_WINS


def agreed_score(state: Any) -> AgreedScore:
    """Return the score of the present board, whether the game is over or not [O-5]."""
    b = state.board
    dead, unsure = np.zeros((2, POINTS), np.bool_)
    if state.rules != TROMP_TAYLOR:
        marks = _final_marks(b.stones.tobytes(), int(b.width))
        dead[:], unsure[:] = (np.frombuffer(mark, np.uint8) != 0 for mark in marks)
    return _score(state, dead, unsure)


def counted(state: Any, vertices: Collection[str]) -> AgreedScore:
    """Return the score of the present board if the players agree that the stones on `vertices` are dead."""
    dead = np.zeros(POINTS, np.bool_)
    dead[[p for p in stone_points(state.board) if name_of(p) in vertices]] = True
    return _score(state, dead, np.zeros(POINTS, np.bool_))


def _score(state: Any, dead: NDArray[np.bool_], unsure: NDArray[np.bool_]) -> AgreedScore:
    """Return the score with these dead stones, by point."""
    b, rules = state.board, np.int8(state.rules)
    owner = np.zeros(POINTS, np.int8)
    seki = np.zeros(POINTS, np.bool_)
    points = int(score_board(b, rules, dead, owner, seki))
    return AgreedScore(
        HUNDREDTHS * points - int(state.komi),
        frozenset(np.flatnonzero(dead).tolist()),
        {int(p): int(owner[p]) for p in np.flatnonzero(owner)},
        frozenset(np.flatnonzero(seki).tolist()),
        frozenset(np.flatnonzero(unsure).tolist()),
    )


def find_dead(state: Any, playouts: Sequence[Any], stop: StopFlag) -> None:
    """Find the dead stones of `state` for `playouts`, records of PLAYOUT, unless they are judged already.

    Playouts judge them. What is not clear is looked into when a pass comes into question. Once `stop` is set,
    stones are unsure unless they are proven to be alive, so that no pass relies on them.
    """
    playout, *others = playouts
    if playout.judged:
        return
    b = _fresh_board(state.board.stones.tobytes(), int(state.board.width))
    chains = played_out(b, stop)
    _mark(playout.dead, playout.unsure, chains, stop)
    if state.passes or wins_by_passing(state, playout):
        Judge(b, chains, PASSING_BUDGET, stop).run()
        _mark(playout.dead, playout.unsure, chains, stop)
    playout.judged = not stop
    for other in others:
        other.dead, other.unsure, other.judged = playout.dead, playout.unsure, playout.judged


@functools.lru_cache(CACHED_POSITIONS)
def _final_marks(stones: bytes, width: int) -> tuple[bytes, bytes]:
    """Return the colours of dead and of unsure stones by point at the end of a game, 0 elsewhere."""
    b, stop = _fresh_board(stones, width), StopFlag()
    chains = played_out(b, stop)
    Judge(b, chains, FINAL_BUDGET, stop).run()
    marks = np.zeros((2, POINTS), np.uint8)
    _mark(marks[0], marks[1], chains, stop)
    return marks[0].tobytes(), marks[1].tobytes()


def _fresh_board(stones: bytes, width: int) -> Any:
    """Return a BOARD record with `stones`: playouts depend on the order of its list of empty points."""
    b = np.zeros(1, STATE)[0].board
    board.clear(b, width)
    for p, colour in enumerate(stones):
        if colour in (BLACK, WHITE):
            board.put(b, np.uint64(p), np.uint64(colour))
    return b


def played_out(b: Any, stop: StopFlag) -> list[Chain]:
    """Return the chains of a BOARD record with their owners in playouts, fewer of them once `stop` is set."""
    states, playout, done = np.zeros(2, STATE), np.zeros(1, PLAYOUT)[0], 0
    states[0].board = b
    reset_playout(playout)
    playout.sacrifices = 1
    while done < LIFE_AND_DEATH_PLAYOUTS and not stop:
        estimate_ownership(states[0], playout, states[1], np.int64(PLAYOUT_SLICE))
        done += PLAYOUT_SLICE
    return find_chains(b, playout.owner / max(1, done))


def _mark(dead: Any, unsure: Any, chains: list[Chain], stop: StopFlag) -> None:
    """Write the colours of dead and of unsure stones; once stopped, only proven life is sure."""
    stopped = bool(stop)
    for chain in chains:
        doubtful = chain.unsure or (stopped and chain.status != Status.ALIVE)
        dead[chain.stones] = chain.colour * chain.dead
        unsure[chain.stones] = chain.colour * doubtful


def chains_by_status(state: Any, status: str) -> list[list[str]]:
    """Return the vertices of the chains with a status (``alive``, ``seki``, ``dead``), from the bottom."""
    score = agreed_score(state)
    found: dict[int, list[str]] = {}
    for p in stone_points(state.board):
        own = "dead" if p in score.dead else "seki" if p in score.seki else "alive"
        if own == status:
            found.setdefault(int(state.board.chain[p]), []).append(name_of(p))
    return list(found.values())


@dataclass(frozen=True)
class Dispute:
    """A position to play on from, by Tromp-Taylor rules, if one side calls its dead stones alive."""

    text: str  # without the dead stones of the side to move
    komi: float  # with it the side to move wins by capturing most of the disputed stones
    liberties: frozenset[str]  # vertices of the liberties of the disputed stones


def dispute(state: Any) -> Dispute | None:
    """Return the position to play on from if the opponent calls its dead stones alive; None without any."""
    b, dead = state.board, sorted(agreed_score(state).dead)
    own = [p for p in dead if b.stones[p] == state.side_to_move + 1]
    if len(own) == len(dead):
        return None
    gone, owner, seki = np.zeros((2, POINTS), np.bool_), np.zeros(POINTS, np.int8), np.zeros(POINTS, np.bool_)
    gone[0, own] = gone[1, dead] = True
    points = sum(int(score_board(b, np.int8(TROMP_TAYLOR), each, owner, seki)) for each in gone)
    stones = {coordinates(p): int(b.stones[p]) for p in stone_points(b) if not gone[0, p]}
    return Dispute(
        f"{format_rows(stones, int(b.width))} {SIDES[state.side_to_move]} - 0 0 0",
        points / 2,
        frozenset(map(name_of, liberties_of(b, {*dead} - {*own}))),
    )
