"""What learning of the net asks of the game: games as planes, and how playouts from their positions end."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.go import board, rules
from tengen.engine.go.arrays import actions
from tengen.engine.go.knowledge.net import SHAPE as SHAPE
from tengen.engine.go.knowledge.net import write_about, write_bits
from tengen.engine.go.playouts.playout import PLAYOUT
from tengen.engine.go.rules import DRAW, ONGOING, is_legal, start
from tengen.engine.go.rules import MAX_ACTIONS as MAX_ACTIONS
from tengen.engine.go.scoring import score_board
from tengen.engine.go.simulation import simulate
from tengen.engine.go.state import CHINESE, HUNDREDTHS, PASS, POINTS, STRIDE, TERRITORY
from tengen.engine.go.state import STATE as STATE
from tengen.engine.jit import kernel
from tengen.engine.nets.convolution import NO_KOMI
from tengen.engine.options import Value

_1 = np.uint64(1)


@kernel
def replay_bits(states, o, turns, wanted, playouts, bits, about, rates):
    """Play `turns` from ``states[0]``, in place, and write what the net sees of the `wanted` positions.

    Parameters
    ----------
    states : STATE records, shape (2,)
        The start position, and scratch.
    o : PLAYOUT record
        Scratch; its random numbers go on.
    turns : int32 array
        Actions; they need not be legal.
    wanted : bool array, shape (turns,)
        Whether the position before the turn is wanted.
    playouts : int64
        How many playouts go on from each wanted position.
    bits : int16 array, shape (wanted, points)
        Points by rows from the bottom; plane k is bit k.
    about, rates : float32 arrays, shapes (wanted, numbers about a position) and (wanted,)
        `rates` takes the mean value of the playouts for the side to move.

    Returns
    -------
    int64
        Number of turns that were played: fewer than there are if the next one is illegal.
    """
    s = states[0]
    row = 0
    for i in range(len(turns)):
        if turns[i] < 0 or turns[i] >= POINTS or s.passes == 2:
            return np.int64(i)
        if turns[i] != PASS and not is_legal(s, np.uint64(turns[i])):
            return np.int64(i)
        if wanted[i]:
            write_bits(s, bits[row])
            write_about(s, about[row])
            total = 0.0
            for _ in range(playouts):
                rules.copy_state(states, 1, 0)
                o.first[:] = 0
                total += simulate(states[1], o)[0]
            if playouts:
                mean = total / playouts
                rates[row] = mean if s.side_to_move == 0 else 1.0 - mean
            row += 1
        rules.do_move(s, turns[i])
    return np.int64(len(turns))


def scratch() -> tuple[Any, Any]:
    """Return states and a PLAYOUT record, for `replay_bits`."""
    playout = np.zeros(1, PLAYOUT)[0]
    playout.random = 1
    return np.zeros(2, STATE), playout


def komi_ranges(starts: Iterable[Any]) -> NDArray[np.int32]:
    """Return the lowest and the highest komi of start positions, in hundredths, as a net keeps them.

    The shape is (2, 2): with area scoring, then with territory scoring.
    """
    komis: tuple[list[int], list[int]] = [], []
    for state in starts:
        komis[int(state.rules == TERRITORY)].append(int(state.komi))
    return np.array([(min(found), max(found)) if found else NO_KOMI for found in komis], np.int32)


def policy_indices(size: int) -> NDArray[np.int64]:
    """Return by action where its probability stands: rows from the bottom, then a pass; -1 if nowhere."""
    found = np.full(POINTS, -1, np.int64)
    found[actions({"size": size})] = np.arange(size * size + 1)
    return found


def owner_indices(points: list[int], size: int) -> NDArray[np.int64]:
    """Return for each of `points` where it stands by rows from the bottom."""
    return policy_indices(size)[points]


# ------------------------------------------------------------------------------------------------------------
# Many games at once (`search.mcts.gumbel`): positions without history, by simple ko, counted by area. Actions
# are points by rows from the bottom, and then the pass.

COMMON_KOMIS = (5.5, 6.5, 7.0, 7.5)  # nine tenths of the games have one of these
RARE_KOMIS = tuple(range(-8, 24))  # the others one of these
#: int32, hundredths: what the komi of a game is drawn from, all alike
KOMIS = np.round(HUNDREDTHS * np.array([*COMMON_KOMIS * 72, *RARE_KOMIS])).astype(np.int32)
#: int32, shape (2, 2): what `komi_ranges` has for nets that have learned from such games
LEARNED_KOMIS = np.array(
    [[HUNDREDTHS * min(COMMON_KOMIS), HUNDREDTHS * max(COMMON_KOMIS)], NO_KOMI], np.int32
)
#: The same with the rare ones, whatever the scoring
ALL_KOMIS = np.array(2 * [[HUNDREDTHS * RARE_KOMIS[0], HUNDREDTHS * RARE_KOMIS[-1]]], np.int32)
SIZE_INPUT, SCORING_INPUTS = 3, (1, 4)  # places among the numbers of `write_about`


def size_input(size: int) -> float:
    """Return what `write_about` has for boards of this size."""
    return (size - 9) / 10


def batch_start(options: Mapping[str, Value], size: int) -> Any:
    """Return the start position of games side by side on boards of this size; other options as given."""
    return start({**options, "size": size, "komi": 7.0, "ko": "simple", "handicap": 0})


@kernel
def copy_position_from(states, to, sources):
    """Copy ``sources[0]`` to ``states[to]``, a position on a board as large, but for history and keys."""
    old, new = sources[0], states[to]
    a, b = old.board, new.board
    end = STRIDE * (np.int64(a.width) + 2) + 1
    for p in range(end):
        b.stones[p] = a.stones[p]
    for p in range(end):
        b.chain[p] = a.chain[p]
    for p in range(end):
        b.next_in_chain[p] = a.next_in_chain[p]
    for p in range(end):
        b.length[p] = a.length[p]
    for p in range(end):
        b.liberties[p] = a.liberties[p]
    for p in range(end):
        b.liberty_sum[p] = a.liberty_sum[p]
    for p in range(end):
        b.liberty_squares[p] = a.liberty_squares[p]
    for p in range(end):
        b.place[p] = a.place[p]
    for i in range(np.int64(a.num_empty)):
        b.empty[i] = a.empty[i]
    b.num_empty, b.ko, b.width = a.num_empty, a.ko, a.width
    b.prisoners[0], b.prisoners[1] = a.prisoners[0], a.prisoners[1]
    new.last_actions[0], new.last_actions[1] = old.last_actions[0], old.last_actions[1]
    new.komi, new.rules, new.passes, new.side_to_move = old.komi, old.rules, old.passes, old.side_to_move


@kernel
def copy_state(states, to, source):
    """Copy ``states[source]`` to ``states[to]``, as `copy_position_from` does."""
    copy_position_from(states, to, states[source : source + 1])


@kernel
def action_of(size, index):
    """Return the rules' action (int64) of a point, or of the pass, by its index on a board of this size."""
    if index == size * size:
        return np.int64(PASS)
    return np.int64(index % size + 1 + STRIDE * (index // size + 1))


@kernel
def generate(s, actions):
    """Write what the side to move may play into `actions`; return the number (int64).

    It may not fill an own eye. A pass, the last one, is always permitted.
    """
    b = s.board
    size, colour = np.int64(b.width), np.uint64(s.side_to_move) + _1
    n = 0
    for index in range(size * size):
        p = np.uint64(action_of(size, index))
        if is_legal(s, p) and not board.is_eye(b, p, colour):
            actions[n] = index
            n += 1
    actions[n] = size * size
    return np.int64(n + 1)


@kernel
def do_move(s, action):
    """Play an action; history, key and result of `s` stay as they were."""
    rules.play_action(s, action_of(np.int64(s.board.width), action))


@kernel
def outcome(s):
    """Return ONGOING, or DRAW (int64) once both sides have passed: `final_margin` tells who has won."""
    return np.int64(DRAW if s.passes >= 2 else ONGOING)


@kernel
def final_margin(s, owners):
    """Return Black's margin (int64, hundredths) by area, all stones alive; write the owners of points.

    `owners` (int8) takes 1 for Black's points, -1 for White's, else 0.
    """
    size = np.int64(s.board.width)
    dead, owner, seki = np.zeros(POINTS, np.bool_), np.zeros(POINTS, np.int8), np.zeros(POINTS, np.bool_)
    margin = score_board(s.board, CHINESE, dead, owner, seki)
    for i in range(size * size):
        owners[i] = owner[action_of(size, i)]
    return HUNDREDTHS * margin - np.int64(s.komi)
