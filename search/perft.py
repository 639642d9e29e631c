"""Perft: counts turns to a depth, to test move generators."""

import numpy as np

from tengen.engine.jit import specialise
from tengen.engine.play.position import Position
from tengen.search.binding import bound

SEEN = 1 << 16  # initial size of the table of different positions after the turns of one position


def count(position: Position, depth: int, distinct: bool = False) -> int:
    """Return the number of sequences of `depth` turns, at least 0, from `position`.

    If `distinct`, turns that lead to the same position count as one at every node.
    """
    if depth <= 0:
        return 1
    kernels = specialise("tengen.search.enumeration", bound(position.spec.game))
    past = np.fromiter(position.past_keys, np.uint64)
    line = np.zeros(1, kernels.LINE)[0]
    line["past"], line["past_count"] = past.ctypes.data, past.size
    line["repetition"] = bool(position.spec.repetition)
    line["distinct"] = distinct or position.spec.game.rules.MERGES_TRANSPOSITIONS
    line["stack"][0] = position.state
    room, total = SEEN if line["distinct"] else 1, kernels.FULL
    while total == kernels.FULL:
        seen, stamps = np.zeros((depth + 1, room), np.uint64), np.zeros((depth + 1, room), np.int64)
        total = kernels.perft(line, seen, stamps, np.zeros((depth + 1, 2), np.int64), 0, depth)
        room *= 4
    return int(total)


def divide(position: Position, depth: int, distinct: bool = False) -> list[tuple[str, int]]:
    """Return every turn from `position` with the number of sequences of `depth` turns that begin with it."""
    found: list[tuple[str, int]] = []
    met: set[int] = set()  # keys: of turns to the same position the first one counts if `distinct`
    for turn in position.turns():
        child = position.copy()
        child.push(turn)
        if not (distinct and int(child.state.key) in met):
            found.append((child.turns_played[-1], count(child, depth - 1, distinct)))
        met.add(int(child.state.key))
    return found
