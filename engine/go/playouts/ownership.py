"""Ownership: how often each point is Black's or White's at the end of playouts."""

from __future__ import annotations

import numpy as np

from tengen.engine.go.playouts.playout import play_out
from tengen.engine.go.state import PASS
from tengen.engine.jit import kernel


@kernel
def reset_playout(o):
    """Reset the random numbers and the counters of `o`."""
    o.random = np.uint64(0x9E3779B97F4A7C15)
    o.owner[:] = 0
    o.playouts = 0
    o.dead[:] = 0
    o.unsure[:] = 0
    o.judged = 1
    o.dynamic_komi = 0
    o.sacrifices = 0


@kernel
def mark_chain(b, stone, marks, value):
    """Set the entries of `marks`, an array (POINTS,), for all stones of the chain of `stone` (uint64)."""
    p = stone
    while True:
        marks[p] = value
        p = np.uint64(b.next_in_chain[p])
        if p == stone:
            break


@kernel
def estimate_ownership(s, o, scratch, playouts):
    """Run `playouts` from `s`, which are counted in ``o.owner``.

    `scratch` is a STATE record. The sides move first in alternation, and ko is ignored.
    """
    for i in range(playouts):
        scratch.board = s.board
        scratch.board.ko = 0
        o.first[:] = 0
        play_out(o, scratch.board, np.uint64(1 + (i & 1)), np.uint64(PASS), np.uint64(PASS))


@kernel
def is_near_end(s):
    """Return whether passing may be sensible: a side has passed, or 30% of the board is filled."""
    points = np.int64(s.board.width) * np.int64(s.board.width)
    return s.passes > 0 or 10 * np.int64(s.board.num_empty) <= 7 * points
