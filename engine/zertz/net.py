"""What the net of ZÈRTZ sees of a position, and how it corrects the evaluation.

Each ring is an input: what lies on it, and what lies on the six places around it, the same for all images of
the seven places. The other inputs are the marbles that both sides have captured, the pool, and the numbers of
vacant and of free rings. They are the same for all images of a position, and do not depend on whose turn it
is.

The net is for positions at the beginning of a turn without captures.
"""

import numpy as np

from tengen.engine.board.grids import surroundings
from tengen.engine.jit import ONE, add_at_bits, kernel, lsb, popcount
from tengen.engine.nets.correction import NetShape
from tengen.engine.zertz.state import BITS, GOALS, MARBLE_STAGE, MAX_MARBLES, TOURNAMENT, free_rings, shifted

DIRECTIONS = 6
CONTENTS = 5  # of a place: no ring, a vacant ring, a white, grey, black marble
HALF = CONTENTS ** (DIRECTIONS // 2)  # codes of the places in three directions
SURROUNDINGS = surroundings(CONTENTS)
KINDS_OF_SURROUNDINGS = int(SURROUNDINGS.max()) + 1

# Steps between inputs, and where each group of them begins
COUNTS = np.array(GOALS[TOURNAMENT], np.int64)  # numbers of captured marbles that are told apart, by colour
STEP = np.array([1, COUNTS[0], COUNTS[0] * COUNTS[1]], np.int64)  # ... in the input of all three colours
SETS = int(COUNTS.prod())
POOL, RING_COUNTS = MAX_MARBLES + 1, 40  # numbers that are told apart; greater ones count as the greatest
FIRST_CAPTURES = (CONTENTS - 1) * KINDS_OF_SURROUNDINGS
FIRST_BOTH = (
    FIRST_CAPTURES + 2 * SETS + np.array([0, COUNTS[0] ** 2, COUNTS[0] ** 2 + COUNTS[1] ** 2], np.int64)
)
FIRST_POOL = int(FIRST_BOTH[2] + COUNTS[2] ** 2)
FIRST_VACANT = FIRST_POOL + 3 * POOL
FIRST_FREE = FIRST_VACANT + RING_COUNTS
INPUTS = FIRST_FREE + RING_COUNTS
MOST = BITS + 2 + 3 + 3 + 2

FEWEST_RINGS, RINGS_PER_BUCKET, BUCKETS_PER_RULES, RULES = 10, 8, 4, 2
WINDOW = 150
SHAPE = NetShape(INPUTS, MOST, RULES * BUCKETS_PER_RULES, WINDOW, ("low", "high"))


@kernel
def _write_surroundings(s, vacant, net):
    """Write what lies around each place: the codes of the first three directions, and of the others."""
    net.low[:] = 0
    net.high[:] = 0
    # Contents, bit by bit
    odd, even, black = vacant | s.marbles[1], s.marbles[0] | s.marbles[1], s.marbles[2]
    weight = np.uint8(1)
    for direction in range(DIRECTIONS // 2):
        opposite = direction + DIRECTIONS // 2
        add_at_bits(net.low, shifted(odd, opposite), weight)
        add_at_bits(net.low, shifted(even, opposite), np.uint8(2 * weight))
        add_at_bits(net.low, shifted(black, opposite), np.uint8(4 * weight))
        add_at_bits(net.high, shifted(odd, direction), weight)
        add_at_bits(net.high, shifted(even, direction), np.uint8(2 * weight))
        add_at_bits(net.high, shifted(black, direction), np.uint8(4 * weight))
        weight = np.uint8(CONTENTS * weight)


@kernel
def _add_rings(rings, content, net, n):
    """Append the inputs of `rings` (uint64) with the same content; return the new count (uint64)."""
    first = np.int64(content - 1) * KINDS_OF_SURROUNDINGS
    while rings:
        place = lsb(rings)
        rings &= rings - ONE
        net.active[n] = first + SURROUNDINGS[np.int64(net.low[place]) + HALF * np.int64(net.high[place])]
        n += ONE
    return n


@kernel
def activate(s, net):
    """Write the active inputs of a position into ``net.active``; return their number (int64)."""
    me = np.uint64(s.side_to_move)
    foe = ONE - me
    vacant = s.rings & ~(s.marbles[0] | s.marbles[1] | s.marbles[2])
    _write_surroundings(s, vacant, net)
    n = _add_rings(vacant, 1, net, np.uint64(0))
    mine = theirs = np.int64(0)
    for colour in range(3):
        n = _add_rings(s.marbles[colour], 2 + colour, net, n)
        most = COUNTS[colour] - 1
        own = min(np.int64(s.captured[me, np.uint64(colour)]), most)
        other = min(np.int64(s.captured[foe, np.uint64(colour)]), most)
        mine += STEP[colour] * own
        theirs += STEP[colour] * other
        net.active[n] = FIRST_BOTH[colour] + COUNTS[colour] * own + other
        net.active[n + ONE] = FIRST_POOL + POOL * colour + np.int64(s.pool[np.uint64(colour)])
        n += ONE + ONE
    net.active[n] = FIRST_CAPTURES + mine
    net.active[n + ONE] = FIRST_CAPTURES + SETS + theirs
    n += ONE + ONE
    most = np.int64(RING_COUNTS - 1)
    net.active[n] = FIRST_VACANT + min(popcount(vacant), most)
    net.active[n + ONE] = FIRST_FREE + min(popcount(free_rings(s.rings, vacant)), most)
    return np.int64(n) + 2


@kernel
def bucket(s):
    """Return the net's bucket (int64) for `s`; -1 if the net is not for it."""
    if s.stage != MARBLE_STAGE:
        return np.int64(-1)
    phase = (popcount(s.rings) - FEWEST_RINGS) // RINGS_PER_BUCKET
    return BUCKETS_PER_RULES * np.int64(s.rules) + min(
        max(phase, np.int64(0)), np.int64(BUCKETS_PER_RULES - 1)
    )
