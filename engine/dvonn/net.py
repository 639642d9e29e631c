"""What the net of DVONN sees of a position of the second phase, and how it corrects the evaluation.

Every controlled stack has three inputs, a lone DVONN piece two. The first input of a stack tells whether it
can move and be taken, the second one how it hangs together with the others, the third one who is around it:

- `TACTICS`: side (0 to move), height, DVONN piece or not, moves, attackers (0 to 2), defended or not.
- `CONTACT`: side, height, distance to the nearest DVONN piece, occupied neighbours.
- `LONE`: occupied neighbours, attackers of the side to move, of the other side (0 to 2 each).
- Surroundings: side, height, DVONN piece or not, and what is on the six cells around it (nothing, a stack of
  the side to move, one of the other side, a lone DVONN piece), the same for all images of the seven cells.

The inputs are the same for all images of a position, and those of a side do not depend on its colour.
"""

import numpy as np

from tengen.engine.board.grids import surroundings
from tengen.engine.dvonn.state import PIECES, REACH, STEPS, neighbours, surrounded
from tengen.engine.jit import ONE, add_at_bits, kernel, lsb, popcount
from tengen.engine.nets.correction import NetShape

# Shapes of the inputs
TACTICS = (2, 7, 2, 6, 3, 2)
CONTACT = (2, 4, 6, 7)
LONE = (7, 3, 3)
AROUND = np.array([1, 12, 11], np.uint64)  # steps to neighbours in three directions, clockwise
PER_MOVE, PER_RED = 6, 36  # steps between inputs
PER_SPACE = 7
FARTHEST = 5
TWO, THREE = np.uint64(2), np.uint64(3)
FIRST_CONTACT = int(np.prod(TACTICS))
FIRST_LONE = FIRST_CONTACT + int(np.prod(CONTACT))
FIRST_SURROUNDINGS = FIRST_LONE + int(np.prod(LONE))
CONTENTS, HALF = 4, 64  # of a cell around; codes of three of them
SURROUNDINGS = surroundings(CONTENTS)
KINDS_OF_SURROUNDINGS = int(SURROUNDINGS.max()) + 1
CENTRES, LONE_CENTRE = 17, 16
INPUTS = FIRST_SURROUNDINGS + CENTRES * KINDS_OF_SURROUNDINGS

# By number of targets; 0 is for stacks that are hemmed in
MOVE_CODES = np.array([1, 2, 3, 4, 5, 5, 5], np.uint8)

# The first input of each side's stacks, by height
_CLASSES = np.array([0, 0, 1, 2, 3, 4, 5, 5] + [6] * (PIECES - 7))
_COARSE_CLASSES = np.array([0, 0, 1, 2, 2] + [3] * (PIECES - 4))
TACTICS_OF = np.array([72 * (7 * side + _CLASSES) for side in (0, 1)], np.int16)
CONTACT_OF = np.array([FIRST_CONTACT + 42 * (4 * side + _COARSE_CLASSES) for side in (0, 1)], np.int16)
_CENTRES = 2 * np.clip(np.arange(PIECES + 1) - 1, 0, 3)
CENTRE_OF = np.array(
    [FIRST_SURROUNDINGS + KINDS_OF_SURROUNDINGS * (8 * side + _CENTRES) for side in (0, 1)], np.int16
)

LEAST_OCCUPIED = 16  # the net is for positions with more occupied cells
CELLS_PER_BUCKET, BUCKETS = 7, 5
WINDOW = 150
SHAPE = NetShape(INPUTS, 3 * PIECES, BUCKETS, WINDOW, ("moves", "tactics", "contact", "low", "high"))


@kernel
def _bit(plane, cell):
    """Return the bit (int64) of a cell."""
    return np.int64((plane >> cell) & ONE)


@kernel
def _scan_moves(s, side, free, net):
    """Write the codes of the moves of `side`; return the cells (uint64) that one, two stacks can reach."""
    once = twice = np.uint64(0)
    own, occupied = s.control[side], s.occupied
    while own:
        cell = lsb(own)
        own &= own - ONE
        movable = (free >> cell) & ONE
        targets = REACH[np.uint64(s.height[cell]), cell] & occupied & (np.uint64(0) - movable)
        twice |= once & targets
        once |= targets
        net.moves[cell] = MOVE_CODES[popcount(targets)] * np.int64(movable)
    return once, twice


@kernel
def _add_distances(s, codes):
    """Add the distance to the nearest DVONN piece, up to `FARTHEST`, to the codes of contact."""
    low = middle = high = np.uint64(0)
    seen, spaces = s.red, np.int64(1)
    ring = neighbours(seen) & ~seen
    while ring:
        if spaces & 1:
            low |= ring
        if spaces & 2:
            middle |= ring
        if spaces & 4:
            high |= ring
        seen |= ring
        spaces = min(spaces + 1, np.int64(FARTHEST))
        ring = neighbours(ring) & ~seen
    add_at_bits(codes, low, np.uint8(PER_SPACE))
    add_at_bits(codes, middle, np.uint8(2 * PER_SPACE))
    add_at_bits(codes, high, np.uint8(4 * PER_SPACE))


@kernel
def _write_surroundings(own, foe, lone, net):
    """Write what lies around each cell: the codes of the first three directions, and of the others."""
    net.low[:] = 0
    net.high[:] = 0
    odd, even = own | lone, foe | lone  # contents, bit by bit
    weight = np.uint8(1)
    for step in AROUND:
        add_at_bits(net.low, odd >> step, weight)
        add_at_bits(net.low, even >> step, np.uint8(2 * weight))
        add_at_bits(net.high, odd << step, weight)
        add_at_bits(net.high, even << step, np.uint8(2 * weight))
        weight = np.uint8(CONTENTS * weight)


@kernel
def _surroundings_of(cell, net):
    """Return the number (int64) of what lies around a cell."""
    return np.int64(SURROUNDINGS[np.int64(net.low[cell]) + HALF * np.int64(net.high[cell])])


@kernel
def _add_stacks(s, stacks, side, net, n):
    """Append the inputs of the `stacks` (uint64) of a side, 0 to move or 1; return the new count (uint64)."""
    while stacks:
        cell = lsb(stacks)
        stacks &= stacks - ONE
        height = np.uint64(s.height[cell])
        net.active[n] = TACTICS_OF[side, height] + PER_MOVE * net.moves[cell] + net.tactics[cell]
        net.active[n + ONE] = CONTACT_OF[side, height] + net.contact[cell]
        centre = CENTRE_OF[side, height] + KINDS_OF_SURROUNDINGS * _bit(s.red, cell)
        net.active[n + TWO] = centre + _surroundings_of(cell, net)
        n += THREE
    return n


@kernel
def activate(s, net):
    """Write the active inputs of a position of the second phase into ``net.active``; return their number."""
    me, other = np.uint64(s.side_to_move), np.uint64(1 - s.side_to_move)
    own, foe = s.control[me], s.control[other]
    free = ~surrounded(s.occupied)
    mine, mine_twice = _scan_moves(s, me, free, net)
    theirs, theirs_twice = _scan_moves(s, other, free, net)
    net.tactics[:] = 0
    net.contact[:] = 0
    add_at_bits(net.tactics, (own & mine) | (foe & theirs), np.uint8(1))
    add_at_bits(net.tactics, (own & theirs) | (foe & mine), np.uint8(2))
    add_at_bits(net.tactics, (own & theirs_twice) | (foe & mine_twice), np.uint8(2))
    add_at_bits(net.tactics, s.red, np.uint8(PER_RED))
    _add_distances(s, net.contact)
    for i in range(len(STEPS)):  # occupied neighbours
        add_at_bits(net.contact, s.occupied << STEPS[i], np.uint8(1))
        add_at_bits(net.contact, s.occupied >> STEPS[i], np.uint8(1))
    lone = s.red & ~own & ~foe
    _write_surroundings(own, foe, lone, net)
    n = _add_stacks(s, own, np.uint64(0), net, np.uint64(0))
    n = _add_stacks(s, foe, np.uint64(1), net, n)
    while lone:
        cell = lsb(lone)
        lone &= lone - ONE
        code = np.int64(net.contact[cell]) * 3 + _bit(mine, cell) + _bit(mine_twice, cell)
        net.active[n] = FIRST_LONE + code * 3 + _bit(theirs, cell) + _bit(theirs_twice, cell)
        centre = FIRST_SURROUNDINGS + LONE_CENTRE * KINDS_OF_SURROUNDINGS
        net.active[n + ONE] = centre + _surroundings_of(cell, net)
        n += TWO
    return np.int64(n)


@kernel
def bucket(s):
    """Return the net's bucket (int64) for `s`; -1 if the net is not for it."""
    occupied = popcount(s.occupied)
    if s.placed < PIECES or occupied <= LEAST_OCCUPIED:
        return np.int64(-1)
    return (PIECES - occupied) // CELLS_PER_BUCKET
