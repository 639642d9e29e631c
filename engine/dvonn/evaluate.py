"""The evaluation of DVONN, in centi-points for the side to move.

The value is a weighted sum of features, own less opponent's. During the placement the positions of the pieces
count, afterwards controlled and mobile stacks. In the second phase there are weights for some numbers of
occupied cells, and interpolated ones between them. The weights and their origin are in ``weights.npz``.
"""

from pathlib import Path
from typing import Any

import numpy as np

import tengen.engine.dvonn.state as state
from tengen.engine.dvonn.net import SHAPE
from tengen.engine.dvonn.net import activate as activate
from tengen.engine.dvonn.net import bucket as bucket
from tengen.engine.jit import ONE, kernel, lsb, popcount
from tengen.engine.weights import Evaluation

FEATURES = (
    "pieces",  # pieces in controlled stacks: the score itself [D-8]
    "mobile",  # stacks of one to three that can move now
    "tall",  # higher stacks that can move now
    "moves",  # moves
    "red",  # stacks with a DVONN piece that can move now
    "hemmed",  # stacks with six occupied neighbours, which cannot move now [D-4]
    "attacked",  # pieces in stacks that the opponent can capture
    "near1",  # stacks next to a stack with a DVONN piece
    "near2",  # ... two spaces away
    "near3",  # ... three spaces away
    "tempo",  # 1 for the side to move, once the DVONN pieces are placed
    "distance",  # distance to the nearest stack with a DVONN piece, summed over all stacks
    "open",  # while placing: pairs of a piece and a vacant neighbour
    "linked",  # ... ordered pairs of adjacent own pieces
    "reach",  # afterwards: stacks within reach of a move, of either side or none
    "lone",  # ... lone DVONN pieces among them
    "edge",  # ... stacks on the edge of the board
)
ANCHORS = (46, 38, 30, 22, 14, 7)  # numbers of occupied cells with weights of their own
ROWS = ("placing", *(f"occupied{count}" for count in ANCHORS))
UNIT = 16  # weights are kept in sixteenths of a centi-point
TALL = 4


# Shares of ROWS by phase: the placement, then the number of occupied cells (see `phase`)
BLEND = np.zeros((state.PIECES + 2, len(ROWS)))
BLEND[0, 0] = 1
for _row, _share in enumerate(np.eye(len(ANCHORS))[::-1], 1):
    BLEND[1:, _row] = np.interp(range(state.PIECES + 1), ANCHORS[::-1], _share)
EVALUATION = Evaluation("dvonn", FEATURES, ROWS, UNIT, BLEND, Path(__file__).parent, net=SHAPE)
WEIGHTS = EVALUATION.shipped()
TABLE = EVALUATION.expand(WEIGHTS)
NET = SHAPE.record(WEIGHTS.net)
PIECES_AT, MOBILE, HIGH, MOVES, RED, HEMMED, ATTACKED, NEAR1, NEAR2, NEAR3, TEMPO = range(11)
DISTANCE, OPEN, LINKED, REACHED, LONE_RED, ON_EDGE = range(11, len(FEATURES))

# Feature of a stack that can move, by height
BY_HEIGHT = np.array([MOBILE] * TALL + [HIGH] * (state.PIECES + 1 - TALL), np.uint64)


@kernel
def _mobility(s, side, free, weights):
    """Return the value of `side`'s mobility, in UNITs, and the cells (uint64) that it can reach."""
    own = s.control[side]
    value = weights[HEMMED] * popcount(own & ~free)
    own &= free
    reached, red, occupied = np.uint64(0), s.red, s.occupied
    while own:  # without branches, as the processor could not predict them
        cell = lsb(own)
        own &= own - ONE
        height = np.uint64(s.height[cell])
        targets = state.REACH[height, cell] & occupied
        reached |= targets
        moves = popcount(targets)
        worth = weights[BY_HEIGHT[height]] + weights[RED] * np.int64((red >> cell) & ONE)
        value += weights[MOVES] * moves + worth * np.int64(moves > 0)
    return value, reached


@kernel
def _distance_value(s, own, foe, weights):
    """Return the value of the distances to DVONN pieces, in UNITs; `own`, `foe`: uint64."""
    value, distance = np.int64(0), np.int64(0)
    seen, spaces = s.red, np.int64(1)
    ring = state.neighbours(seen) & ~seen
    while ring:
        lead = popcount(own & ring) - popcount(foe & ring)
        distance += spaces * lead
        if spaces <= 3:
            value += weights[NEAR1 - 1 + spaces] * lead
        seen |= ring
        if not (own | foe) & ~seen:
            break
        ring = state.neighbours(ring) & ~seen
        spaces += 1
    return value + weights[DISTANCE] * distance


@kernel
def phase(s):
    """Return the row (int64) of the weight table for `s`."""
    return np.int64(0) if s.placed < state.PIECES else 1 + popcount(s.occupied)


@kernel
def weighted_sum(s, weights):
    """Return the weighted sum (int64) of the features of `s`, for the side to move."""
    own, foe = s.control[np.uint64(s.side_to_move)], s.control[np.uint64(1 - s.side_to_move)]
    value = _distance_value(s, own, foe, weights)
    if s.placed >= state.DVONN_PIECES:
        value += weights[TEMPO]
    if s.placed < state.PIECES:
        empty = state.BOARD & ~s.occupied
        links = opened = np.int64(0)
        for i in range(len(state.STEPS)):
            step = state.STEPS[i]
            links += 2 * (popcount((own << step) & own) - popcount((foe << step) & foe))
            opened += popcount((own << step) & empty) - popcount((foe << step) & empty)
            opened += popcount((own >> step) & empty) - popcount((foe >> step) & empty)
        return value + weights[OPEN] * opened + weights[LINKED] * links
    free = ~state.surrounded(s.occupied)
    mine, my_reach = _mobility(s, np.uint64(s.side_to_move), free, weights)
    theirs, their_reach = _mobility(s, np.uint64(1 - s.side_to_move), free, weights)
    value += mine - theirs
    value += weights[PIECES_AT] * (state.pieces(s, own) - state.pieces(s, foe))
    value += weights[ATTACKED] * (state.pieces(s, own & their_reach) - state.pieces(s, foe & my_reach))
    value += weights[REACHED] * (popcount(my_reach) - popcount(their_reach))
    lone = s.red & ~own & ~foe
    value += weights[LONE_RED] * (popcount(my_reach & lone) - popcount(their_reach & lone))
    value += weights[ON_EDGE] * (popcount(own & state.EDGE) - popcount(foe & state.EDGE))
    return value


@kernel
def evaluate_with(s, table):
    """Return the value of `s` in centi-points (int64) by a table of weights (see `Evaluation.expand`)."""
    return weighted_sum(s, table[phase(s)]) // UNIT


def evaluate(s: Any) -> int:
    """Return the value of `s` in centi-points, positive when the side to move is better."""
    return int(evaluate_with(s, TABLE))
