"""How Monte-Carlo tree search judges Go: by playouts, by agreement at the end, with a dynamic komi."""

from __future__ import annotations

import numpy as np

from tengen.engine.go.agreement import prepare as prepare
from tengen.engine.go.dead import is_near_end, mark_chain
from tengen.engine.go.playout import PLAYOUT as PLAYOUT
from tengen.engine.go.playout import play_out
from tengen.engine.go.priors import set_priors as set_priors  # what follows is offered to the search besides
from tengen.engine.go.rules import is_repetition as is_repetition
from tengen.engine.go.rules import points as points
from tengen.engine.go.scoring import score_board
from tengen.engine.go.state import BLACK, HUNDREDTHS, POINTS, STRIDE, TERRITORY, TROMP_TAYLOR, WHITE
from tengen.engine.go.state import PASS as PASS
from tengen.engine.jit import kernel

RAVE_EQUIVALENT = 3000.0
EXPLORATION = 0.0  # RAVE explores enough
EXPANSION_VISITS = 4
WIDENING_BASE = 400.0
WIDENING_PER_DOUBLING = 0.0

DYNAMIC_KOMI_MIN_SIZE = 13  # points on a side from which on the komi is dynamic
KOMI_RAISE_VALUE, KOMI_LOWER_VALUE = 0.85, 0.6  # values beyond which it is raised, within which it is lowered
KOMI_STEP = HUNDREDTHS
MARGIN_SHARE = 0.04  # of a value: how large the margin is
BLACK_WINS, WHITE_WINS, DRAWN = 1, 2, 3  # Outcomes


@kernel
def stone_surplus(b):
    """Return how many stones more Black has placed than White (int64), those taken since included."""
    more = np.int64(b.prisoners[1]) - np.int64(b.prisoners[0])
    for p in range(STRIDE, POINTS - STRIDE):
        more += np.int64(b.stones[p] == BLACK) - np.int64(b.stones[p] == WHITE)
    return more


@kernel
def simulate(s, o):
    """Play `s` out, in place; return its value for Black, 0 to 1, and Black's margin, hundredths (float64).

    By territory a side's margin is that by area less the stones that it has placed more than the other: play
    that only fills what is decided costs both the same.
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
    judged = margin + o.dynamic_komi
    won = 1.0 if judged > 0 else 0.5 if judged == 0 else 0.0
    most = np.float64(HUNDREDTHS * np.int64(s.board.width) * np.int64(s.board.width))
    share = 0.5 + 0.5 * max(-1.0, min(1.0, judged / most))
    return won + MARGIN_SHARE * (share - won), np.float64(margin)


@kernel
def agreed_margin(s, o, agreed, dead):
    """Return Black's margin (int64, hundredths), `agreed` on the dead stones or with all alive.

    A chain is dead that holds a stone which was dead at the root. `dead` is bool (POINTS,), and written.
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
    """Return whether the side to move wins if nobody plays on, whatever is agreed on.

    By area nothing is lost by playing on, so it must win with all stones alive as well.
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
    """Return how a finished game ends when the players agree on the stones that were dead at the root.

    Returns
    -------
    tuple of (int64, int64)
        The Outcome, and Black's margin in hundredths. By area, who passes last loses if the count with all
        stones alive says otherwise.
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
    """Return whether a finished game ends as its count says, whatever is agreed on since `root`."""
    return s.rules == TROMP_TAYLOR or s.board.key == root.board.key


@kernel
def update_dynamic_komi(s, o, value):
    """Shift the bar that playouts are judged by, so that neither side finds the game decided: dynamic komi.

    On large boards, until most of the board is filled; it is lowered again as soon as the game is open.

    Parameters
    ----------
    s : STATE record
        The root.
    o : PLAYOUT record
        Its `dynamic_komi` is changed by a step at a time.
    value : float64
        Mean value for Black of the latest simulations, as they were judged.

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
