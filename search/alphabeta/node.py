"""What happens at a node: counting, values of finished games, children, repetition.

Specialised with ``game``.
"""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import is_stopped, kernel, specialise
from tengen.search.info import WIN
from tengen.search.repetition import NO_CYCLE, is_drawn, last_occurrence

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.alphabeta import record
else:
    record = specialise("tengen.search.alphabeta.record", game)

FIRST_WINS, DRAW = int(Outcome.FIRST_WINS), int(Outcome.DRAW)
SAMPLE_MARGIN = 150  # centi-points
VALUE_OFFSET = 1 << 30  # that makes kept values positive
_SLOT_MASK = np.uint64(record.VALUES - 1)
_MIX, _LOW_BITS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xFFFFFFFF)


@kernel
def evaluate(t, s, alpha, beta):
    """Return the static evaluation (int64) of `s`.

    The net corrects the linear evaluation unless that lies far outside of the window (`NetShape.window`).
    Both values are kept, and found again when a search comes back to the position. Where the value could
    matter, `s` gets its place in the sample, unless a position of lower rank is there. Place and rank are
    hashes of the key. So every position has the same chance, however often it is met.
    """
    slot, window = s.key & _SLOT_MASK, np.int64(t.net.window)
    found = t.values[slot, 1] if t.values[slot, 0] == ~s.key else np.uint64(0)
    linear, corrected = np.int64(found & _LOW_BITS) - VALUE_OFFSET, np.int64(found >> np.uint64(32))
    if found == 0:
        linear = np.int64(game.evaluate_with(s, t.weights))
    if t.sample_size and s.partial == 0 and alpha - SAMPLE_MARGIN < linear < beta + SAMPLE_MARGIN:
        rank = s.key * _MIX
        place = ((rank & _LOW_BITS) * np.uint64(t.sample_size)) >> np.uint64(32)
        if rank < t.sample_ranks[place]:
            t.sample_ranks[place] = rank
            t.sample[place] = s
    value = linear
    if window and alpha - window < linear < beta + window:
        if corrected == 0:
            corrected = np.int64(game.correct(s, t.net, linear)) + VALUE_OFFSET
        value = corrected - VALUE_OFFSET
    t.values[slot, 0] = ~s.key
    t.values[slot, 1] = np.uint64(corrected) << np.uint64(32) | np.uint64(linear + VALUE_OFFSET)
    return value


@kernel
def enter_node(t, ply):
    """Count a position; return whether the search has to stop, which it never does before its floor."""
    t.nodes += 1
    if ply > t.deepest:
        t.deepest = ply
    if t.nodes <= t.floor:
        return False
    if is_stopped(t.stop, t.nodes - 1, t.nodes) or (t.node_limit and t.nodes >= t.node_limit):
        t.stopped = 1
    return t.stopped != 0


@kernel
def terminal_value(result, turn, turns):
    """Return the value of a finished game for the side `side_to_move`, `turns` turns from the root."""
    if result == DRAW:
        return np.int64(0)
    won = (result == FIRST_WINS) == (turn == 0)
    return np.int64(WIN - turns) if won else np.int64(turns - WIN)


@kernel
def descend(t, ply, action):
    """Put the position after `action` at ``ply + 1``; return whether the same side is to move there."""
    t.stack[ply + 1] = t.stack[ply]
    child = t.stack[ply + 1]
    game.do_move(child, action)
    t.played[ply + 1] = action
    t.turns[ply + 1] = t.turns[ply] + (1 if child.partial == 0 else 0)
    return child.side_to_move == t.stack[ply].side_to_move


@kernel
def is_excluded(t, ply):
    """Return whether the position at `ply` ends a root turn that is not to be searched."""
    if not is_restricted(t) or t.turns[ply] != 1 or t.stack[ply].partial:
        return False
    key = t.stack[ply].key
    for k in range(t.excluded_count):
        if t.excluded[k] == key:
            return True
    for k in range(t.searchmoves_count):
        if t.searchmoves[k] == key:
            return False
    return t.searchmoves_count > 0


@kernel
def is_restricted(t):
    """Return whether some root turns are not searched."""
    return t.excluded_count + t.searchmoves_count > 0


@kernel
def lies_above(cycle, turns, s):
    """Return whether a position `cycle` turns from the root lies above `s`, which lies `turns` from it."""
    return cycle < turns or (cycle == turns and s.partial != 0)


@kernel
def is_repetition(t, ply):
    """Return whether ``t.stack[ply]``, where a turn begins, is drawn by repetition; add it to the line.

    If it is drawn by an earlier position of the line, ``t.cycle`` says by which.
    """
    s, turns = t.stack[ply], np.int64(t.turns[ply])
    t.line[turns] = s.key
    if ply == 0 or not game.may_repeat(s):
        return False
    t.cycle = last_occurrence(t.line, turns)
    return t.cycle != NO_CYCLE or is_drawn(t, s.key)
