"""The rules of Gomoku and Gobang as kernels over `STATE`; an action is a point, and a complete turn.

Both games share the kernels: the state says whether pairs are captured.
"""

import functools
import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

import tengen.engine.gomoku.state as state
from tengen.engine.board import goban
from tengen.engine.contract import NO_THREAT, UNKNOWN
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.gomoku.evaluate import point_value
from tengen.engine.gomoku.lines.board import PAIRS_TAKEN, clear, put_stone, raw_rank, refresh_all
from tengen.engine.gomoku.lines.patterns import FORBIDDEN, RANK_FIVE, SUSPECT, WINNING_FOUR
from tengen.engine.gomoku.lines.renju import may_play
from tengen.engine.gomoku.lines.threats import close_to_win as close_to_win
from tengen.engine.gomoku.lines.threats import generate_attacks as generate_attacks
from tengen.engine.gomoku.lines.threats import generate_defences as generate_defences
from tengen.engine.gomoku.lines.threats import threatens
from tengen.engine.gomoku.state import STATE as STATE
from tengen.engine.jit import kernel

ACTIONS = state.POINTS
MAX_ACTIONS = state.POINTS
MULTI_ACTION_TURNS = False
MERGES_TRANSPOSITIONS = False

# Late-move pruning: quiet actions searched, by depth. Worth +191 [128, 267] Elo at 20,000 nodes a turn.
LATE_MOVE_COUNTS = (0, 5, 7, 10, 14, 20, 28)
SELECTIVITY = {
    "futility-margin": 60,
    "futility-depth": 8,
    "quiet-futility-margin": 100,
    "quiet-futility-depth": 6,
    "policy-gap": 600,
    "policy-gap-per-ply": 120,
    "policy-depth": 8,
    "policy-reduction": 25,
    "singular-depth": 6,
}

PROOF_NUMBERS = True
DISTANCES = np.array([8, 8, 6, 5, 3, 4, 2, 1, 1, 0], np.int64)  # of a rank from a win, for `foresee`
LAST_POINTS = 2 * state.MAX_SIZE  # empty points at which `foresee` leaves it to `do_move` to end a game
LEAF_THREAT_BUDGET = 0  # the threat search at leaves looks at fours only
FIRST_THREAT_PLIES = 8

PRO_SIZE = 7  # the smallest board on which the Pro opening leaves a point for the third stone

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)


def start(options: Mapping[str, Any]) -> Any:
    """Return the empty board, Black to move [M-1], under the rules of `options`.

    Raise OptionError when the board is too small for the Pro opening.
    """
    return _start(tuple(options.items())).copy()


@functools.cache
def _start(options: tuple[tuple[str, Any], ...]) -> Any:
    """Return the state that `start` copies."""
    values = dict(options)
    s = np.zeros(1, STATE)[0]
    s.exactly_five[:] = int(values.get("exactly-five", False))
    s.renju = int(values.get("renju", False))
    s.exactly_five[state.BLACK] |= s.renju
    s.capturing = int("capture-win" in values)
    s.pairs_to_win = values.get("capture-win", 0)
    s.pro = int(values["opening"] == "pro")
    if s.pro and values["size"] < PRO_SIZE:
        raise OptionError(f"opening=pro: expected size={PRO_SIZE} or more, got size={values['size']}")
    clear(s, np.int64(values["size"]))
    return s


@kernel
def generate(s, actions):
    """Write all legal points, from the bottom, into `actions` (int32, `MAX_ACTIONS`); return their number."""
    n = 0
    if s.result != ONGOING:
        return n
    for y in range(s.width):
        for p in range(state.MAX_SIZE * y, state.MAX_SIZE * y + s.width):
            if state.is_empty(s, p) and may_play(s, p):
                actions[n] = p
                n += 1
    return n


@kernel
def _empty_points(s):
    """Return the number of empty points (int64)."""
    return np.int64(s.width) * np.int64(s.width) - np.int64(s.stones)


@kernel
def _suspects(s):
    """Return the number of points (int64) that may be forbidden for the side to move."""
    if s.side_to_move != state.BLACK or s.renju == 0:
        return np.int64(0)
    return np.int64(s.rank_counts[state.BLACK, SUSPECT]) + np.int64(s.rank_counts[state.BLACK, FORBIDDEN])


@kernel
def count(s):
    """Return the number of legal actions (int64), what `generate` would return."""
    if s.result != ONGOING:
        return np.int64(0)
    limited = s.pro and (s.stones == 0 or s.stones == 2)
    if not limited and _suspects(s) == 0:
        return _empty_points(s)
    legal = np.int64(0)
    for y in range(s.width):
        for p in range(state.MAX_SIZE * y, state.MAX_SIZE * y + s.width):
            legal += state.is_empty(s, p) and may_play(s, p)
    return legal


@kernel
def _has_ended(s):
    """Return whether the side to move has no legal turn [M-2][R-7]."""
    return _empty_points(s) <= _suspects(s) and count(s) == 0


@kernel
def generate_candidates(s, actions):
    """Write the legal actions worth searching into `actions`; return their number, 0 only at the end.

    These are the answers to a threat; without one, the points within two steps of a stone, or the middle of
    an empty board.
    """
    if s.result != ONGOING:
        return 0
    n = generate_defences(s, actions)
    if n != NO_THREAT:
        return n
    n = 0
    limited = s.renju or s.pro
    for y in range(s.width):
        bits = state.candidate_row(s, y)
        while bits:
            p = state.row_point(y, bits)
            bits &= bits - 1
            if not limited or may_play(s, p):
                actions[n] = p
                n += 1
    if s.stones == 0:
        actions[0] = (np.int64(s.width) // 2) * (state.MAX_SIZE + 1)
        return 1
    return n if n else generate(s, actions)


@kernel
def generate_rest(s, actions):
    """Write the legal actions that `generate_candidates` leaves out but may help; return their number.

    These are the points far from all stones. While a threat must be answered there are none, or all points
    where an answer may lose sooner than another stone.
    """
    if s.result != ONGOING:
        return 0
    if generate_defences(s, actions) != NO_THREAT:
        return generate(s, actions) if unanswered(s, actions) else 0
    n = 0
    for y in range(s.width):
        bits = state.free_row(s, y) & ~np.int64(s.near[y])
        while bits:
            p = state.row_point(y, bits)
            bits &= bits - 1
            if may_play(s, p):
                actions[n] = p
                n += 1
    return n


@kernel
def unanswered(s, scratch):
    """Return in how many turns (int64) a side loses that answers no threat, where an answer may lose sooner.

    That is when the opponent threatens a winning four. An answer loses sooner if it lets him capture, or if
    it captures what was in the way of a five. Without captures no answer does: 0. `scratch` is an array like
    that of `generate`.
    """
    foe = 1 - np.int64(s.side_to_move)
    if not s.capturing or s.rank_counts[foe, WINNING_FOUR] == 0 or forced(s):
        return np.int64(0)
    return np.int64(0 if generate_defences(s, scratch) == NO_THREAT else 4)


@kernel
def generate_noisy(s, actions):
    """Write the actions of the quiescence search, answers to a threat of five; return their number."""
    if s.result != ONGOING or not forced(s):
        return 0
    return generate_defences(s, actions)


@kernel
def forced(s):
    """Return whether the opponent threatens to win with the next stone."""
    return threatens(s, 1 - np.int64(s.side_to_move))


@kernel
def is_quiet_threat(before, after):
    """Return whether the action between these states threatens no win at once: an open three, not a four."""
    return not forced(after)


@kernel
def foresee(s, action):
    """Return the key (uint64) after an action, and how far it is from a win (int64).

    `UNKNOWN` are captures, points that may be forbidden, and stones near the end of the game.
    """
    p, side = np.int64(action), np.int64(s.side_to_move)
    rank = raw_rank(s, side, p)
    key = s.key ^ state.STONE_KEYS[side, p] ^ state.SIDE_KEY
    last = rank != RANK_FIVE and _empty_points(s) <= LAST_POINTS
    if rank >= SUSPECT or last or s.takes[side, p] & PAIRS_TAKEN:
        return key, np.int64(UNKNOWN)
    return key, DISTANCES[rank]


@kernel
def priority(s, action):
    """Return an ordering hint (int64): the value of the point for both sides, positive from fours on."""
    return point_value(s, np.int64(action))


@kernel
def do_move(s, action):
    """Put a stone of the side to move on the empty point `action`, in place."""
    p, side = np.int64(action), np.int64(s.side_to_move)
    five = raw_rank(s, side, p) == RANK_FIVE
    pairs = put_stone(s, side, p)
    if pairs:
        before = np.int64(s.pairs[side])
        s.pairs[side] = before + pairs
        if s.pairs_to_win:
            s.key ^= state.PAIR_KEYS[side, before] ^ state.PAIR_KEYS[side, before + pairs]
    s.key ^= state.SIDE_KEY
    s.side_to_move = 1 - side
    if five or (s.pairs_to_win and s.pairs[side] >= s.pairs_to_win):
        s.result = FIRST_WINS if side == state.BLACK else SECOND_WINS
    elif _has_ended(s):
        s.result = DRAW


@kernel
def outcome(s):
    """Return an `engine.game.Outcome` as int64."""
    return np.int64(s.result)


@kernel
def recompute_key(s):
    """Return the Zobrist key (uint64) of `s`, computed from its other fields."""
    key = state.SIDE_KEY if s.side_to_move == 1 else np.uint64(0)
    for y in range(s.width):
        for p in range(state.MAX_SIZE * y, state.MAX_SIZE * y + s.width):
            for side in range(2):
                if not state.is_empty(s, p) and state.has_stone(s, side, p):
                    key ^= state.STONE_KEYS[side, p]
    if s.pairs_to_win:
        key ^= (
            state.PAIR_KEYS[0, min(s.pairs[0], state.WON_PAIRS)]
            ^ state.PAIR_KEYS[1, min(s.pairs[1], state.WON_PAIRS)]
        )
    return key


def set_side_to_move(s: Any, side: int) -> None:
    """Make `side` the side to move, in place, for GTP's set-up play."""
    if s.side_to_move != side:
        s.side_to_move = side
        s.key ^= state.SIDE_KEY
        if s.result in (ONGOING, DRAW):  # only Black has forbidden points
            s.result = ONGOING
            s.result = DRAW if _has_ended(s) else ONGOING


def set_up(
    options: Mapping[str, Any],
    stones: Mapping[tuple[int, int], int],
    side: int,
    pairs: tuple[int, int] = (0, 0),
) -> Any:
    """Return the state with `stones` and `side` to move; a five or enough pairs have won.

    Stones are colours of `engine.board.goban` by (column, row); setting them up captures nothing. `pairs`
    have been captured by each side.
    """
    s = start(options)
    capturing, s.capturing = int(s.capturing), 0
    for (x, y), colour in stones.items():
        put_stone(s, np.int64(colour - goban.BLACK), np.int64(state.point(x, y)))
    s.capturing = capturing
    if capturing:
        refresh_all(s)
    s.pairs[:] = pairs
    s.side_to_move = side
    s.key = recompute_key(s)
    won = five_sides(s) or {
        owner for owner in (state.BLACK, state.WHITE) if s.pairs_to_win and s.pairs[owner] >= s.pairs_to_win
    }
    if won:
        s.result = FIRST_WINS if state.BLACK in won else SECOND_WINS
    elif _has_ended(s):
        s.result = DRAW
    return s


def five_sides(s: Any) -> set[int]:
    """Return the sides (BLACK, WHITE) that have made five [M-2][M-3][R-1][B-3]."""
    sides = set()
    for side in (state.BLACK, state.WHITE):
        own = s.lines[side] & ~s.lines[1 - side]
        fives = own & own >> 1 & own >> 2 & own >> 3 & own >> 4
        if s.exactly_five[side]:
            fives &= ~(own << 1 | own >> 5)
        if fives.any():
            sides.add(side)
    return sides


def options_of(s: Any) -> dict[str, Any]:
    """Return the options of `s`, as for `start`."""
    options = {
        "size": int(s.width),
        "exactly-five": bool(s.exactly_five[state.WHITE]),
        "renju": bool(s.renju),
        "opening": "pro" if s.pro else "none",
    }
    return options | {"capture-win": int(s.pairs_to_win)} if s.capturing else options


def check(s: Any) -> list[str]:
    """Return the invariants that `s` breaks, in words; empty if it is consistent."""
    twin = set_up(options_of(s), stones(s), int(s.side_to_move), (int(s.pairs[0]), int(s.pairs[1])))
    return [
        f"{name} is not that of the stones" for name in STATE.names or () if (s[name] != twin[name]).any()
    ]


def stones(s: Any) -> dict[tuple[int, int], int]:
    """Return the colours of all stones, those of `engine.board.goban`, by (column, row)."""
    size = int(s.width)
    columns = np.arange(state.REACH, state.REACH + size, dtype=np.uint32)
    placed = s.lines.T[:size, None] >> columns[:, None] & np.uint32(1)  # by row, column, side
    return {(x, y): goban.BLACK + side for y, x, side in np.argwhere(placed).tolist()}


def symmetries(s: Any) -> list[Any]:
    """Return the images of `s` under the eight symmetries of the square, `s` itself first."""
    last = int(s.width) - 1
    pairs, options, placed = (int(s.pairs[0]), int(s.pairs[1])), options_of(s), stones(s)
    states = []
    for swap, flip_x, flip_y in itertools.product((False, True), repeat=3):
        image = {}
        for (x, y), colour in placed.items():
            u, v = (last - x if flip_x else x), (last - y if flip_y else y)
            image[(v, u) if swap else (u, v)] = colour
        states.append(set_up(options, image, int(s.side_to_move), pairs))
    return states
