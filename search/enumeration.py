"""Kernels that play out all turns to a depth and count them (perft). Specialised with ``game``."""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, load_word, record
from tengen.engine.play.position import OCCURRENCES

if TYPE_CHECKING:
    from tengen.engine.contract import game


MAX_PLY = 96  # actions from the root; a compound turn counts each of its actions
FULL = -1  # returned when the table of different positions is too small

LINE = record(
    [
        ("past", "u8"),  # address of the keys of the positions before ``stack[0]``
        ("past_count", "i8"),
        ("repetition", "i8"),  # 1 where repetition draws
        ("distinct", "i8"),  # 1 if turns to the same position count as one
        ("actions", "i4", (MAX_PLY, game.MAX_ACTIONS)),  # scratch, by ply
        ("stack", game.STATE, (MAX_PLY,)),  # states by ply; those above the present one are scratch
    ]
)


@kernel
def _is_drawn(t, ply):
    """Return whether the game has ended at ``t.stack[ply]``, as it occurs for the third time there."""
    s = t.stack[ply]
    if s.partial or not game.may_repeat(s):
        return False
    seen = np.int64(1)
    for i in range(t.past_count):
        seen += load_word(t.past + np.uint64(8 * i)) == s.key
    for i in range(ply):
        seen += t.stack[i].partial == 0 and t.stack[i].key == s.key
    return seen >= OCCURRENCES


@kernel
def _note(seen, stamps, mark, level, key):
    """Remember `key` at this node; return (int64) 1 if it is new there, 0 if not, `FULL` without room."""
    mask = np.uint64(seen.shape[1] - 1)
    slot = key & mask
    while stamps[level, slot] == mark[0]:
        if seen[level, slot] == key:
            return np.int64(0)
        slot = (slot + np.uint64(1)) & mask
    seen[level, slot] = key
    stamps[level, slot] = mark[0]
    mark[1] += 1
    return np.int64(FULL if mark[1] >= seen.shape[1] - 1 else 1)


@kernel
def perft(t, seen, stamps, marks, ply, depth):
    """Return the number of ways to play `depth` turns from ``t.stack[ply]``.

    Parameters
    ----------
    t : LINE record
        If it says `distinct`, turns that lead to the same position count as one at every node.
    seen, stamps : uint64 and int64 array, shape (depth + 1, a power of two)
        Scratch, zeroed: by turns to go, the keys met at the present node, and which node each was met at.
    marks : int64 array, shape (depth + 1, 2)
        Scratch, zeroed: by turns to go, the number of the present node and how many keys it has met.
    ply, depth : int64
        Where to start, and how many turns to play.

    Returns
    -------
    int64
        Sequences of `depth` turns; shorter games are not counted. `FULL` when `seen` is too small.
    """
    s = t.stack[ply]
    if t.repetition and _is_drawn(t, ply):
        return np.int64(0)
    if depth == 1 and not (game.MULTI_ACTION_TURNS or t.distinct):
        return np.int64(game.count(s))
    mark = marks[np.int64(depth)]
    if s.partial == 0 or ply == 0:
        mark[0] += 1
        mark[1] = 0
    actions = t.actions[ply]
    n = game.generate(s, actions)
    total = np.int64(0)
    for i in range(n):
        t.stack[ply + 1] = s
        child = t.stack[ply + 1]
        game.do_move(child, actions[i])
        more = np.int64(1)
        if game.MULTI_ACTION_TURNS and child.partial:
            more = perft(t, seen, stamps, marks, ply + 1, depth)
        else:
            if t.distinct:
                more = _note(seen, stamps, mark, np.int64(depth), child.key)
            if more == 1 and depth > 1:
                more = perft(t, seen, stamps, marks, ply + 1, depth - 1)
        if more < 0:
            return np.int64(FULL)
        total += more
    return total
