"""The rules of Hex as kernels over `STATE`; an action is the cell of the stone, and a turn."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import kernel
from tengen_hex.board import (
    CELLS,
    EMPTY,
    MAX_SIZE,
    SIDE_KEY,
    STATE,
    STONE_KEYS,
    STRIDE,
    WALL,
    cell,
    missing_stones,
)

ACTIONS = CELLS
MAX_ACTIONS = MAX_SIZE * MAX_SIZE
MULTI_ACTION_TURNS = False
MERGES_TRANSPOSITIONS = False
ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)


def start(options: Mapping[str, Any]) -> Any:
    """Return the empty board, Black to move."""
    s = np.zeros(1, STATE)[0]
    size = int(options["size"])
    s.width = size
    s.cells[:] = WALL
    s.cells.reshape(STRIDE, STRIDE)[1 : size + 1, 1 : size + 1] = EMPTY
    return s


@kernel
def generate(s, actions):
    """Fill `actions` with all empty cells, row by row; return their number (int64): 0 at the end."""
    n = np.int64(0)
    if s.result == ONGOING:
        for y in range(s.width):
            for p in range(STRIDE * (y + 1) + 1, STRIDE * (y + 1) + 1 + s.width):
                if s.cells[p] == EMPTY:
                    actions[n] = p
                    n += 1
    return n


@kernel
def count(s):
    """Return the number (int64) of legal actions."""
    return np.int64(s.width * s.width - s.stones) if s.result == ONGOING else np.int64(0)


@kernel
def do_move(s, action):
    """Put a stone of the side to move into the cell `action`."""
    side = np.int64(s.side_to_move)
    s.cells[action] = side + 1
    s.stones += 1
    s.key ^= STONE_KEYS[side, action] ^ SIDE_KEY
    s.side_to_move = 1 - side
    if missing_stones(s, side, 0) == 0:
        s.result = FIRST_WINS + side


@kernel
def outcome(s):
    """Return how the game stands (int64), as `Outcome` counts."""
    return np.int64(s.result)


@kernel
def recompute_key(s):
    """Return the key (uint64) from scratch."""
    key = SIDE_KEY if s.side_to_move else np.uint64(0)
    for p in range(CELLS):
        if s.cells[p] != EMPTY and s.cells[p] != WALL:
            key ^= STONE_KEYS[s.cells[p] - 1, p]
    return key


def set_up(size: int, stones: Mapping[tuple[int, int], int], side: int) -> Any:
    """Return the position with `stones`, BLACK or WHITE by column and row, and `side` to move."""
    s = start({"size": size})
    for (x, y), colour in stones.items():
        s.cells[cell(x, y)] = colour
    s.stones, s.side_to_move = len(stones), side
    s.key = recompute_key(s)
    joined = [missing_stones(s, each, 0) == 0 for each in (0, 1)]
    s.result = FIRST_WINS if joined[0] else SECOND_WINS if joined[1] else ONGOING
    return s


def board_of(s: Any) -> dict[tuple[int, int], int]:
    """Return the stones, BLACK or WHITE by column and row."""
    places = [(x, y) for y in range(s.width) for x in range(s.width)]
    return {(x, y): int(s.cells[cell(x, y)]) for x, y in places if s.cells[cell(x, y)] != EMPTY}


def check(s: Any) -> list[str]:
    """Return the invariants that do not hold, in words."""
    anew = set_up(int(s.width), board_of(s), int(s.side_to_move))
    differing = [name for name in STATE.names or () if np.any(s[name] != anew[name])]
    return [f"{name} is not what the stones make it" for name in differing]


def symmetries(s: Any) -> list[Any]:
    """Return the position, and as it is seen from the other side of the board: turned by 180 degrees."""
    last = int(s.width) - 1
    turned = {(last - x, last - y): colour for (x, y), colour in board_of(s).items()}
    return [s.copy(), set_up(int(s.width), turned, int(s.side_to_move))]
