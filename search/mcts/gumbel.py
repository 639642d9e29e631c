"""Many games at once by Gumbel searches, which wait together for a net outside. Specialised with ``game``.

Each game has a tree of its own, which begins anew with each turn. A simulation that needs the net writes what
the net sees of a position; the next call of `run` takes the answers and goes on. At the root simulations are
shared out among the actions whose logit plus Gumbel noise is highest (`search.mcts.halving`). What a policy
learns from is the root's policy, improved by the values found.

`game` is the game's module ``planes``. Values are utilities of Black, from 0 to 1: `WIN_SHARE` for the
result, the rest for the margin.

Source: Danihelka et al., Policy improvement by planning with Gumbel (2022).
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine.jit import kernel, specialise
from tengen.search.binding import with_selection
from tengen.search.mcts.tree import WIN_SHARE

if TYPE_CHECKING:
    from tengen.engine.contract import planes as game


HUNDREDTHS = 100.0  # of a point
EXPLORATION = 1.1  # constant of PUCT
REDUCTION = 0.15  # of the value of a child without visits, below that of its parent
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
    searches: NDArray[Any]  # of `search_record`
    nodes: NDArray[Any]  # NODE (N,)
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
def utility(s):
    """Return the value (float64) of a finished game for Black."""
    size = np.int64(s.board.width)
    margin = np.float64(game.final_margin(s, np.empty(size * size, np.int8)))
    won = 1.0 if margin > 0 else 0.0 if margin < 0 else 0.5
    return WIN_SHARE * won + (1.0 - WIN_SHARE) * (0.5 + math.atan(margin / HUNDREDTHS / size) / math.pi)


if TYPE_CHECKING:
    from tengen.search.mcts import halving, layout, puct, search
else:
    search = specialise(
        "tengen.search.mcts.search", with_selection(game, "tengen.search.mcts.halving", utility=utility)
    )
    layout, halving, puct = search.layout, search.selection, search.selection.puct

ROOT, NODE = layout.ROOT, layout.NODE
SEARCH = search.search_record()


def new_searches(starts: NDArray[Any], count: int) -> NDArray[Any]:
    """Return records of so many searches, from the first of `starts`."""
    searches = np.zeros(count, SEARCH)
    searches["states"] = starts[0]
    searches["depth"], searches["least_urgency"] = search.MAX_PATH, -np.inf
    searches["exploration"], searches["reduction"] = EXPLORATION, REDUCTION
    return searches


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
def start_game(g, b):
    """Begin a game with a random komi, and perhaps some turns that are drawn."""
    states = g.searches[b].states
    game.copy_position_from(states, 0, g.starts)
    states[0].komi = g.komis[np.int64(uniform(g, b) * g.komis.size)]
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
def ask_root(g, b):
    """Begin a new tree, and ask the net about the root."""
    t = g.searches[b]
    t.used = 1
    layout.init_node(g.nodes[b][ROOT], 0, 0.0, 0.0, 0)
    ask(g, b, np.int64(0), t.states[0])


@kernel
def ask(g, b, length, s):
    """Ask the net about `s`, the position at the end of a path of this length."""
    t = g.searches[b]
    t.length = length
    t.count = game.generate(s, t.actions)
    game.write_bits(s, g.asked_bits[b])
    game.write_about(s, g.asked_about[b])


@kernel
def receive(g, b):
    """Take the net's answer for the last node of the path, and back its value up."""
    t, nodes = g.searches[b], g.nodes[b]
    n, length = np.int64(t.count), np.int64(t.length)
    for k in range(n):
        t.priors[k] = g.answer[b, t.actions[k]]
    index, s = (np.int64(t.path[length - 1]), t.states[1]) if length > 0 else (np.int64(ROOT), t.states[0])
    layout.add_children(t, nodes, index, s.side_to_move, n)
    value = np.float64(g.answer_value[b])
    value = value if s.side_to_move == 0 else 1.0 - value
    search.backup(t, nodes, length, value, 0.0)
    if length == 0:
        t.root_value = value
        draw_noise(g, b)


@kernel
def draw_noise(g, b):
    """Draw Gumbel noise for all actions, and note that of the root's children with their logits."""
    t, nodes = g.searches[b], g.nodes[b]
    first, n = layout.first_child(nodes[ROOT]), layout.children(nodes[ROOT])
    k = 0
    for a in range(g.answer.shape[1]):
        noise = -math.log(-math.log(uniform(g, b)))
        if k < n and nodes[first + k].action == a:
            t.noise[k] = noise
            t.logit[k] = math.log(max(np.float64(nodes[first + k].policy), halving.LEAST_PRIOR))
            k += 1


@kernel
def simulate(g, b):
    """Descend to a leaf; return whether the net has been asked about it, else its value was backed up."""
    t, nodes = g.searches[b], g.nodes[b]
    t.wanted = g.sequence[nodes[ROOT].visits - 1]
    length, value, margin = search.descend(t, nodes)
    if value < 0.0:
        ask(g, b, length, t.states[1])
        return True
    search.backup(t, nodes, length, value, margin)
    return False


@kernel
def draw_action(g, b, by_policy):
    """Return a random action (int64) of the root, by its policy or all alike; a pass if nothing else."""
    nodes = g.nodes[b]
    first, others = layout.first_child(nodes[ROOT]), layout.children(nodes[ROOT]) - 1
    total = 0.0
    for i in range(first, first + others):
        total += nodes[i].policy if by_policy else 1.0
    left = uniform(g, b) * total
    for i in range(first, first + others):
        left -= nodes[i].policy if by_policy else 1.0
        if left <= 0.0:
            return np.int64(nodes[i].action)
    return np.int64(nodes[first + max(others - 1, 0)].action)


@kernel
def end_game(g, b, margin, resigned):
    """Note how the game ended, with Black's `margin` in hundredths."""
    g.ended[b] = 1
    g.resigned[b] = resigned
    g.result[b] = 1.0 if margin > 0 else 0.0 if margin < 0 else 0.5
    g.margin[b] = 0.0 if resigned else margin / HUNDREDTHS


@kernel
def choose(g, b):
    """Return the action (int64) that the finished search chooses, and note what it found."""
    t, nodes = g.searches[b], g.nodes[b]
    root, i = nodes[ROOT], g.searched[b]
    first, n = layout.first_child(root), layout.children(root)
    most = halving.improve(t, nodes)
    best, best_score, top = np.int64(-1), -np.inf, -np.inf
    for k in range(n):
        top = max(top, t.improved[k])
        score = t.improved[k] + t.noise[k]
        if nodes[first + k].visits == most and score > best_score:
            best, best_score = np.int64(nodes[first + k].action), score
    total = 0.0
    for k in range(n):
        total += math.exp(t.improved[k] - top)
    g.target[b, i, :] = 0.0
    for k in range(n):
        g.target[b, i, nodes[first + k].action] = math.exp(t.improved[k] - top) / total
    game.write_bits(t.states[0], g.bits[b, i])
    game.write_about(t.states[0], g.about[b, i])
    g.rate[b, i] = puct.mean_for(root, root.side_to_move)
    g.mover[b, i] = root.side_to_move
    g.searched[b] = i + 1
    count_streak(g, b, root.value)
    return best


@kernel
def count_streak(g, b, black):
    """Count the turns in a row after which a side is nearly winning, given the value for Black."""
    if black > 1.0 - RESIGN_RATE:
        g.streak[b] = max(g.streak[b], 0) + 1
    elif black < RESIGN_RATE:
        g.streak[b] = min(g.streak[b], 0) - 1
    else:
        g.streak[b] = 0


@kernel
def play_turn(g, b):
    """Play the turn that the search chose, or that is drawn; the game may end by it."""
    if g.uniform[b] > 0:
        action = draw_action(g, b, False)
        g.uniform[b] -= 1
    elif g.opening[b] > 0:
        action = draw_action(g, b, True)
        g.opening[b] -= 1
    else:
        action = choose(g, b)
    s = g.searches[b].states[0]
    game.do_move(s, action)
    if g.may_resign[b] and abs(g.streak[b]) >= RESIGN_TURNS:
        end_game(g, b, np.float64(g.streak[b]), True)
    elif game.outcome(s) or g.searched[b] == g.bits.shape[1]:
        end_game(g, b, np.float64(game.final_margin(s, g.owners[b])), False)
    else:
        ask_root(g, b)


@kernel
def run(g, first, last):
    """Take the net's answers for the games from `first` to `last`, and go on until each asks it again.

    Games that ended in an earlier call begin anew. One that ends now waits for the next call, and its answer
    is of no use.
    """
    for b in range(first, last):
        if g.ended[b]:
            start_game(g, b)
            continue
        receive(g, b)
        while True:
            drawn = g.opening[b] > 0 or g.uniform[b] > 0
            if drawn or g.nodes[b][ROOT].visits > g.sequence.size:
                play_turn(g, b)
                break
            if simulate(g, b):
                break
