"""What the net of GIPF sees of a position, and how it corrects the evaluation.

Each of the 21 lines is an input, by its length and by what lies on its spots, read from either end: nothing,
a piece of the side to move, a piece of the other side. Two more inputs are the reserves of both sides, and
their GIPF-pieces on the board. The inputs are the same for all images of a position, and those of a side do
not depend on its colour.

The net is for positions where a turn begins without rows. Potentials are pieces like others to it: the linear
evaluation knows them.
"""

import numpy as np
from numpy.typing import NDArray

from tengen.engine.gipf.state import LINE_SPOTS, LINES, MAIN, MAX_LINE_LENGTH, PIECES, STEPS
from tengen.engine.jit import kernel, popcount
from tengen.engine.nets.correction import NetShape

SHORTEST = 4  # spots on a line at the edge

# A line is read from a bit board as ((pieces >> start) & mask) * factor >> shift: its spots, from bit 0 on.
_READING = {1: (1, 0), 8: (0x0102040810204080, 56), 9: (0x0101010101010101, 56)}  # factor, shift; by step
_FIRST = [min(spots) for spots in LINE_SPOTS]
_STEP = [abs(spots[1] - spots[0]) for spots in LINE_SPOTS]
assert {*_STEP} == {*STEPS}
START = np.array(_FIRST, np.uint64)
MASK = np.array(
    [sum(1 << spot - first for spot in spots) for first, spots in zip(_FIRST, LINE_SPOTS, strict=True)],
    np.uint64,
)
FACTOR = np.array([_READING[step][0] for step in _STEP], np.uint64)
SHIFT = np.array([_READING[step][1] for step in _STEP], np.uint64)

# A line's code is the sum of 3 ** k for each own piece k spots from the end, and of twice as much for others
TERNARY = np.array(
    [sum(3**k for k in range(MAX_LINE_LENGTH) if bits >> k & 1) for bits in range(1 << MAX_LINE_LENGTH)],
    np.uint64,
)
_FIRST_CODES = np.cumsum([0] + [3**n for n in range(SHORTEST, MAX_LINE_LENGTH)])  # by length
FIRST_CODE = np.array([_FIRST_CODES[len(spots) - SHORTEST] for spots in LINE_SPOTS], np.uint64)


def _inputs_of_lines() -> NDArray[np.int16]:
    """Return the input of each code of a line, by length; a code and its image share one."""
    parts, first = [], 0
    for length in range(SHORTEST, MAX_LINE_LENGTH + 1):
        codes = np.arange(3**length)
        images = sum(codes // 3**k % 3 * 3 ** (length - 1 - k) for k in range(length))
        found, places = np.unique(np.minimum(codes, images), return_inverse=True)
        parts.append(first + places)
        first += len(found)
    return np.concatenate(parts).astype(np.int16)


LINE_INPUTS = _inputs_of_lines()
FIRST_RESERVES = int(LINE_INPUTS.max()) + 1
RESERVES, GIPF_COUNTS = PIECES + 1, 6  # numbers that are told apart; greater ones count as the greatest
FIRST_COUNTS = FIRST_RESERVES + RESERVES**2
INPUTS = FIRST_COUNTS + GIPF_COUNTS**2

PIECES_PER_BUCKET, BUCKETS_PER_RULES = 8, 4  # of both reserves together
RULES = 3
WINDOW = 250
SHAPE = NetShape(INPUTS, LINES + 2, RULES * BUCKETS_PER_RULES, WINDOW)


@kernel
def activate(s, net):
    """Write the active inputs of a position into ``net.active``; return their number (int64)."""
    me = np.uint64(s.side_to_move)
    foe = np.uint64(1) - me
    own, other = s.pieces[me], s.pieces[foe]
    for line in range(LINES):
        start, mask, factor, shift = START[line], MASK[line], FACTOR[line], SHIFT[line]
        mine = (((own >> start) & mask) * factor) >> shift
        theirs = (((other >> start) & mask) * factor) >> shift
        code = FIRST_CODE[line] + TERNARY[mine] + TERNARY[theirs] + TERNARY[theirs]
        net.active[line] = LINE_INPUTS[code]
    most = np.int64(RESERVES - 1)
    reserves = min(np.int64(s.reserve[me]), most) * RESERVES + min(np.int64(s.reserve[foe]), most)
    net.active[LINES] = FIRST_RESERVES + reserves
    most = np.int64(GIPF_COUNTS - 1)
    counts = min(popcount(own & s.gipf), most) * GIPF_COUNTS + min(popcount(other & s.gipf), most)
    net.active[LINES + 1] = FIRST_COUNTS + counts
    return np.int64(LINES + 2)


@kernel
def bucket(s):
    """Return the net's bucket (int64) for `s`; -1 if the net is not for it."""
    if s.stage != MAIN:
        return np.int64(-1)
    phase = (np.int64(s.reserve[0]) + np.int64(s.reserve[1])) // PIECES_PER_BUCKET
    return BUCKETS_PER_RULES * np.int64(s.rules) + min(phase, np.int64(BUCKETS_PER_RULES - 1))
