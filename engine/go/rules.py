"""The rules of Go [O-1] to [O-6] as kernels over `STATE`; an action is a point or PASS, and a turn."""

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

import tengen.engine.go.state as state
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.go import board
from tengen.engine.go.scoring import score_board
from tengen.engine.go.state import PASS
from tengen.engine.go.state import STATE as STATE
from tengen.engine.jit import kernel

ACTIONS = state.POINTS
MAX_ACTIONS = state.MAX_SIZE * state.MAX_SIZE + 1
MULTI_ACTION_TURNS = False
MERGES_TRANSPOSITIONS = False
TACTICAL_ABOVE = 1  # actions of greater priority capture
CORNERS_MIN_SIZE, CORNER_STAR_LINE = 13, 4  # boards whose first turns belong in the corners, and where there

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)
RULES = {
    "territory": state.TERRITORY,
    "japanese": state.TERRITORY,
    "chinese": state.CHINESE,
    "tromp-taylor": state.TROMP_TAYLOR,
}
KO_RULES = {"simple": state.SIMPLE, "positional": state.POSITIONAL, "situational": state.SITUATIONAL}

_1 = np.uint64(1)


def start(options: Mapping[str, Any]) -> Any:
    """Return the initial position with these options: empty, or with handicap stones [O-1][O-6].

    Raise OptionError when the board is too small for the handicap.
    """
    size, handicap = int(options["size"]), int(options["handicap"])
    stones = state.star_points(size, handicap)
    if len(stones) != handicap:
        most = max((n for n in range(2, 10) if state.star_points(size, n)), default=0)
        expected = f"0 or 2 to {most}" if most else "0"
        raise OptionError(f"option handicap: expected {expected} on size {size}, got {handicap}")
    return set_up(options, dict.fromkeys(stones, state.BLACK), 1 if handicap else 0)


def set_up(
    options: Mapping[str, Any],
    stones: Mapping[tuple[int, int], int],
    side_to_move: int,
    ko: int = state.NOWHERE,
    prisoners: tuple[int, int] = (0, 0),
    passes: int = 0,
) -> Any:
    """Return a state with `stones`, colours by (column, row), under the rules of `options`.

    Chains without liberties stay on the board; `text.status` reports them as faults.
    """
    s = np.zeros(1, STATE)[0]
    s.komi = round(float(options["komi"]) * state.HUNDREDTHS)
    s.rules = RULES[str(options["rules"])]
    s.ko_rule = KO_RULES[str(options["ko"])]
    board.clear(s.board, int(options["size"]))
    for place, colour in stones.items():
        board.put(s.board, np.uint64(state.point(*place)), np.uint64(colour))
    s.board.ko = ko
    s.board.prisoners[:] = prisoners
    s.side_to_move, s.passes = side_to_move, passes
    s.key = recompute_key(s)
    enter(s)
    if passes == 2:
        finish(s)
    return s


@kernel
def enter(s):
    """Append the stones and the side to move to the history."""
    s.history[np.uint64(s.plies) % np.uint64(state.HISTORY)] = _situation(
        s, np.uint64(s.board.key), s.side_to_move
    )
    s.plies += 1


@kernel
def copy_state(states, to, source):
    """Copy ``states[source]`` to ``states[to]``, but for the part of the history that is not in use."""
    old, new = states[source], states[to]
    new.board = old.board
    for i in range(min(np.uint64(old.plies), np.uint64(state.HISTORY))):
        new.history[i] = old.history[i]
    new.key = old.key
    new.plies = old.plies
    new.last_actions = old.last_actions
    new.komi, new.margin = old.komi, old.margin
    new.rules, new.ko_rule = old.rules, old.ko_rule
    new.passes, new.result = old.passes, old.result
    new.side_to_move, new.partial = old.side_to_move, old.partial


@kernel
def _situation(s, stones, side_to_move):
    """Return the key that superko compares (uint64): `stones`, and the side to move unless POSITIONAL."""
    return stones ^ state.SIDE_KEY if side_to_move and s.ko_rule != state.POSITIONAL else stones


@kernel
def is_legal(s, p):
    """Return whether the side to move may play on `p` (uint64) in a game in progress [O-2] to [O-4]."""
    b = s.board
    colour = np.uint64(s.side_to_move) + _1
    if b.stones[p] != state.EMPTY or not board.is_legal(b, p, colour):
        return False
    if s.ko_rule == state.SIMPLE:
        return True
    situation = _situation(s, board.key_after(b, p, colour), 1 - s.side_to_move)
    occurred = False
    for i in range(min(np.int64(s.plies), state.HISTORY)):
        occurred |= s.history[np.uint64(i)] == situation
    return not occurred


@kernel
def generate(s, actions):
    """Write the legal points, from the bottom, then PASS into `actions` (int32); return their number."""
    n = 0
    if s.passes == 2:
        return n
    width = np.uint64(s.board.width)
    for y in range(_1, width + _1):
        for p in range(y * np.uint64(state.STRIDE) + _1, y * np.uint64(state.STRIDE) + _1 + width):
            if is_legal(s, p):
                actions[n] = p
                n += 1
    actions[n] = PASS
    return n + 1


@kernel
def count(s):
    """Return the number of legal actions (int64), what `generate` would return."""
    if s.passes == 2:
        return np.int64(0)
    n = np.int64(1)
    b = s.board
    for i in range(np.uint64(b.num_empty)):
        n += is_legal(s, np.uint64(b.empty[i]))
    return n


@kernel
def generate_candidates(s, actions):
    """Write the legal actions that do not fill an own eye into `actions`; return their number."""
    n = generate(s, actions)
    kept = 0
    colour = np.uint64(s.side_to_move) + _1
    for i in range(n):
        p = np.uint64(actions[i])
        if p == PASS or not board.is_eye(s.board, p, colour):
            actions[kept] = actions[i]
            kept += 1
    return kept


@kernel
def generate_noisy(s, actions):
    """Write the legal captures into `actions`; return their number."""
    n = generate(s, actions)
    kept = 0
    for i in range(n):
        if priority(s, actions[i]) > TACTICAL_ABOVE:
            actions[kept] = actions[i]
            kept += 1
    return kept


@kernel
def is_corner_star(b, p):
    """Return whether `p` (uint64) is a star point of a corner, on boards with corners to play for."""
    low = np.uint64(CORNER_STAR_LINE)
    high = np.uint64(b.width) + _1 - low
    y, x = p // np.uint64(state.STRIDE), p % np.uint64(state.STRIDE)
    return b.width >= CORNERS_MIN_SIZE and x in (low, high) and y in (low, high)


@kernel
def priority(s, action):
    """Return twice the stones that the action captures, and one more for a free star of a corner (int64)."""
    if action == PASS:
        return np.int64(0)
    p = np.uint64(action)
    captured = board.stones_captured(s.board, p, np.uint64(s.side_to_move) + _1)
    return 2 * captured + np.int64(is_corner_star(s.board, p))


@kernel
def play_action(s, action):
    """Play the legal `action`; history, key and result of `s` stay as they were."""
    b = s.board
    if action == PASS:
        b.ko = state.NOWHERE
        s.passes += 1
    else:
        board.play(b, np.uint64(action), np.uint64(s.side_to_move) + _1)
        s.passes = 0
    s.last_actions[1] = s.last_actions[0]
    s.last_actions[0] = action
    s.side_to_move = 1 - s.side_to_move


@kernel
def do_move(s, action):
    """Play the legal `action`; after two passes the game ends, scored with all stones alive [O-5]."""
    b = s.board
    s.key ^= state.KO_KEYS[b.ko] ^ state.PASS_KEYS[s.passes] ^ np.uint64(b.key)
    play_action(s, action)
    s.key ^= state.KO_KEYS[b.ko] ^ state.PASS_KEYS[s.passes] ^ np.uint64(b.key) ^ state.SIDE_KEY
    enter(s)
    if s.passes == 2:
        finish(s)


@kernel
def finish(s):
    """Score the game with all stones alive [O-5]."""
    dead = np.zeros(state.POINTS, np.bool_)
    owner, seki = np.zeros(state.POINTS, np.int8), np.zeros(state.POINTS, np.bool_)
    s.margin = state.HUNDREDTHS * score_board(s.board, s.rules, dead, owner, seki) - s.komi
    s.result = DRAW if s.margin == 0 else FIRST_WINS if s.margin > 0 else SECOND_WINS


@kernel
def outcome(s):
    """Return an `engine.game.Outcome` as int64, with all stones alive."""
    return np.int64(s.result)


@kernel
def is_repetition(s):
    """Return whether the last turn, not a pass, has repeated an earlier position.

    The search counts that as a draw under simple ko; superko forbids it.
    """
    if s.passes or s.ko_rule != state.SIMPLE or s.board.prisoners[0] + s.board.prisoners[1] == 0:
        return False
    latest = np.int64(s.plies) - 1
    situation = s.history[np.uint64(latest) % np.uint64(state.HISTORY)]
    for ply in range(latest - 2, max(latest - state.HISTORY, -1), -2):  # the same side to move
        if s.history[np.uint64(ply) % np.uint64(state.HISTORY)] == situation:
            return True
    return False


@kernel
def recompute_key(s):
    """Return the Zobrist key (uint64) of `s`, computed from its other fields."""
    key = state.KO_KEYS[s.board.ko] ^ state.PASS_KEYS[s.passes]
    if s.side_to_move:
        key ^= state.SIDE_KEY
    for p in range(np.uint64(state.POINTS)):
        colour = np.uint64(s.board.stones[p])
        if colour in (state.BLACK, state.WHITE):
            key ^= state.STONE_KEYS[colour, p]
    return key


def set_side_to_move(s: Any, side: int) -> None:
    """Make `side` the side to move, for GTP's set-up play; clears passes and ko."""
    if s.side_to_move != side:
        s.side_to_move, s.passes, s.board.ko = side, 0, state.NOWHERE
        s.key = recompute_key(s)
        enter(s)


def resume(s: Any) -> None:
    """Resume a finished game as if nobody had passed."""
    s.passes, s.result, s.margin = 0, ONGOING, 0
    s.key = recompute_key(s)


def check(s: Any) -> list[str]:
    """Return the invariants that `s` breaks, in words; empty if it is consistent."""
    b = s.board
    options = {"komi": 0.0, "rules": "territory", "ko": "simple", "size": int(b.width)}
    fresh = set_up(options, stones_of(s), int(s.side_to_move)).board
    faults = []
    if (b.stones != fresh.stones).any():
        faults.append("stones outside the board, or wall on it")
    if sorted(b.empty[: b.num_empty]) != sorted(fresh.empty[: fresh.num_empty]):
        faults.append("the list of empty points is wrong")
    for p in state.stone_points(b):
        head, anew = b.chain[p], fresh.chain[p]
        if set(chain_points(b, p)) != set(chain_points(fresh, p)):
            faults.append(f"the chain of {p} is wrong")
        for field in ("length", "liberties", "liberty_sum", "liberty_squares"):
            if b[field][head] != fresh[field][anew]:
                faults.append(
                    f"{field} of the chain of {p}: {b[field][head]} instead of {fresh[field][anew]}"
                )
    if s.key != recompute_key(s) or b.key != fresh.key:
        faults.append("the key is wrong")
    return faults


def chain_points(b: Any, p: int) -> list[int]:
    """Return the points of the chain of the stone on `p`."""
    points = [p]
    while (q := int(b.next_in_chain[points[-1]])) != p and len(points) <= state.POINTS:
        points.append(q)
    return points


def stones_of(s: Any) -> dict[tuple[int, int], int]:
    """Return the colours of the stones by (column, row)."""
    return {state.coordinates(p): int(s.board.stones[p]) for p in state.stone_points(s.board)}


def symmetries(s: Any) -> list[Any]:
    """Return the images of `s` under the symmetries of the board; all but the first have no history."""
    last, states = int(s.board.width) - 1, [s.copy()]
    options = {"size": last + 1, "komi": s.komi / state.HUNDREDTHS}
    options |= {"rules": _name(RULES, s.rules), "ko": _name(KO_RULES, s.ko_rule)}
    stones = stones_of(s)
    for swap, flip_y, flip_x in [*itertools.product((False, True), repeat=3)][1:]:
        image = {}
        for place in itertools.product(range(last + 1), repeat=2):
            x, y = place[::-1] if swap else place
            image[place] = (last - x if flip_x else x), (last - y if flip_y else y)
        moved = {image[place]: colour for place, colour in stones.items()}
        ko = (
            state.point(*image[state.coordinates(int(s.board.ko))])
            if s.board.ko != state.NOWHERE
            else state.NOWHERE
        )
        rest = int(s.side_to_move), ko, tuple(s.board.prisoners), int(s.passes)
        states.append(set_up(options, moved, *rest))
    return states


def _name(names: Mapping[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)
