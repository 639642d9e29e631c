"""The state of a ZÈRTZ game. Rings are bits of bit boards: bit = (13 * u + v) modulo 61.

u counts columns and v slanted rows, both from the middle of the hexagon with five rings a side. No two of its
61 rings share a bit, and a step in a direction adds the same number modulo 61 everywhere. A shift of a whole
board is therefore a rotation of 61 bits; steps over the edge reappear on the other side and are masked out.
The boards of 37 and 48 rings are parts of the board of 61.
"""

import itertools

import numpy as np

from tengen.engine.board.grids import HEX_STEPS, Axial, random_keys, symmetries
from tengen.engine.jit import ONE, kernel, lsb, record

BITS = 61
NOWHERE = BITS  # in `NEIGHBOURS`: a step off the board
COLUMN_STEP = 13
WHITE, GREY, BLACK = range(3)  # colours of marbles
COLOURS = "WGB"
BASIC, TOURNAMENT = 0, 1  # rule sets
MARBLES = ((5, 7, 9), (6, 8, 10))  # in the pool at the start, by rule set and colour
GOALS = ((3, 4, 5), (4, 5, 6))  # marbles of one colour that win, by rule set and colour ...
GOAL_OF_EACH = (2, 3)  # ... and marbles of each colour
WINNING_COUNTS, WINNING_SETS = np.array(GOALS, np.int64), np.array(GOAL_OF_EACH, np.int64)  # for kernels
MAX_MARBLES = 10  # marbles of a colour

# Stages of a turn
MARBLE_STAGE, CAPTURE_STAGE, PASS_STAGE, RING_STAGE, REMOVAL_STAGE, CLAIM_STAGE, JUMP_STAGE = range(7)

# Actions, one for each stage of a turn: ``colour`` takes a marble of a colour, ``PLACE + 64 * colour + ring``
# puts it down, ``REMOVE + ring`` removes a ring, ``JUMP + 6 * ring + direction`` is one jump of the marble on
# a ring, CLAIM and DECLINE decide about the claimable group with the lowest bit, PASS is a turn.
PLACE = 3
REMOVE = PLACE + 3 * 64
JUMP = REMOVE + 64
CLAIM = JUMP + 6 * 64
DECLINE, PASS = CLAIM + 1, CLAIM + 2
ACTIONS = PASS + 1
MAX_ACTIONS = 6 * sum(MARBLES[TOURNAMENT])  # jumps of all marbles

NONE = np.uint64(0)  # an empty bit board

STATE = record(
    [
        ("key", "u8"),  # Zobrist key of everything that play depends on
        ("rings", "u8"),  # bit board of the rings that are left
        ("marbles", "u8", (3,)),  # bit boards of the marbles, by colour
        (
            "claimable",
            "u8",
        ),  # rings of the full groups cut off in this turn and still to be claimed or declined [Z-5]
        ("pool", "i1", (3,)),  # marbles by colour
        ("captured", "i1", (2, 3)),  # by side and colour
        ("hand", "i1"),  # colour of the marble that is to be placed, in the ring stage
        ("jumper", "i1"),  # bit of the marble that must jump on, in the jump stage
        ("stage", "i1"),
        ("passes", "i1"),  # passes in a row
        ("rules", "i1"),  # BASIC or TOURNAMENT
        ("board", "i1"),  # index into BOARDS
        ("auto", "i1"),  # 1 when isolated groups are always claimed
        ("result", "i1"),  # an Outcome
        ("side_to_move", "i1"),  # 0 player 1, 1 player 2
        ("partial", "i1"),  # 1 while a turn is unfinished
    ]
)

# ------------------------------------------------------------------------------------------------- the boards


def bit(place: Axial) -> int:
    """Return the number of the bit of a ring."""
    return (COLUMN_STEP * place[0] + place[1]) % BITS


RINGS = (37, 48, 61)
# By board: places (u, v), by column from the left, each from the bottom. That of 48 is that of 61 without
# three of its edges.
PLACES = [
    [(u, v) for u in columns for v in rows if rows[0] <= v - u <= rows[-1]]
    for columns, rows in (
        (range(-3, 4), range(-3, 4)),
        (range(-3, 5), range(-4, 4)),
        (range(-4, 5), range(-4, 5)),
    )
]
assert [len(places) for places in PLACES] == list(RINGS)


def _names(places: list[Axial]) -> dict[str, int]:
    """Return the bits of a board's rings by name, ``a1`` first."""
    columns = [list(column) for _, column in itertools.groupby(places, key=lambda place: place[0])]
    return {
        f"{chr(ord('a') + x)}{y}": bit(place)
        for x, column in enumerate(columns)
        for y, place in enumerate(column, 1)
    }


NAMES = [_names(places) for places in PLACES]  # by board
RING_NAMES = [{index: name for name, index in names.items()} for names in NAMES]
BOARDS = np.array([sum(1 << index for index in names.values()) for names in NAMES], np.uint64)
COORDINATES = {bit(place): place for place in PLACES[-1]}  # (u, v) of every bit
assert len(COORDINATES) == BITS

STEPS = [(COLUMN_STEP * du + dv) % BITS for du, dv in HEX_STEPS]
NEIGHBOURS = np.full((6, BITS + 1), NOWHERE, np.uint64)  # by direction and bit
for _direction, (_du, _dv) in enumerate(HEX_STEPS):
    for _index, (_u, _v) in COORDINATES.items():
        if (_u + _du, _v + _dv) in PLACES[-1]:
            NEIGHBOURS[_direction, _index] = bit((_u + _du, _v + _dv))
AROUND = np.array(  # by bit: the neighbours' bits
    [
        sum(1 << int(NEIGHBOURS[d, index]) for d in range(6) if NEIGHBOURS[d, index] != NOWHERE)
        for index in range(BITS)
    ],
    np.uint64,
)
ALL = BOARDS[-1]
_CAN = np.array(  # by direction: the rings from which a step stays on the board
    [sum(1 << index for index in range(BITS) if NEIGHBOURS[d, index] != NOWHERE) for d in range(6)], np.uint64
)
_UP = np.array(STEPS, np.uint64)
_DOWN = np.uint64(BITS) - _UP


@kernel
def shifted(plane, direction):
    """Return the rings of `plane` (uint64) shifted by one step in a direction of `HEX_STEPS`."""
    plane &= _CAN[direction]
    return ((plane << _UP[direction]) | (plane >> _DOWN[direction])) & ALL


@kernel
def free_rings(rings, vacant):
    """Return the free rings: the `vacant` ones that slide off the board without moving another [Z-3].

    All are uint64. A ring slides out if two neighbouring places around it are empty.
    """
    first = shifted(rings, 0)  # where a neighbour lies in the direction opposite to 0
    before = first
    free = NONE
    for direction in range(1, 6):
        adjacent = shifted(rings, direction)
        free |= ~(before | adjacent)
        before = adjacent
    return vacant & (free | ~(before | first))


@kernel
def neighbours(plane):
    """Return the places (uint64) next to the rings of `plane`."""
    around = NONE
    for direction in range(6):
        around |= shifted(plane, direction)
    return around


# ------------------------------------------------------------------------------------------- keys, symmetries

MARBLE_KEYS = random_keys(0x2E01, 3, BITS)
RING_KEYS = random_keys(0x2E02, BITS)
CAPTURED_KEYS = random_keys(0x2E03, 2, 3, MAX_MARBLES + 1)
HAND_KEYS = random_keys(0x2E04, 3)
JUMPER_KEYS = random_keys(0x2E05, BITS)
CLAIM_KEYS = random_keys(0x2E06, BITS)
PASS_KEYS = random_keys(0x2E07, 3)
REMOVAL_KEY, SIDE_KEY = (np.uint64(key) for key in random_keys(0x2E08, 2))

SYMMETRIES = [symmetries(places, bit) for places in PLACES]  # by board
assert [len(tables) for tables in SYMMETRIES] == [12, 6, 12]


# ---------------------------------------------------------------------------------------------- board queries


@kernel
def occupied_rings(s):
    """Return the rings (uint64) with a marble."""
    return s.marbles[0] | s.marbles[1] | s.marbles[2]


@kernel
def vacant_rings(s):
    """Return the rings (uint64) without a marble."""
    return s.rings & ~occupied_rings(s)


@kernel
def in_stock(s, colour):
    """Return whether the side to move can place a marble of a colour (uint64) [Z-2][Z-6]."""
    if s.pool[0] + s.pool[1] + s.pool[2] > 0:
        return s.pool[colour] > 0
    return s.captured[np.uint64(s.side_to_move), colour] > 0


# ----------------------------------------------------------------------- changes that keep the key up to date


@kernel
def hash_bits(keys, plane):
    """Return the part of a key (uint64) that belongs to a bit board `plane`, by the `keys` of its bits."""
    key = NONE
    while plane:
        key ^= keys[lsb(plane)]
        plane &= plane - ONE
    return key


@kernel
def recompute_key(s):
    """Return the Zobrist key (uint64) of `s`, computed from its other fields."""
    key = PASS_KEYS[s.passes]
    if s.side_to_move == 1:
        key ^= SIDE_KEY
    for colour in range(3):
        key ^= hash_bits(MARBLE_KEYS[colour], s.marbles[colour])
        for side in range(2):
            key ^= CAPTURED_KEYS[side, colour, s.captured[side, colour]]
    key ^= hash_bits(RING_KEYS, s.rings) ^ hash_bits(CLAIM_KEYS, s.claimable)
    if s.stage == RING_STAGE:
        key ^= HAND_KEYS[s.hand]
    elif s.stage == REMOVAL_STAGE:
        key ^= REMOVAL_KEY
    elif s.stage == JUMP_STAGE:
        key ^= JUMPER_KEYS[s.jumper]
    return key


@kernel
def set_captured(s, side, colour, number):
    """Set how many marbles of a colour `side` has captured (side and colour are uint64, number is int64)."""
    s.key ^= CAPTURED_KEYS[side, colour, s.captured[side, colour]] ^ CAPTURED_KEYS[side, colour, number]
    s.captured[side, colour] = number


@kernel
def set_claimable(s, group):
    """Set the rings (uint64) that can be claimed."""
    s.key ^= hash_bits(CLAIM_KEYS, s.claimable ^ group)
    s.claimable = group
