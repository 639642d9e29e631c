"""Scores in a search: what passing is worth, given which stones are dead at the root."""

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.go.playouts.playout import reset_playout
from tengen.engine.go.scoring import score_board
from tengen.engine.go.state import BLACK, HUNDREDTHS, POINTS, STRIDE, TERRITORY, TROMP_TAYLOR, WHITE
from tengen.engine.jit import kernel

# What counts as dead: nothing, what the players agree on, or what is worst for a side if they do not.
ALL_ALIVE, AGREED, WORST_FOR_BLACK, WORST_FOR_WHITE = range(4)
BLACK_WINS, WHITE_WINS, DRAWN = (int(o) for o in (Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW))


@kernel
def prepare(s, o):
    """Prepare `o` for a search from `s`: near the end of the game no stone is sure, until it is judged."""
    reset_playout(o)
    if s.rules != TROMP_TAYLOR and is_near_end(s):
        o.judged = 0
        for p in range(STRIDE, POINTS - STRIDE):
            o.unsure[p] = s.board.stones[p]


@kernel
def _is_dead(o, p, colour, view):
    """Return whether the stone of `colour` on `p` counts as dead, if it has stood there since the root."""
    if view == ALL_ALIVE:
        return False
    if view != AGREED and o.unsure[p] == colour:
        return colour == (BLACK if view == WORST_FOR_BLACK else WHITE)
    return o.dead[p] == colour


@kernel
def agreed_margin(s, o, view):
    """Return Black's margin (int64, hundredths) in one of the views of what counts as dead.

    A chain is dead if one of its stones was dead at the root.
    """
    b = s.board
    dead = np.zeros(POINTS, np.bool_)
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        colour = b.stones[p]
        if colour in (BLACK, WHITE) and not dead[p] and _is_dead(o, p, colour, view):
            q = p
            while True:
                dead[q] = True
                q = np.uint64(b.next_in_chain[q])
                if q == p:
                    break
    owner, seki = np.zeros(POINTS, np.int8), np.zeros(POINTS, np.bool_)
    return HUNDREDTHS * score_board(b, s.rules, dead, owner, seki) - s.komi


@kernel
def _wins_disputes(s, o, side):
    """Return whether `side` wins a game that ends now even if the other side disputes which stones are dead.

    With area scoring playing on costs nothing, so it must also win with all stones alive.
    """
    sign = 1 if side == 0 else -1
    if s.rules != TERRITORY and sign * agreed_margin(s, o, ALL_ALIVE) <= 0:
        return False
    return sign * agreed_margin(s, o, WORST_FOR_BLACK if side == 0 else WORST_FOR_WHITE) > 0


@kernel
def wins_by_passing(s, o):
    """Return whether the side to move wins if both sides pass, whichever stones are called dead."""
    side = np.int64(s.side_to_move)
    sign = 1 if side == 0 else -1
    return is_near_end(s) and _wins_disputes(s, o, side) and sign * agreed_margin(s, o, AGREED) > 0


@kernel
def final_score(s, o):
    """Return the result of a finished game in which the stones that were dead at the root are removed.

    Returns
    -------
    tuple of (int64, int64)
        The Outcome, and Black's margin in hundredths. The side that passed last loses if it has won but could
        lose a dispute about dead stones.
    """
    if s.rules == TROMP_TAYLOR:
        return np.int64(s.result), np.int64(s.margin)
    margin = np.int64(agreed_margin(s, o, AGREED))
    outcome = np.int64(DRAWN if margin == 0 else BLACK_WINS if margin > 0 else WHITE_WINS)
    last = 1 - np.int64(s.side_to_move)
    won, lost = np.int64(BLACK_WINS), np.int64(WHITE_WINS)
    if last == 1:
        won, lost = lost, won
    if outcome == won and not _wins_disputes(s, o, last):
        outcome = lost
    if outcome == DRAWN and s.rules != TERRITORY and s.result != DRAWN:
        outcome = lost
    return outcome, margin


@kernel
def score_is_certain(s, o, root):
    """Return whether the score of a finished game is certain, whichever stones are called dead."""
    return s.rules == TROMP_TAYLOR or (o.judged != 0 and s.board.key == root.board.key)


@kernel
def is_near_end(s):
    """Return whether passing may be sensible: a side has passed, or 30% of the board is filled."""
    points = np.int64(s.board.width) * np.int64(s.board.width)
    return s.passes > 0 or 10 * np.int64(s.board.num_empty) <= 7 * points
