"""Simulations of Go: playouts with a dynamic komi, and scores of finished games without dead stones."""

from typing import Any

import numpy as np

from tengen.engine.go.agreement import find_dead as find_dead
from tengen.engine.go.evaluate import EVALUATION
from tengen.engine.go.knowledge.net import ask_net as ask_net
from tengen.engine.go.knowledge.net import net_knows as net_knows
from tengen.engine.go.knowledge.net import net_margin as net_margin
from tengen.engine.go.knowledge.net import net_policy as net_policy
from tengen.engine.go.knowledge.priors import set_priors as set_priors
from tengen.engine.go.passing import final_score as final_score
from tengen.engine.go.passing import prepare as prepare
from tengen.engine.go.passing import score_is_certain as score_is_certain
from tengen.engine.go.passing import wins_by_passing as wins_by_passing
from tengen.engine.go.playouts.playout import PLAYOUT as PLAYOUT
from tengen.engine.go.playouts.playout import play_out
from tengen.engine.go.rules import is_repetition as is_repetition
from tengen.engine.go.state import BLACK, HUNDREDTHS, POINTS, STRIDE, TERRITORY, WHITE, point
from tengen.engine.go.state import PASS as PASS
from tengen.engine.jit import kernel

LEAF_NETS = tuple(EVALUATION.parameters(weights).net for weights in EVALUATION.all_shipped())

RAVE_EQUIVALENT = 3000.0
EXPLORATION = 0.0  # RAVE explores enough
EXPANSION_VISITS = 4
WIDENING_BASE = 8.0
WIDENING_PER_DOUBLING = 1.5

DYNAMIC_KOMI_MIN_SIZE = 13  # board size from which on the komi is dynamic
KOMI_RAISE_VALUE, KOMI_LOWER_VALUE = 0.85, 0.6  # above which value it is raised, below which lowered again
KOMI_STEP = HUNDREDTHS
MARGIN_SHARE = 0.04  # share of the margin in the value


@kernel
def simulate(s, o):
    """Play `s` out, in place; return its value for Black, 0 to 1, and Black's margin, hundredths (float64).

    Territory is scored as area minus the surplus of stones placed so far, so that filling in decided regions
    during the playout costs both sides the same.
    """
    b, more = s.board, np.int64(0)
    if s.rules == TERRITORY:
        more += np.int64(b.prisoners[1]) - np.int64(b.prisoners[0])
        for p in range(STRIDE, POINTS - STRIDE):
            more += np.int64(b.stones[p] == BLACK) - np.int64(b.stones[p] == WHITE)
    last, before = np.uint64(s.last_actions[0]), np.uint64(s.last_actions[1])
    points = play_out(o, b, np.uint64(s.side_to_move) + np.uint64(1), last, before)
    margin = HUNDREDTHS * (points - more) - s.komi
    shifted = margin + o.dynamic_komi
    won = 1.0 if shifted > 0 else 0.5 if shifted == 0 else 0.0
    most = np.float64(HUNDREDTHS * np.int64(b.width) * np.int64(b.width))
    share = 0.5 + 0.5 * max(-1.0, min(1.0, shifted / most))
    return won + MARGIN_SHARE * (share - won), np.float64(margin)


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
