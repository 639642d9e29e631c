"""The rules of three men's morris as kernels over `STATE`.

[MM-1] The board has nine points on eight lines: three columns, three rows and two diagonals. Black begins.
[MM-2] Sides in turn place a man on any empty point, until each has placed three.
[MM-3] Then a turn slides an own man along a line to the next point, which must be empty. Three men of
a side on one line win, also while men are still placed.
[MM-4] A position that occurs for the third time is a draw.

Somebody can always move: to block three men, the other side has to stand in a row.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tengen.engine.board.grids import random_keys
from tengen.engine.game import Outcome
from tengen.engine.jit import kernel, record

SIZE = 3
POINTS = SIZE * SIZE  # point: x + SIZE * y, y from the bottom
MEN = 6  # on the board, once all are placed
SLIDE = POINTS  # actions: POINT places a man, SLIDE + POINTS * FROM + TO slides one
ACTIONS = SLIDE + POINTS * POINTS
MAX_ACTIONS = POINTS  # a side has three men, and three points are empty
MULTI_ACTION_TURNS = MERGES_TRANSPOSITIONS = False
ONGOING, FIRST_WINS, SECOND_WINS, DRAW = (int(outcome) for outcome in Outcome)

STATE = record(
    [
        ("key", "u8"),  # Zobrist key: men and side to move
        ("points", "i1", (POINTS,)),  # 0 empty, 1 black, 2 white
        ("men", "i1"),  # on the board
        ("drawn", "i1"),  # 1 after a draw by repetition
        ("side_to_move", "i1"),  # 0 Black, 1 White
        ("partial", "i1"),  # always 0: every action is a turn
    ]
)
KEYS = random_keys(0x333, 2, POINTS)  # by side, point
SIDE_KEY = np.uint64(random_keys(0x334, 1)[0])
LINES = np.array(  # [MM-1]; the second point lies in the middle
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]], np.int64
)
ADJACENT = np.zeros((POINTS, POINTS), np.bool_)  # whether two points lie next to each other on a line
for _line in LINES:
    for _one, _other in (_line[:2], _line[1:]):
        ADJACENT[_one, _other] = ADJACENT[_other, _one] = True


def start(options: Mapping[str, Any]) -> Any:
    """Return the empty board, Black to move."""
    return np.zeros(1, STATE)[0]


@kernel
def outcome(s):
    """Return how the game stands (int64), as `Outcome` counts."""
    for i in range(LINES.shape[0]):
        first = s.points[LINES[i, 0]]
        if first and first == s.points[LINES[i, 1]] and first == s.points[LINES[i, 2]]:
            return np.int64(FIRST_WINS + first - 1)
    return np.int64(DRAW if s.drawn else ONGOING)


@kernel
def generate(s, actions):
    """Fill `actions` with all placements or slides; return their number (int64): 0 at the end."""
    n = np.int64(0)
    if outcome(s) != ONGOING:
        return n
    for end in range(POINTS):
        if s.points[end]:
            continue
        if s.men < MEN:
            actions[n] = end
            n += 1
            continue
        for begin in range(POINTS):
            if s.points[begin] == s.side_to_move + 1 and ADJACENT[begin, end]:
                actions[n] = SLIDE + POINTS * begin + end
                n += 1
    return n


@kernel
def count(s):
    """Return the number (int64) of legal actions."""
    return generate(s, np.empty(MAX_ACTIONS, np.int32))


@kernel
def do_move(s, action):
    """Place a man of the side to move, or slide one."""
    side = np.int64(s.side_to_move)
    end = np.int64(action)
    if action >= SLIDE:
        begin = (end - SLIDE) // POINTS
        end = (end - SLIDE) % POINTS
        s.points[begin] = 0
        s.key ^= KEYS[side, begin]
    else:
        s.men += 1
    s.points[end] = side + 1
    s.key ^= KEYS[side, end] ^ SIDE_KEY
    s.side_to_move = 1 - side


@kernel
def may_repeat(s):
    """Return whether an earlier position may come about again [MM-4]: while men are placed, none can."""
    return s.men == MEN


def draw_by_repetition(s: Any) -> None:
    """End the game as a draw [MM-4]."""
    s.drawn = 1


@kernel
def recompute_key(s):
    """Return the key (uint64) from scratch."""
    key = SIDE_KEY if s.side_to_move else np.uint64(0)
    for p in range(POINTS):
        if s.points[p]:
            key ^= KEYS[s.points[p] - 1, p]
    return key


def check(s: Any) -> list[str]:
    """Return the invariants that do not hold, in words."""
    faults = [] if s.key == recompute_key(s) else ["the key is not that of the men"]
    return faults + ([] if s.men == np.count_nonzero(s.points) else ["the number of men is wrong"])


def symmetries(s: Any) -> list[Any]:
    """Return the position, and how it looks from the other sides of the board and in a mirror."""
    board = s.points.reshape(SIZE, SIZE).copy()
    images = []
    for points in (board, board.T):
        for turns in range(4):
            image = s.copy()
            image.points[:] = np.rot90(points, turns).reshape(-1)
            image.key = recompute_key(image)
            images.append(image)
    return images
