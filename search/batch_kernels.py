"""Kernels that play many games, without the GIL. Specialised with ``game``.

`states` is an array of STATE, one game each. A kernel works on the games from `first` to `last`, so that
several threads can share an array.
"""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.jit import kernel, record
from tengen.engine.play.position import OCCURRENCES
from tengen.engine.xorshift import random_below

if TYPE_CHECKING:
    from tengen.engine.contract import game


MAX_PLAYOUT = 4096  # actions; a playout that is not over by then is a draw
NO_ACTION = -1  # of a finished game

# What one thread needs.
SCRATCH = record(
    [
        ("random", "u8"),  # state of the generator, never 0
        ("actions", "i4", (game.MAX_ACTIONS,)),
        ("states", game.STATE, (2,)),  # the game in a playout is the second one
    ]
)


@kernel
def mark_legal(t, states, dense, mask, first, last):
    """Write into `mask` (bool, shape (games, actions)) which actions are legal."""
    for i in range(first, last):
        mask[i, :] = False
        n = game.generate(states[i], t.actions)
        for k in range(n):
            mask[i, dense[t.actions[k]]] = True


@kernel
def sample(t, states, dense, chosen, first, last):
    """Write a random legal action of each game into `chosen` (int32); `NO_ACTION` if it is over."""
    for i in range(first, last):
        n = game.generate(states[i], t.actions)
        chosen[i] = dense[t.actions[random_below(t, n)]] if n > 0 else NO_ACTION


@kernel
def find_illegal(t, states, raw, chosen, first, last):
    """Return the first game (int64) that goes on and whose chosen action is not legal; `last` if none is."""
    for i in range(first, last):
        n = game.generate(states[i], t.actions)
        legal = n == 0
        if not legal and 0 <= chosen[i] < len(raw):
            action = raw[chosen[i]]
            for k in range(n):
                if t.actions[k] == action:
                    legal = True
                    break
        if not legal:
            return np.int64(i)
    return np.int64(last)


@kernel
def step(states, raw, chosen, first, last):
    """Play the chosen legal action in every game that goes on."""
    for i in range(first, last):
        s = states[i]
        if game.outcome(s) == game.ONGOING:
            game.do_move(s, raw[chosen[i]])


@kernel
def note_repetition(states, turn_keys, past, counts, drawn, first, last):
    """Write into `drawn` (bool) in which games the position has come about for the third time.

    Parameters
    ----------
    turn_keys : ndarray of uint64
        By game: the key at the beginning of the present turn; it is brought up to date.
    past : ndarray of uint64, shape (games, room)
        Keys of earlier positions that may occur again; there is room for another one.
    counts : ndarray of int32
        How many they are.
    """
    for i in range(first, last):
        s = states[i]
        drawn[i] = False
        if s.partial or s.key == turn_keys[i]:
            continue
        if game.may_repeat(s):
            past[i, counts[i]] = turn_keys[i]
            counts[i] += 1
        else:
            counts[i] = 0
        seen = 1
        for k in range(counts[i]):
            seen += past[i, k] == s.key
        drawn[i] = seen >= OCCURRENCES
        turn_keys[i] = s.key


@kernel
def outcomes(states, results, first, last):
    """Write the Outcome of every game into `results` (int8)."""
    for i in range(first, last):
        results[i] = game.outcome(states[i])


@kernel
def playouts(t, states, results, lengths, first, last):
    """Play random games from every state to the end; the states stay as they are.

    Parameters
    ----------
    results : ndarray of int8, shape (games, playouts)
        The Outcome of each playout is written into it.
    lengths : ndarray of int32, shape (games, playouts)
        ... and the number of its actions.
    """
    for i in range(first, last):
        t.states[0] = states[i]
        for k in range(results.shape[1]):
            game.copy_state(t.states, 1, 0)
            s = t.states[1]
            outcome, length = np.int64(game.DRAW), MAX_PLAYOUT
            for played in range(MAX_PLAYOUT):
                n = game.generate(s, t.actions)
                if n == 0:
                    outcome, length = np.int64(game.outcome(s)), played
                    break
                game.do_move(s, t.actions[random_below(t, n)])
            results[i, k] = outcome
            lengths[i, k] = length
