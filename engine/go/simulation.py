"""Simulations of Go: playouts with a dynamic komi, and scores of finished games without dead stones."""

from __future__ import annotations

from typing import Any

import numpy as np

from tengen.engine.go.agreement import prepare as prepare
from tengen.engine.go.playouts.dead import is_near_end, mark_chain
from tengen.engine.go.playouts.playout import PLAYOUT as PLAYOUT
from tengen.engine.go.playouts.playout import play_out
from tengen.engine.go.playouts.priors import set_priors as set_priors
from tengen.engine.go.rules import is_repetition as is_repetition
from tengen.engine.go.scoring import score_board
from tengen.engine.go.state import BLACK, HUNDREDTHS, POINTS, STRIDE, TERRITORY, TROMP_TAYLOR, WHITE, point
from tengen.engine.go.state import PASS as PASS
from tengen.engine.jit import kernel

RAVE_EQUIVALENT = 3000.0
EXPLORATION = 0.0  # RAVE explores enough
EXPANSION_VISITS = 4
WIDENING_BASE = 400.0
WIDENING_PER_DOUBLING = 0.0

DYNAMIC_KOMI_MIN_SIZE = 13  # board size from which on the komi is dynamic
KOMI_RAISE_VALUE, KOMI_LOWER_VALUE = (
    0.85,
    0.6,
)  # values above which it is raised, below which it is lowered again
KOMI_STEP = HUNDREDTHS
MARGIN_SHARE = 0.04  # share of the margin in the value
BLACK_WINS, WHITE_WINS, DRAWN = 1, 2, 3  # Outcomes


@kernel
def stone_surplus(b):
    """Return the difference of stones placed (int64, Black minus White), captured ones included."""
    more = np.int64(b.prisoners[1]) - np.int64(b.prisoners[0])
    for p in range(STRIDE, POINTS - STRIDE):
        more += np.int64(b.stones[p] == BLACK) - np.int64(b.stones[p] == WHITE)
    return more


@kernel
def simulate(s, o):
    """Play `s` out, in place; return its value for Black, 0 to 1, and Black's margin, hundredths (float64).

    Territory is scored as area minus the surplus of stones placed so far, so that filling in decided regions
    during the playout costs both sides the same.
    """
    more = stone_surplus(s.board) if s.rules == TERRITORY else np.int64(0)
    points = play_out(
        o,
        s.board,
        np.uint64(s.side_to_move) + np.uint64(1),
        np.uint64(s.last_actions[0]),
        np.uint64(s.last_actions[1]),
    )
    margin = HUNDREDTHS * (points - more) - s.komi
    shifted = margin + o.dynamic_komi
    won = 1.0 if shifted > 0 else 0.5 if shifted == 0 else 0.0
    most = np.float64(HUNDREDTHS * np.int64(s.board.width) * np.int64(s.board.width))
    share = 0.5 + 0.5 * max(-1.0, min(1.0, shifted / most))
    return won + MARGIN_SHARE * (share - won), np.float64(margin)


@kernel
def agreed_margin(s, o, agreed, dead):
    """Return Black's margin (int64, hundredths), `agreed` on the dead stones or with all alive.

    A chain is dead if one of its stones was dead at the root. `dead` (bool, POINTS) is scratch.
    """
    b = s.board
    dead[:] = False
    if agreed:
        for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
            if o.dead[p] != 0 and o.dead[p] == b.stones[p] and not dead[p]:
                mark_chain(b, p, dead, True)
    owner = np.zeros(POINTS, np.int8)
    return HUNDREDTHS * score_board(b, s.rules, dead, owner) - s.komi


@kernel
def wins_by_passing(s, o):
    """Return whether the side to move wins if both sides pass, whichever stones are called dead.

    With area scoring playing on costs nothing, so it must also win with all stones alive.
    """
    if not is_near_end(s):
        return False
    dead = np.zeros(POINTS, np.bool_)
    sign = 1 if s.side_to_move == 0 else -1
    if s.rules != TERRITORY and sign * agreed_margin(s, o, False, dead) <= 0:
        return False
    return sign * agreed_margin(s, o, True, dead) > 0


@kernel
def final_score(s, o):
    """Return the result of a finished game in which the stones that were dead at the root are removed.

    Returns
    -------
    tuple of (int64, int64)
        The Outcome, and Black's margin in hundredths. With area scoring, the side that passed last loses if
        the score with all stones alive differs in its outcome.
    """
    if s.rules == TROMP_TAYLOR:
        return np.int64(s.result), np.int64(s.margin)
    margin = np.int64(agreed_margin(s, o, True, np.zeros(POINTS, np.bool_)))
    outcome = np.int64(DRAWN if margin == 0 else BLACK_WINS if margin > 0 else WHITE_WINS)
    if s.rules != TERRITORY and s.result != outcome:
        outcome = np.int64(WHITE_WINS if s.side_to_move else BLACK_WINS)  # the other side passed
    return outcome, margin


@kernel
def score_is_certain(s, root):
    """Return whether the score of a finished game is certain, whichever stones are called dead."""
    return s.rules == TROMP_TAYLOR or s.board.key == root.board.key


@kernel
def update_dynamic_komi(s, o, value):
    """Update the dynamic komi: shift the win threshold of playouts so that the game stays undecided.

    It applies to large boards until half of the board is filled. It shrinks as the game opens up again.

    Parameters
    ----------
    s : STATE record
        The root.
    o : PLAYOUT record
        Its `dynamic_komi` changes by at most one step.
    value : float64
        Mean value for Black of the latest simulations, with the dynamic komi.

    Source: Baudis, Balancing MCTS by dynamically adjusting the komi value (2011), value-based.
    """
    width = np.int64(s.board.width)
    step = np.int64(0)
    if width < DYNAMIC_KOMI_MIN_SIZE or 2 * np.int64(s.board.num_empty) < width * width:
        step = -np.int64(o.dynamic_komi)
    elif value > KOMI_RAISE_VALUE:
        step = -KOMI_STEP
    elif value < 1.0 - KOMI_RAISE_VALUE:
        step = KOMI_STEP
    elif o.dynamic_komi < 0 and value < KOMI_LOWER_VALUE:
        step = min(KOMI_STEP, -np.int64(o.dynamic_komi))
    elif o.dynamic_komi > 0 and value > 1.0 - KOMI_LOWER_VALUE:
        step = -min(KOMI_STEP, np.int64(o.dynamic_komi))
    o.dynamic_komi += step


def points(s: Any) -> list[int]:
    """Return the points of the board, from the top row down."""
    size = int(s.board.width)
    return [point(x, y) for y in reversed(range(size)) for x in range(size)]
