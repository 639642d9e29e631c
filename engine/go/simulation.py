"""What Monte-Carlo tree search knows of Go: judging by playout, priors of actions, the end by agreement."""

from __future__ import annotations

import numpy as np

from engine.go import board, ladder
from engine.go.patterns import GOOD_SHAPE, surroundings
from engine.go.playout import PLAYOUT as PLAYOUT
from engine.go.playout import POLICY, add_rescues, play_out
from engine.go.state import (
    BLACK,
    HUNDREDTHS,
    NEIGHBOURS,
    PASS,
    POINTS,
    STRIDE,
    TERRITORY,
    TROMP_TAYLOR,
    WALL,
    WHITE,
)
from engine.go.tally import tally
from engine.jit import kernel

RAVE_EQUIVALENT = 3000.0
EXPLORATION = 0.0  # RAVE explores enough
EXPAND_AT = 4
WIDTH = 400.0
WIDENING = 0.0

AGREEMENT = 100  # playouts that say which stones are dead at the root
ALIVE = 0.45  # least share of playouts in which a living stone's point stays its colour's
LARGE = 13  # points on a side from which on the komi is dynamic
DECIDED, OPEN = 0.85, 0.6  # values beyond which it is raised, within which it is lowered
KOMI_STEP = HUNDREDTHS
MARGIN_SHARE = 0.04  # of a value: how large the margin is

# Simulations that a feature counts for, as won or, when negative, as lost.
EVEN = 10.0
TAKES_ONE, TAKES_MORE = 15.0, 30.0
RESCUES = 15.0
SELF_ATARI = -20.0
SHAPE = 10.0
NEAR_LAST = np.array([0.0, 24.0, 22.0, 8.0])  # by distance, chains counting as one point
FAR = 3
EMPTY_EDGE, EMPTY_THIRD = -10.0, 10.0  # first two lines, third line, with no stone within `FAR` steps
PASSING = -20.0
DOOMED = 1  # mark of where a chain runs that is caught all the same
MOST_PSEUDO = 8  # pseudo-liberties of two points at most


@kernel
def prepare_playouts(o):
    """Begin the random numbers, the policy and the counts of `o`."""
    o.policy = POLICY
    o.random = np.uint64(0x9E3779B97F4A7C15)
    o.owner[:] = 0
    o.playouts = 0
    o.dead[:] = 0
    o.bonus = 0


@kernel
def prepare(s, scratch, o):
    """Get `o` ready for a search from `s`: find the dead stones, unless the rules know none.

    `scratch` is another STATE record.
    """
    prepare_playouts(o)
    if s.rules != TROMP_TAYLOR:
        find_dead(s, o, scratch, AGREEMENT)
    o.owner[:] = 0
    o.playouts = 0


@kernel
def find_dead(s, o, scratch, playouts):
    """Mark in ``o.dead`` the stones that survive too few of so many `playouts`, whole chains at a time.

    `scratch` is a STATE record.
    """
    for i in range(playouts):
        scratch.board = s.board
        o.first[:] = 0
        play_out(o, scratch.board, np.uint64(1 + (i & 1)), np.uint64(PASS), np.uint64(PASS))
    least = np.int64((2.0 * ALIVE - 1.0) * playouts)
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        colour = s.board.stones[p]
        if colour in (BLACK, WHITE) and s.board.chain[p] == p:
            total = np.int64(0)
            q = p
            while True:
                total += o.owner[q]
                q = np.uint64(s.board.following[q])
                if q == p:
                    break
            mean = total // np.int64(s.board.length[p])
            dead = (mean if colour == BLACK else -mean) < least
            while True:
                o.dead[q] = dead
                q = np.uint64(s.board.following[q])
                if q == p:
                    break


@kernel
def placed(b):
    """Return how many stones more Black has placed than White (int64), those taken since included."""
    more = np.int64(b.prisoners[1]) - np.int64(b.prisoners[0])
    for p in range(STRIDE, POINTS - STRIDE):
        more += np.int64(b.stones[p] == BLACK) - np.int64(b.stones[p] == WHITE)
    return more


@kernel
def simulate(s, o):
    """Play `s` out, in place; return its value for Black, 0 to 1, and Black's margin, hundredths (float64).

    By territory a side's margin is that by area less the stones that it has placed more than the other: play
    that only fills what is decided costs both the same.
    """
    more = placed(s.board) if s.rules == TERRITORY else np.int64(0)
    points = play_out(
        o, s.board, np.uint64(s.turn) + np.uint64(1), np.uint64(s.recent[0]), np.uint64(s.recent[1])
    )
    margin = HUNDREDTHS * (points - more) - s.komi
    judged = margin + o.bonus
    won = 1.0 if judged > 0 else 0.5 if judged == 0 else 0.0
    most = np.float64(HUNDREDTHS * np.int64(s.board.width) * np.int64(s.board.width))
    share = 0.5 + 0.5 * max(-1.0, min(1.0, judged / most))
    return won + MARGIN_SHARE * (share - won), np.float64(margin)


@kernel
def agreed(s, o):
    """Return Black's margin (int64, hundredths) when both sides agree that ``o.dead`` are dead."""
    dead = np.zeros(POINTS, np.bool_)
    owner = np.zeros(POINTS, np.int8)
    for p in range(STRIDE, POINTS - STRIDE):
        dead[p] = o.dead[p] != 0
    return HUNDREDTHS * tally(s.board, s.rules, dead, owner) - s.komi


@kernel
def content(s, o):
    """Return whether the side to move wins if nobody plays on, whatever is agreed on.

    By area nothing is lost by playing on, so it must win with all stones alive as well.
    """
    sign = 1 if s.turn == 0 else -1
    if s.rules != TERRITORY:
        dead = np.zeros(POINTS, np.bool_)
        owner = np.zeros(POINTS, np.int8)
        if sign * (HUNDREDTHS * tally(s.board, s.rules, dead, owner) - s.komi) <= 0:
            return False
    return sign * agreed(s, o) > 0


@kernel
def settle(s, o):
    """Return the Outcome of a finished game (int64) when the players agree on ``o.dead``.

    By area, who passes last loses if the count with all stones alive says otherwise.
    """
    if s.rules == TROMP_TAYLOR:
        return np.int64(s.result)
    margin = agreed(s, o)
    outcome = np.int64(3 if margin == 0 else 1 if margin > 0 else 2)
    if s.rules != TERRITORY and s.result != outcome:
        return np.int64(2 if s.turn else 1)  # the other side passed
    return outcome


@kernel
def adapt(s, o, value):
    """Shift the bar that playouts are judged by, so that neither side finds the game decided: dynamic komi.

    On large boards, until most of the board is filled; never beyond what makes up for a lead.

    Parameters
    ----------
    s : STATE record
        The root.
    o : PLAYOUT record
        Its `bonus` is changed by a step at a time.
    value : float64
        Mean value for Black of the latest simulations, as they were judged.

    Source: Baudis, Balancing MCTS by dynamically adjusting the komi value (2011), value-based.
    """
    width = np.int64(s.board.width)
    step = np.int64(0)
    if width < LARGE or 2 * np.int64(s.board.vacancies) < width * width:
        step = -np.int64(o.bonus)
    elif value > DECIDED:
        step = -KOMI_STEP
    elif value < 1.0 - DECIDED:
        step = KOMI_STEP
    elif o.bonus < 0 and value < OPEN:
        step = min(KOMI_STEP, -np.int64(o.bonus))
    elif o.bonus > 0 and value > 1.0 - OPEN:
        step = -min(KOMI_STEP, np.int64(o.bonus))
    o.bonus += step


@kernel
def measure(o, b, last):
    """Write into ``o.distance`` how far each point is from `last`, up to `FAR`; within a chain is no way."""
    o.distance[:] = FAR + 1
    if last == PASS:
        return
    o.queue[0] = last
    o.distance[last] = 0
    waiting, done = np.uint64(1), np.uint64(0)
    while done < waiting:
        p = np.uint64(o.queue[done])
        done += np.uint64(1)
        if b.stones[p] == BLACK or b.stones[p] == WHITE:
            q = np.uint64(b.following[p])
            while q != p:
                if o.distance[q] > o.distance[p]:
                    o.distance[q] = o.distance[p]
                    o.queue[waiting % np.uint64(POINTS)] = q
                    waiting += np.uint64(1)
                q = np.uint64(b.following[q])
        if o.distance[p] == FAR:
            continue
        for step in NEIGHBOURS:
            q = p + step
            if b.stones[q] != WALL and o.distance[q] > o.distance[p] + 1:
                o.distance[q] = o.distance[p] + 1
                o.queue[waiting % np.uint64(POINTS)] = q
                waiting += np.uint64(1)


@kernel
def find_rescues(o, b, colour):
    """Write into ``o.rescue`` how many stones of `colour` in atari a move on each point saves.

    Running does not save a chain that is caught in a ladder; ``o.ladder`` is DOOMED where it would run to.
    """
    o.rescue[:] = 0
    o.ladder[:] = 0
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        if b.stones[p] == colour and b.chain[p] == p and board.in_atari(b, p):
            out = board.last_liberty(b, p)
            o.boards[0] = b
            caught = ladder.is_caught(o.boards, p, o.liberty)
            o.count = 0
            add_rescues(o, b, p, colour)
            for i in range(o.count):
                q = np.uint64(o.found[i])
                if caught and q == out:
                    o.ladder[q] = DOOMED
                else:
                    o.rescue[q] += b.length[p]


@kernel
def find_ladders(o, b, colour):
    """Add to ``o.rescue`` the chains near the last stone that `colour` catches, or keeps from it."""
    for p in range(np.uint64(STRIDE), np.uint64(POINTS - STRIDE)):
        found = b.stones[p]
        if (found != BLACK and found != WHITE) or b.chain[p] != p or o.distance[p] > FAR:
            continue
        if b.liberties[p] > MOST_PSEUDO or ladder.liberties(b, p, o.liberty) != 2:
            continue
        one, other = o.liberty[0], o.liberty[1]
        o.boards[0] = b
        first = ladder.catches(o.boards, one, p, o.liberty)
        o.boards[0] = b
        second = ladder.catches(o.boards, other, p, o.liberty)
        if first or (found == colour and second):
            o.rescue[one] += b.length[p]
        if second or (found == colour and first):
            o.rescue[other] += b.length[p]


@kernel
def is_lonely(b, p):
    """Return whether no stone stands within `FAR` steps of `p` (uint64)."""
    for y in range(-FAR, FAR + 1):
        for x in range(-FAR + abs(y), FAR + 1 - abs(y)):
            q = np.int64(p) + x + STRIDE * y
            if 0 <= q < POINTS and (b.stones[np.uint64(q)] == BLACK or b.stones[np.uint64(q)] == WHITE):
                return False
    return True


@kernel
def line(b, p):
    """Return how far `p` (uint64) is from the edge: 1 on it (int64)."""
    x, y = np.int64(p) % STRIDE, np.int64(p) // STRIDE
    width = np.int64(b.width)
    return min(min(x, width + 1 - x), min(y, width + 1 - y))


@kernel
def advise(s, o, actions, n, priors, weights):
    """Write what is thought of the first `n` of `actions` before any simulation.

    Parameters
    ----------
    s : STATE record
    o : PLAYOUT record
        For scratch.
    actions : int32 array
    n : int
    priors, weights : float32 arrays
        Take the expected result for the side to move, from 0 to 1, and how many simulations it counts for.
    """
    b = s.board
    colour = np.uint64(s.turn) + np.uint64(1)
    measure(o, b, np.uint64(s.recent[0]))
    find_rescues(o, b, colour)
    find_ladders(o, b, colour)
    for i in range(n):
        p = np.uint64(actions[i])
        won, weight = 0.5 * EVEN, EVEN
        if p == PASS:
            weight -= PASSING
        else:
            taken = board.takes(b, p, colour)
            good = np.float64(NEAR_LAST[min(np.uint64(o.distance[p]), np.uint64(4)) % np.uint64(4)])
            if taken:
                good += TAKES_ONE if taken == 1 else TAKES_MORE
            if o.rescue[p]:
                good += RESCUES
            if GOOD_SHAPE[surroundings(b, p)]:
                good += SHAPE
            bad = 0.0
            if taken == 0 and board.liberties_after(b, p, colour) < 2:
                bad -= SELF_ATARI
            if o.ladder[p] == DOOMED:
                bad -= SELF_ATARI
            if o.distance[p] > FAR and line(b, p) <= 3 and is_lonely(b, p):
                if line(b, p) < 3:
                    bad -= EMPTY_EDGE
                else:
                    good += EMPTY_THIRD
            won += good
            weight += good + bad
        priors[i] = won / weight
        weights[i] = weight
