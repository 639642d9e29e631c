"""What a fit of move knowledge asks of the game: the features of all candidates in the positions of games."""

import numpy as np

from tengen.engine.go.knowledge.features import CLASSES as CLASSES
from tengen.engine.go.knowledge.features import COLUMNS as COLUMNS
from tengen.engine.go.knowledge.features import NAMES as NAMES
from tengen.engine.go.knowledge.features import PATTERN, STARTS, describe, prepare
from tengen.engine.go.knowledge.gammas import FILE as FILE
from tengen.engine.go.knowledge.gammas import MAX_LOG as MAX_LOG
from tengen.engine.go.knowledge.gammas import MAX_PATTERNS as MAX_PATTERNS
from tengen.engine.go.knowledge.gammas import Gammas as Gammas
from tengen.engine.go.knowledge.gammas import load as load
from tengen.engine.go.knowledge.shapes import SIZES as SIZES
from tengen.engine.go.knowledge.shapes import make_table as make_table
from tengen.engine.go.knowledge.shapes import set_contents, write_keys
from tengen.engine.go.playouts.playout import PLAYOUT as PLAYOUT
from tengen.engine.go.rules import do_move, generate_candidates
from tengen.engine.go.state import PASS
from tengen.engine.jit import kernel

NO_PATTERN = int(STARTS[PATTERN])  # the number of the feature of having no known pattern; patterns follow


@kernel
def played_first(s, p, actions):
    """Write the candidates in `s` into `actions`, without PASS and with `p` first; return their number.

    Return 0 if `p` is not one of them.
    """
    count = np.int64(generate_candidates(s, actions)) - 1
    if p == PASS:
        return np.int64(0)
    for i in range(count):
        if actions[i] == p:
            actions[0], actions[i] = actions[i], actions[0]
            return count
    return np.int64(0)


@kernel
def replay_patterns(s, o, actions, turns, keys, counts):
    """Play `turns` in `s`, in place, and write the patterns of every move that was played.

    Parameters
    ----------
    s : STATE record
        The start position.
    o : PLAYOUT record
        Scratch.
    actions : int32 array
        Scratch, for `rules.MAX_ACTIONS`.
    turns : int32 array
        Legal actions.
    keys : ndarray
        uint64, shape (turns, sizes): takes the keys of the patterns, by `shapes.SIZES`.
    counts : int64 array
        Takes the number of candidates before each turn; 0 where nothing can be learned, as for a pass.
    """
    for i in range(len(turns)):
        counts[i] = played_first(s, turns[i], actions)
        if counts[i]:
            set_contents(o, s.board, np.uint64(s.side_to_move) + np.uint64(1))
            write_keys(o, np.uint64(turns[i]), keys[i])
        do_move(s, turns[i])


@kernel
def replay_features(s, o, actions, turns, table, numbers, features, start):
    """Play `turns` in `s`, in place, and write the features of all candidates before each.

    Parameters
    ----------
    s, o, actions, turns
        As for `replay_patterns`.
    table, numbers : ndarray
        The known patterns (see `shapes.make_table`).
    features : ndarray
        uint16, shape (`COLUMNS`, candidates of all games): takes the features; the move played comes first.
    start : int64
        Index of the first candidate.

    Returns
    -------
    int64
        Index behind the last candidate.
    """
    for i in range(len(turns)):
        n = played_first(s, turns[i], actions)
        if n:
            colour = np.uint64(s.side_to_move) + np.uint64(1)
            last, before = np.uint64(s.last_actions[0]), np.uint64(s.last_actions[1])
            prepare(o, s.board, colour)
            for j in range(n):
                describe(o, s.board, np.uint64(actions[j]), colour, last, before, table, numbers)
                for k in range(COLUMNS):
                    features[k, start + j] = o.levels[k]
            start += n
        do_move(s, turns[i])
    return start
