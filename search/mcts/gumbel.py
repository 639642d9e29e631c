"""Many games at once by Gumbel searches, which wait together for a net outside. Specialised with ``game``.

Each game has a tree of its own, which begins anew with each turn. A simulation that needs the net writes what
the net sees of a position; the next call of `run` takes the answers and goes on. At the root simulations are
shared out by sequential halving among the actions whose logit plus Gumbel noise is highest. Below, selection
is by PUCT. What a policy learns from is the root's policy, improved by the values found.

`game` is the game's module ``planes``. Values are utilities of Black, from 0 to 1: `WIN_SHARE` for the
result, the rest for the margin. Indices of actions are points by rows from the bottom, then the pass.

Source: Danihelka et al., Policy improvement by planning with Gumbel (2022).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine.jit import kernel

if TYPE_CHECKING:
    from tengen.engine.contract import planes as game


WIN_SHARE = 0.85  # of the result in a utility
HUNDREDTHS = 100.0  # of a point
EXPLORATION = 1.1  # constant of PUCT
REDUCTION = 0.15  # of the value of a child without visits, below that of its parent
BASE_VISITS, VALUE_SCALE = 50.0, 0.6  # a difference of values counts (visits + 50) * 0.6 in logits
LEAST_PRIOR = 1e-9
RESIGN_RATE, RESIGN_TURNS = 0.04, 4  # a game that may be given up is, when a side's value is so low so often
PLAYED_OUT = 0.3  # share of the games that nobody gives up
RANDOM_OPENINGS = 0.3  # share of the games that begin with random turns
RANDOM_TURNS = 5  # fewer than so many
_13, _7, _17, _11 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(11)


class Games(NamedTuple):
    """Games of one board size, their trees, and what they wait for; arrays with a row for each game.

    Shapes are given in numbers of nodes N, actions A, points P and turns T.
    """

    starts: NDArray[Any]  # STATE, shape (1,): the start position
    komis: NDArray[Any]  # int32, not by game: komis that are drawn from, hundredths
    sequence: NDArray[Any]  # int32, not by game: by simulation, the visits that a root action must have
    opening_turns: NDArray[Any]  # int32, shape (1,): turns are drawn by the policy before fewer than so many
    random: NDArray[Any]  # uint64: state of the generator
    states: NDArray[Any]  # STATE: the root
    # Trees
    prior: NDArray[Any]  # float32 (N, A): -1 where it is not permitted
    child: NDArray[Any]  # int16 (N, A): 0 without a child
    visits: NDArray[Any]  # int32 (N,)
    total: NDArray[Any]  # float64 (N,): sum of values
    value: NDArray[Any]  # float32 (N,): of the net, or of the finished game
    side: NDArray[Any]  # int8 (N,): to move
    finished: NDArray[Any]  # int8 (N,)
    used: NDArray[Any]  # int32: nodes
    path: NDArray[Any]  # int16 (N,): nodes of the simulation, the root first
    length: NDArray[Any]  # int32: of the path
    noise: NDArray[Any]  # float32 (A,)
    logit: NDArray[Any]  # float32 (A,): of the root's policy; minus infinity for what is not permitted
    # Games
    opening: NDArray[Any]  # int32: turns that are still drawn by the policy
    uniform: NDArray[Any]  # int32: turns that are still random
    may_resign: NDArray[Any]  # int8
    streak: NDArray[Any]  # int32: turns in a row that Black, or with a minus White, was nearly winning
    ended: NDArray[Any]  # int8: the game can be read; the next call begins another one
    resigned: NDArray[Any]  # int8
    result: NDArray[Any]  # float32: 1 Black has won, 0 White, 0.5 neither
    margin: NDArray[Any]  # float32: Black's, in points; 0 if a side resigned
    owners: NDArray[Any]  # int8 (P,)
    # What was searched
    searched: NDArray[Any]  # int32: positions
    bits: NDArray[Any]  # int16 (T, P)
    about: NDArray[Any]  # float32 (T, numbers about a position)
    target: NDArray[Any]  # float32 (T, A)
    rate: NDArray[Any]  # float32 (T,): value of the root for the side to move
    mover: NDArray[Any]  # int8 (T,)
    # The net
    asked_bits: NDArray[Any]  # int16 (P,)
    asked_about: NDArray[Any]  # float32 (numbers about a position,)
    answer: NDArray[Any]  # float32 (A,): the policy
    answer_value: NDArray[Any]  # float32: utility of the side to move


@kernel
def uniform(g, b):
    """Return a random number (float64) in (0, 1)."""
    x = g.random[b]
    x ^= x << _13
    x ^= x >> _7
    x ^= x << _17
    g.random[b] = x
    return (np.float64(x >> _11) + 0.5) * (1.0 / 9007199254740992.0)


@kernel
def utility(margin, size):
    """Return the value (float64) of a finished game for Black; `margin` is in hundredths."""
    won = 1.0 if margin > 0 else 0.0 if margin < 0 else 0.5
    return WIN_SHARE * won + (1.0 - WIN_SHARE) * (0.5 + math.atan(margin / HUNDREDTHS / size) / math.pi)


@kernel
def start_game(g, b):
    """Begin a game with a random komi, and perhaps some turns that are drawn."""
    game.copy_position_from(g.states, b, g.starts)
    g.states[b].komi = g.komis[np.int64(uniform(g, b) * g.komis.size)]
    g.opening[b] = np.int64(uniform(g, b) * g.opening_turns[0])
    random_turns = uniform(g, b) < RANDOM_OPENINGS
    g.uniform[b] = np.int64(uniform(g, b) * RANDOM_TURNS) if random_turns else 0
    g.may_resign[b] = uniform(g, b) > PLAYED_OUT
    g.streak[b] = 0
    g.ended[b] = 0
    g.resigned[b] = 0
    g.searched[b] = 0
    ask_root(g, b)


@kernel
def new_node(g, b, node):
    """Make `node` one without visits and children."""
    g.visits[b, node] = 0
    g.total[b, node] = 0.0
    g.finished[b, node] = 0
    g.child[b, node, :] = 0


@kernel
def ask_root(g, b):
    """Begin a new tree, and ask the net about the root."""
    g.used[b] = 1
    g.length[b] = 1
    g.path[b, 0] = 0
    new_node(g, b, 0)
    ask(g, b, 0, g.states[b])


@kernel
def ask(g, b, node, s):
    """Ask the net about `s`, the position of `node`."""
    g.side[b, node] = s.side_to_move
    game.mark_permitted(s, g.prior[b, node])
    game.write_bits(s, g.asked_bits[b])
    game.write_about(s, g.asked_about[b])


@kernel
def receive(g, b):
    """Take the net's answer for the last node of the path, and back its value up."""
    node = np.int64(g.path[b, g.length[b] - 1])
    prior, answer = g.prior[b, node], g.answer[b]
    for a in range(prior.size):
        if prior[a] >= np.float32(0.0):
            prior[a] = answer[a]
    value = np.float64(g.answer_value[b])
    g.value[b, node] = value if g.side[b, node] == 0 else 1.0 - value
    back_up(g, b, np.float64(g.value[b, node]))
    if node == 0:
        for a in range(prior.size):
            g.noise[b, a] = -math.log(-math.log(uniform(g, b)))
            permitted = prior[a] >= np.float32(0.0)
            g.logit[b, a] = math.log(max(np.float64(prior[a]), LEAST_PRIOR)) if permitted else -np.inf


@kernel
def back_up(g, b, value):
    """Add a visit with this value to all nodes of the path."""
    for k in range(g.length[b]):
        node = g.path[b, k]
        g.visits[b, node] += 1
        g.total[b, node] += value


@kernel
def mean_for(g, b, node, side):
    """Return the mean value (float64) of a visited node for `side`."""
    mean = g.total[b, node] / g.visits[b, node]
    return mean if side == 0 else 1.0 - mean


@kernel
def improve(g, b, improved):
    """Write logits plus scaled values of the root's actions into `improved` (float32); return most visits.

    Actions without visits have a mixture of the net's value of the root and the values of the others. What is
    not permitted gets minus infinity.
    """
    side = g.side[b, 0]
    prior = g.prior[b, 0]
    most = np.int64(0)
    visits = 0.0
    seen = value_sum = 0.0
    for a in range(prior.size):
        child = np.int64(g.child[b, 0, a])
        if child:
            n = np.int64(g.visits[b, child])
            most = max(most, n)
            visits += n
            weight = max(np.float64(prior[a]), LEAST_PRIOR)
            seen += weight
            value_sum += weight * mean_for(g, b, child, side)
    own = np.float64(g.value[b, 0])
    mixed = own if side == 0 else 1.0 - own
    if visits > 0.0:
        mixed = (mixed + visits * value_sum / seen) / (1.0 + visits)
    scale = (BASE_VISITS + most) * VALUE_SCALE
    for a in range(prior.size):
        child = np.int64(g.child[b, 0, a])
        value = mean_for(g, b, child, side) if child else mixed
        improved[a] = g.logit[b, a] + scale * value
    return most


@kernel
def select_at_root(g, b, improved):
    """Return the index (int64) of the root's action for the next simulation: sequential halving."""
    improve(g, b, improved)
    wanted = np.int64(g.sequence[g.visits[b, 0] - 1])
    best, best_score = np.int64(-1), -np.inf
    for a in range(improved.size):
        child = np.int64(g.child[b, 0, a])
        n = np.int64(g.visits[b, child]) if child else np.int64(0)
        if n > wanted or improved[a] == -np.inf:
            continue
        score = improved[a] + g.noise[b, a] - 1000.0 * (wanted - n)
        if score > best_score:
            best, best_score = np.int64(a), score
    return best if best >= 0 else np.int64(improved.size - 1)


@kernel
def select(g, b, node):
    """Return the index (int64) of the action of the highest PUCT score."""
    side = g.side[b, node]
    prior = g.prior[b, node]
    scale = EXPLORATION * math.sqrt(np.float64(g.visits[b, node]))
    unvisited = mean_for(g, b, node, side) - REDUCTION
    best, best_score = np.int64(prior.size - 1), -np.inf
    for a in range(prior.size):
        if prior[a] < np.float32(0.0):
            continue
        child = np.int64(g.child[b, node, a])
        if child:
            score = mean_for(g, b, child, side) + scale * prior[a] / (1.0 + g.visits[b, child])
        else:
            score = unvisited + scale * prior[a]
        if score > best_score:
            best, best_score = np.int64(a), score
    return best


@kernel
def simulate(g, b, scratch, improved):
    """Descend to a leaf; return whether the net has been asked about it, else its value was backed up.

    `scratch` is an array of STATE of which the first one is used.
    """
    game.copy_position_from(scratch, 0, g.states[b : b + 1])
    s = scratch[0]
    size = np.int64(s.board.width)
    node, length = np.int64(0), np.int64(1)
    while True:
        a = select_at_root(g, b, improved) if node == 0 else select(g, b, node)
        game.play_action(s, game.action_of(size, a))
        child = np.int64(g.child[b, node, a])
        if child == 0:
            child = np.int64(g.used[b])
            g.used[b] += 1
            new_node(g, b, child)
            g.child[b, node, a] = child
            g.path[b, length] = child
            g.length[b] = length + 1
            if s.passes < 2:
                ask(g, b, child, s)
                return True
            g.finished[b, child] = 1
            g.value[b, child] = utility(np.float64(game.final_margin(s, g.owners[b])), size)
            back_up(g, b, np.float64(g.value[b, child]))
            return False
        node = child
        g.path[b, length] = node
        length += 1
        g.length[b] = length
        if g.finished[b, node]:
            back_up(g, b, np.float64(g.value[b, node]))
            return False


@kernel
def draw_action(g, b, by_policy):
    """Return the index (int64) of a random permitted action, by the root's policy or all alike (no pass)."""
    prior = g.prior[b, 0]
    last = prior.size - 1
    total = 0.0
    for a in range(last):
        if prior[a] >= np.float32(0.0):
            total += prior[a] if by_policy else 1.0
    left = uniform(g, b) * total
    chosen = np.int64(last)
    for a in range(last):
        if prior[a] >= np.float32(0.0):
            left -= prior[a] if by_policy else 1.0
            chosen = np.int64(a)
            if left <= 0.0:
                break
    return chosen


@kernel
def end_game(g, b, margin, resigned):
    """Note how the game ended, with Black's `margin` in hundredths."""
    g.ended[b] = 1
    g.resigned[b] = resigned
    g.result[b] = 1.0 if margin > 0 else 0.0 if margin < 0 else 0.5
    g.margin[b] = 0.0 if resigned else margin / HUNDREDTHS


@kernel
def choose(g, b, improved):
    """Return the index (int64) of the action that the finished search chooses, and note what it found."""
    most = improve(g, b, improved)
    best, best_score = np.int64(-1), -np.inf
    top = -np.inf
    for a in range(improved.size):
        top = max(top, improved[a])
        child = np.int64(g.child[b, 0, a])
        if child and g.visits[b, child] == most:
            score = improved[a] + g.noise[b, a]
            if score > best_score:
                best, best_score = np.int64(a), score
    i = g.searched[b]
    total = 0.0
    for a in range(improved.size):
        total += math.exp(improved[a] - top)
    for a in range(improved.size):
        g.target[b, i, a] = math.exp(improved[a] - top) / total
    s = g.states[b]
    game.write_bits(s, g.bits[b, i])
    game.write_about(s, g.about[b, i])
    g.rate[b, i] = mean_for(g, b, 0, g.side[b, 0])
    g.mover[b, i] = g.side[b, 0]
    g.searched[b] = i + 1
    black = mean_for(g, b, 0, 0)
    if black > 1.0 - RESIGN_RATE:
        g.streak[b] = max(g.streak[b], 0) + 1
    elif black < RESIGN_RATE:
        g.streak[b] = min(g.streak[b], 0) - 1
    else:
        g.streak[b] = 0
    return best


@kernel
def play_turn(g, b, improved):
    """Play the turn that the search chose, or that is drawn; the game may end by it."""
    if g.uniform[b] > 0:
        a = draw_action(g, b, False)
        g.uniform[b] -= 1
    elif g.opening[b] > 0:
        a = draw_action(g, b, True)
        g.opening[b] -= 1
    else:
        a = choose(g, b, improved)
    s = g.states[b]
    game.play_action(s, game.action_of(np.int64(s.board.width), a))
    if g.may_resign[b] and abs(g.streak[b]) >= RESIGN_TURNS:
        end_game(g, b, np.float64(g.streak[b]), True)
    elif s.passes == 2 or g.searched[b] == g.bits.shape[1]:
        end_game(g, b, np.float64(game.final_margin(s, g.owners[b])), False)
    else:
        ask_root(g, b)


@kernel
def run(g, scratch, improved, first, last):
    """Take the net's answers for the games from `first` to `last`, and go on until each asks it again.

    Games that ended in an earlier call begin anew. One that ends now waits for the next call, and its answer
    is of no use.

    Parameters
    ----------
    g : Games
    scratch : ndarray of STATE, shape (1,)
    improved : ndarray of float32, shape (actions,)
    first, last : int
    """
    for b in range(first, last):
        if g.ended[b]:
            start_game(g, b)
            continue
        receive(g, b)
        while True:
            drawn = g.opening[b] > 0 or g.uniform[b] > 0
            if drawn or g.visits[b, 0] > g.sequence.size:
                play_turn(g, b, improved)
                break
            if simulate(g, b, scratch, improved):
                break
