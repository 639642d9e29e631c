"""Reading ladders to the end.

Kernels take BOARD records. Only the main line is read: the attacker plays the better of two ataris at every
step, and fails if the defender can capture one of its stones instead.
"""

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.state import NEIGHBOURS
from tengen.engine.jit import kernel

MAX_LADDER_STEPS = 60

_3 = np.uint64(3)


@kernel
def can_capture(b, head):
    """Return whether an adjacent enemy chain of the chain of `head` can be captured."""
    foe = _3 - np.uint64(b.stones[head])
    p = head
    while True:
        for step in NEIGHBOURS:
            q = p + step
            if b.stones[q] != foe or not board.in_atari(b, np.uint64(b.chain[q])):
                continue
            if board.last_liberty(b, np.uint64(b.chain[q])) != b.ko:
                return True
        p = np.uint64(b.next_in_chain[p])
        if p == head:
            return False


@kernel
def run_out(boards, stone, found):
    """Return how long a chain in atari runs, its side to move, until it is captured or gets away.

    Parameters
    ----------
    boards : BOARD array (2,)
        The first is the position, on which moves are played; the second is scratch.
    stone : uint64
        A stone of the chain.
    found : uint64 (3,)
        Scratch.

    Returns
    -------
    int64
        Number of its turns: positive if it cannot escape, negative if it can.
    """
    b = boards[0]
    colour = np.uint64(b.stones[stone])
    for turn in range(1, MAX_LADDER_STEPS + 1):
        head = np.uint64(b.chain[stone])
        if can_capture(b, head):
            return np.int64(-turn)
        out = board.last_liberty(b, head)
        if not board.is_legal(b, out, colour):
            return np.int64(turn)
        board.play(b, out, colour)
        n = board.liberties(b, np.uint64(b.chain[stone]), found)
        if n != 2:
            return np.int64(turn if n < 2 else -turn)
        if not _chase(boards, stone, _3 - colour, found):
            return np.int64(-turn)
    return np.int64(MAX_LADDER_STEPS)


@kernel
def _chase(boards, stone, foe, found):
    """Play the better atari of `foe` on the two liberties in `found`; return whether the ladder goes on.

    The better atari leaves the chain fewer liberties after it extends on the other liberty.
    """
    b = boards[0]
    best = np.uint64(0)
    fewest = np.int64(3)
    one, other = found[0], found[1]
    for i in range(2):
        p, out = (one, other) if i == 0 else (other, one)
        if not board.is_legal(b, p, foe) or board.liberties_after(b, p, foe) < 2:
            continue
        boards[1] = boards[0]
        trial = boards[1]
        board.play(trial, p, foe)
        left = np.int64(0)
        if board.is_legal(trial, out, _3 - foe):
            board.play(trial, out, _3 - foe)
            left = board.liberties(trial, np.uint64(trial.chain[stone]), found)
        if left < fewest:
            best, fewest = p, left
    if best == 0:
        return False
    board.play(b, best, foe)
    return True


@kernel
def chase(boards, p, stone, found):
    """Return how long the chain of `stone`, which has two liberties, runs after an atari on `p`.

    The result is that of `run_out`, and 0 if a stone on `p` is no sound atari. So are `boards` and `found`.
    """
    b = boards[0]
    foe = _3 - np.uint64(b.stones[stone])
    if not board.is_legal(b, p, foe) or board.liberties_after(b, p, foe) < 2:
        return np.int64(0)
    board.play(b, p, foe)
    if not board.in_atari(b, np.uint64(b.chain[stone])):
        return np.int64(0)
    return run_out(boards, stone, found)


@kernel
def captures_in_ladder(boards, p, stone, found):
    """Return whether a stone on `p` captures the chain of `stone`, which has two liberties, in a ladder.

    `boards` and `found` are as for `run_out`.
    """
    return chase(boards, p, stone, found) > 0
