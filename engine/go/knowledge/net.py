"""What the net of Go sees, and what it says (`engine.nets.convolution` has the calculation).

The planes are, as the side to move sees the board; numbers are 0 or 1:

- 0 to 3: own stones of chains with 1, 2, 3 and more liberties;
- 4 to 7: those of the other side;
- 8: the point that simple ko forbids;
- 9, 10: the last move, and the one before;
- 11: all points;
- 12: empty points where an own stone would have at most one liberty, stones that it captures included;
- 13: those where an own stone captures;
- 14, 15: the same for a stone of the other side.

What `read_ladders` finds changes planes 0 to 7, 12, 13 and 15.

The numbers about the position are the komi as the side to move gets it, in tens of points, from -4 to 4;
1 with territory scoring; 1 after a pass; the size of the board, less 9, in tens; with territory scoring, the
prisoners that the side to move has taken, less those of the other side, in tens, from -4 to 4.
"""

import math

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.knowledge.features import count_liberties, extension_liberties
from tengen.engine.go.playouts import ladder
from tengen.engine.go.state import BOARD as BOARD_RECORD
from tengen.engine.go.state import EMPTY, HUNDREDTHS, MAX_SIZE, NEIGHBOURS, PASS, POINTS, STRIDE, TERRITORY
from tengen.engine.jit import kernel
from tengen.engine.nets.convolution import SCORE, SCORE_UNIT, WIN, ConvolutionShape, place, run, set_size

SHAPE = ConvolutionShape(
    planes=16, globals=5, blocks=4, channels=32, max_size=MAX_SIZE, max_blocks=6, max_channels=64
)
OWN, OTHER, KO, LAST, BEFORE, BOARD, SELF_ATARI, CAPTURE = 0, 4, 8, 9, 10, 11, 12, 13
SIDES = 2  # planes further: `SELF_ATARI` and `CAPTURE` of the other side
MOST_LIBERTIES = 4  # as many or more are the same
ANY, IN_ATARI, STRONG = 0b1111, 0b0001, 0b1100  # of a side's planes: all; one liberty; three and more
TENS, MOST_TENS = 10.0, 4.0
STEP_LIBERTIES = 2  # of a chain that has run from atari, and can be put in atari again
LONG_LADDER = 6  # turns that a chain runs; shorter ones the net sees by itself

_1, _3 = np.uint64(1), np.uint64(3)


@kernel
def place_of(size, p):
    """Return the place (int64) in the planes of the point `p` (uint64) of a board."""
    q = np.int64(p)
    return place(size, q % STRIDE - 1, q // STRIDE - 1)


@kernel
def _is_self_atari(b, p, colour, beside, facing):
    """Return 1 if a stone of `colour` on the empty point `p` has at most one liberty, else 0 (int64).

    `beside` and `facing` have the planes of its own neighbours and of the others in the lowest bits, and `p`
    has at most one empty neighbour.
    """
    if beside & STRONG:
        return np.int64(0)
    if not (beside & ANY or facing & IN_ATARI):
        return np.int64(1)
    return np.int64(board.liberties_after(b, p, colour) < 2)


@kernel
def read_ladders(b, own, liberties, shown, marks):
    """Read long ladders, which a net does not see, and tell it of their ends.

    A chain with two liberties that a ladder captures is shown as in atari, one that no atari captures and a
    ladder fails to, as one with three. Where a chain in atari runs in vain, it looks like self-atari.

    Parameters
    ----------
    b : BOARD record
    own : uint64
        The side to move.
    liberties, shown : uint16 (POINTS,)
        Numbers of liberties of chains, by their heads; those to show.
    marks : uint16 (POINTS,)
        Takes more planes of points.
    """
    boards, found = np.empty(2, BOARD_RECORD), np.empty(3, np.uint64)
    size = np.int64(b.width)
    for i in range(size * size):
        p = np.uint64(i % size + 1 + STRIDE * (i // size + 1))
        colour = np.uint64(b.stones[p])
        if colour == EMPTY or b.chain[p] != p:
            continue
        if liberties[p] == 1 and colour == own:
            boards[0] = b
            if ladder.run_out(boards, p, found) >= LONG_LADDER:
                marks[board.last_liberty(b, p)] |= 1 << SELF_ATARI
        elif liberties[p] == 2:
            capture = CAPTURE if colour != own else CAPTURE + SIDES
            shown[p] = read_ataris(b, p, liberties, boards, found, marks, capture)


@kernel
def read_ataris(b, p, liberties, boards, found, marks, capture):
    """Return the number of liberties (int64) to show of the chain of `p`, which has two.

    Points where an atari captures it in a long ladder get the plane `capture` in `marks`. `boards` and
    `found` are scratch, as for `ladder.chase`.
    """
    colour, shown = np.uint64(b.stones[p]), np.int64(2)
    board.liberties(b, p, found)
    one, other = found[0], found[1]
    caught = away = False
    for i in range(2):
        at, out = (one, other) if i == 0 else (other, one)
        left = extension_liberties(liberties, b, out, at, colour)
        caught |= left < STEP_LIBERTIES
        if left != STEP_LIBERTIES:
            continue
        boards[0] = b
        length = ladder.chase(boards, at, p, found)
        caught |= length > 0
        away |= length <= -LONG_LADDER
        if length >= LONG_LADDER:
            shown = np.int64(1)
            marks[at] |= 1 << capture
    return np.int64(3) if away and not caught else shown


@kernel
def _stone_bit(b, p, own, liberties):
    """Return the bit (int64) of the plane of the stone on `p`, whose chain has so many of `liberties`."""
    count = max(min(np.int64(liberties[b.chain[p]]), MOST_LIBERTIES), 1)
    return np.int64(1) << np.int64((OWN if b.stones[p] == own else OTHER) + count - 1)


@kernel
def write_bits(s, bits):
    """Write what the net sees of the points, rows from the bottom, into `bits` (int16): plane k is bit k."""
    b = s.board
    liberties, stones = np.empty(POINTS, np.uint16), np.empty(POINTS, np.uint16)
    shown, marks = np.empty(POINTS, np.uint16), np.zeros(POINTS, np.uint16)
    size, own = np.int64(b.width), np.uint64(s.side_to_move) + _1
    count_liberties(b, liberties)
    for p in range(POINTS):  # to assign the array takes 2 s to compile, for the words of an error
        shown[p] = liberties[p]
    read_ladders(b, own, liberties, shown, marks)
    stones[: (size + 2) * STRIDE] = 0
    for y in range(size):
        for x in range(size):
            p = x + 1 + STRIDE * (y + 1)
            bit = _stone_bit(b, p, own, liberties)
            stones[p] = bit if b.stones[p] != EMPTY else 0
    for y in range(size):
        for x in range(size):
            p = np.uint64(x + 1 + STRIDE * (y + 1))
            seen = np.int64(stones[p])
            if seen:
                seen = _stone_bit(b, p, own, shown)
            else:
                around, empty = np.int64(0), np.int64(0)
                for step in NEIGHBOURS:
                    around |= np.int64(stones[p + step])
                    empty += b.stones[p + step] == EMPTY
                seen |= (around >> OTHER & 1) << CAPTURE | (around >> OWN & 1) << (CAPTURE + SIDES)
                if empty < 2:
                    seen |= _is_self_atari(b, p, own, around >> OWN, around >> OTHER) << SELF_ATARI
                    other = _is_self_atari(b, p, _3 - own, around >> OTHER, around >> OWN)
                    seen |= other << (SELF_ATARI + SIDES)
            seen |= 1 << BOARD | np.int64(marks[p])
            bits[y * size + x] = seen - (seen >> 15 << 16)  # the last plane is the sign
    if b.ko:
        bits[index_of(size, b.ko)] |= 1 << KO
    for k in range(2):
        if s.last_actions[k] != PASS:
            bits[index_of(size, s.last_actions[k])] |= 1 << (LAST + k)


@kernel
def index_of(size, p):
    """Return the index (int64) of a point by rows from the bottom."""
    q = np.int64(p)
    return (q // STRIDE - 1) * size + q % STRIDE - 1


@kernel
def write_planes(s, net):
    """Write what the net sees of `s` into ``net.board`` and ``net.about``."""
    size = np.int64(s.board.width)
    set_size(net, size)
    bits = np.empty(MAX_SIZE * MAX_SIZE, np.int16)
    write_bits(s, bits)
    planes = net.board
    for y in range(size):
        for x in range(size):
            at, seen = place(size, x, y), np.int64(bits[y * size + x])
            for k in range(planes.shape[1]):
                planes[at, k] = np.float32(seen >> k & 1)
    write_about(s, net.about)


@kernel
def limited(tens):
    """Return a number (float64) of points as a float32 of tens, within the limits."""
    return np.float32(max(-MOST_TENS, min(MOST_TENS, tens / TENS)))


@kernel
def write_about(s, about):
    """Write the numbers about the position `s` into `about` (float32)."""
    sign = 1.0 if s.side_to_move else -1.0
    taken = np.int64(s.board.prisoners[1]) - np.int64(s.board.prisoners[0])
    territory = s.rules == TERRITORY
    about[0] = limited(sign * np.float64(s.komi) / HUNDREDTHS)
    about[1] = 1.0 if territory else 0.0
    about[2] = 1.0 if s.passes else 0.0
    about[3] = (np.float64(s.board.width) - 9.0) / TENS
    about[4] = limited(sign * np.float64(taken)) if territory else np.float32(0.0)


@kernel
def net_knows(s, net):
    """Return whether there is a net, and it has learned from boards of this size and komis like this one."""
    size, komi = np.int64(s.board.width), np.int64(s.komi)
    komis = net.komis[1 if s.rules == TERRITORY else 0]
    known = net.sizes[0] <= size and size <= net.sizes[1] and komis[0] <= komi and komi <= komis[1]
    return net.window != 0 and known


@kernel
def ask_net(s, net):
    """Ask the net about `s`, whose answers stay in `net`; return the win rate (float64) of Black."""
    write_planes(s, net)
    run(net, np.int64(s.board.width))
    rate = 1.0 / (1.0 + math.exp(-np.float64(net.values[WIN])))
    return rate if s.side_to_move == 0 else 1.0 - rate


@kernel
def net_margin(s, net):
    """Return Black's margin (float64, hundredths) in `s`, of which the net has been asked."""
    margin = np.float64(net.values[SCORE]) * SCORE_UNIT * HUNDREDTHS
    return margin if s.side_to_move == 0 else -margin


@kernel
def net_policy(s, net, actions, n, probabilities):
    """Write the probability of each of the first `n` of `actions` in `s`, of which the net has been asked.

    `probabilities` is float32. Those of the `n` actions sum up to 1.
    """
    size = np.int64(s.board.width)
    highest = np.float32(-np.inf)
    for i in range(n):
        last = net.logits.size - 1
        logit = net.logits[last if actions[i] == PASS else place_of(size, actions[i])]
        probabilities[i] = logit
        highest = max(highest, logit)
    total = np.float32(0.0)
    for i in range(n):
        probabilities[i] = math.exp(probabilities[i] - highest)
        total += probabilities[i]
    for i in range(n):
        probabilities[i] /= total
