"""Move priors of the Monte-Carlo tree search, from learned gammas.

Source of the square root: Baudis and Gailly, PACHI: state of the art open source Go program (2011).
"""

import math

import numpy as np

from tengen.engine.go.knowledge.features import COLUMNS, describe, prepare
from tengen.engine.go.knowledge.gammas import FILE, load
from tengen.engine.go.knowledge.shapes import make_table
from tengen.engine.go.state import PASS
from tengen.engine.jit import kernel

# Prior simulations
EVEN_PRIOR = 10.0  # half of them won
KNOWLEDGE = 150.0  # won, times the square root of the probability of a move
UNLIKELY = 20.0  # lost, by a move of probability 0; 0 by one that is as likely as the mean
PASSING = 20.0  # lost

_SHIPPED = load(FILE)
LOGS = _SHIPPED.all_logs
TABLE, NUMBERS = make_table(_SHIPPED.pattern_keys)


@kernel
def set_priors(s, o, actions, n, priors, weights):
    """Write the priors of the first `n` of `actions`.

    Parameters
    ----------
    s : STATE record
    o : PLAYOUT record
        Scratch.
    actions : int32 array
    n : int
    priors, weights : float32 arrays
        Take the expected result for the side to move, from 0 to 1, and its weight in simulations.
    """
    b = s.board
    colour = np.uint64(s.side_to_move) + np.uint64(1)
    last, before = np.uint64(s.last_actions[0]), np.uint64(s.last_actions[1])
    prepare(o, b, colour)
    total = 0.0
    for i in range(n):  # 1. The strength of each, that of PASS 0
        p = np.uint64(actions[i])
        priors[i] = 0.0
        if p == PASS:
            continue
        describe(o, b, p, colour, last, before, TABLE, NUMBERS)
        strength = 0.0
        for j in range(COLUMNS):
            strength += LOGS[o.levels[j]]
        priors[i] = math.exp(strength)
        total += priors[i]
    if total > 0.0:
        for i in range(n):  # 2. Its probability
            priors[i] /= total
    for i in range(n):  # 3. Its prior and weight
        good = KNOWLEDGE * math.sqrt(priors[i])
        bad = UNLIKELY * max(0.0, 1.0 - math.sqrt(priors[i] * n))
        if actions[i] == PASS:
            good, bad = 0.0, PASSING
        weight = EVEN_PRIOR + good + bad
        priors[i] = (0.5 * EVEN_PRIOR + good) / weight
        weights[i] = weight
