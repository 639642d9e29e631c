"""The state of a GIPF game. The 37 spots are bits of bit boards: bit = (row - 2) + 8 * (column - 1).

Columns a..i count from 0, rows run along slanted axes from the bottom. Neighbours lie at ±1 (along a column),
±8 and ±9. Every eighth bit belongs to no spot, so that shifted pieces do not wrap round an edge.
"""

from __future__ import annotations

import functools

import numpy as np

from tengen.engine.board.grids import Axial, cell_permutations, random_keys, rotated
from tengen.engine.jit import ONE, kernel, lsb, record

MIDDLE = 4  # column e, which is the longest
STRIDE = 8
BITS = 56
MAX_LINE_LENGTH = 7  # spots on the longest lines
LINES, PUSHES = 21, 42
PIECES = 18  # of a player, at most
POTENTIALS = 6  # of a kind and player, at most
BASIC, STANDARD, TOURNAMENT = 0, 1, 2  # rule sets
WHITE, BLACK = 0, 1

# Stages of a turn, in order (docs/gipf.md, Turns)
OPENING_EXTRA, OPENING_ROWS, MAIN, CLOSING_EXTRA, CLOSING_ROWS = range(5)

# Actions: a push of a kind of piece is ``push + PUSHES * kind``, a jump ``JUMP + 6 * spot + direction``.
# A removal is ``REMOVE + 128 * line + spots``: the spots of a line that are taken, bit by bit from its
# smaller dot, and 0 to leave a row of GIPF-pieces where it is.
BASIC_PIECE, GIPF_PIECE, ZERTZ_CHARGED, TAMSK_CHARGED, EXTRA = range(5)  # what a push brings in
GIVE_UP = 5 * PUSHES  # removes the TAMSK potential on e5 without an extra push
JUMP = GIVE_UP + 6
REMOVE = JUMP + 6 * BITS
ACTIONS = REMOVE + 128 * LINES

NONE = np.uint64(0)  # an empty bit board

STATE = record(
    [
        ("key", "u8"),  # Zobrist key of everything that play depends on
        ("pieces", "u8", (2,)),  # bit boards: spots that White, Black occupies, whatever the kind of piece
        ("gipf", "u8"),  # ... with GIPF-pieces, of either colour
        ("zertz", "u8"),  # ... with ZÈRTZ-charged pieces
        ("tamsk", "u8"),  # ... with TAMSK-charged pieces
        ("used", "u8"),  # ... with used potentials
        ("resolved", "u8"),  # lines, by number, whose rows have been resolved in this stage
        ("reserve", "i1", (2,)),  # basic pieces not in play
        ("zertz_left", "i1", (2,)),  # potentials that may still be brought in
        ("tamsk_left", "i1", (2,)),
        ("challenges", "i1", (2,)),  # challenges left [P-9]; the protocols count them, play does not
        ("placing", "i1", (2,)),  # 1 while GIPF-pieces may be brought in [G-12]
        ("begun", "i1", (2,)),  # 1 once a player must keep a GIPF-piece on the board [G-11]
        ("total", "i1", (2,)),  # basic pieces at the start, on and off the board
        ("rules", "i1"),  # BASIC, STANDARD or TOURNAMENT
        ("zertz_each", "i1"),  # potentials of a player at the start
        ("tamsk_each", "i1"),
        ("challenges_each", "i1"),
        ("stage", "i1"),  # which part of the turn comes next
        ("result", "i1"),  # an Outcome
        ("side_to_move", "i1"),  # 0 White, 1 Black
        ("partial", "i1"),  # 1 while a turn is unfinished
    ]
)

# -------------------------------------------------------------------------------------------------- the board


def _bottom(column: int) -> int:
    """Return the slanted row of the lowest dot of a column."""
    return max(1, column - MIDDLE + 1)


def _length(column: int) -> int:
    """Return how many dots and spots a column has."""
    return 9 - abs(column - MIDDLE)


def name(place: Axial) -> str:
    """Return the name of a dot or spot, ``a1``..``i5``."""
    column, row = place
    return f"{chr(ord('a') + column)}{row - _bottom(column) + 1}"


def bit(place: Axial) -> int:
    """Return the number of the bit of a spot."""
    return (place[1] - 2) + STRIDE * (place[0] - 1)


PLACES = [(x, y) for x in range(9) for y in range(_bottom(x), _bottom(x) + _length(x))]
AXES = ((0, 1), (1, 0), (1, 1))  # along a column, and the two slants
STEPS = tuple(dy + STRIDE * dx for dx, dy in AXES)


def _neighbours(place: Axial) -> list[Axial]:
    around = [(place[0] + s * dx, place[1] + s * dy) for dx, dy in AXES for s in (1, -1)]
    return [p for p in around if p in PLACES]


SPOTS = [place for place in PLACES if len(_neighbours(place)) == 6]
DOTS = [place for place in PLACES if place not in SPOTS]
NAMES = {name(place): bit(place) for place in SPOTS}
SPOT_NAMES = {index: spot for spot, index in NAMES.items()}
COORDINATES = {bit(place): place for place in SPOTS}  # column and slanted row, of each spot's bit
BOARD = np.uint64(sum(1 << index for index in SPOT_NAMES))
CENTRE = np.uint64(1 << NAMES["e5"])


def _line_from(dot: Axial, first: Axial) -> list[Axial]:
    """Return the spots of the line that begins at `dot` and runs over `first`."""
    step = first[0] - dot[0], first[1] - dot[1]
    spots = []
    place = first
    while place in SPOTS:
        spots.append(place)
        place = place[0] + step[0], place[1] + step[1]
    return spots


# The 42 pushes by name of dot, then of first spot; the 21 lines, each as the lesser of its two pushes.
_ENTRIES = sorted(
    ((dot, spot) for dot in DOTS for spot in _neighbours(dot) if spot in SPOTS),
    key=lambda entry: (name(entry[0]), name(entry[1])),
)
assert len(_ENTRIES) == PUSHES
PUSH_NAMES = [(name(dot), name(spot)) for dot, spot in _ENTRIES]
PUSH_SPOTS = [[bit(spot) for spot in _line_from(*entry)] for entry in _ENTRIES]  # from the dot on
_LINE_ENTRIES = [p for p, spots in enumerate(PUSH_SPOTS) if PUSH_SPOTS.index(spots[::-1]) > p]
assert len(_LINE_ENTRIES) == LINES
LINE_NAMES = [PUSH_NAMES[p] for p in _LINE_ENTRIES]
LINE_SPOTS = [PUSH_SPOTS[p] for p in _LINE_ENTRIES]

LINE_LENGTH = np.array([len(spots) for spots in LINE_SPOTS], np.int64)
LINE_CELLS = np.zeros((LINES, MAX_LINE_LENGTH), np.uint64)  # bits of a line from its smaller dot on
LINE_AT = np.full((3, BITS), LINES, np.uint64)  # by axis and spot: the line along that axis
for _line, _spots in enumerate(LINE_SPOTS):
    LINE_CELLS[_line, : len(_spots)] = _spots
    _axis = STEPS.index(abs(_spots[1] - _spots[0]))
    LINE_AT[_axis, _spots] = _line

PUSH_MASK = np.array([sum(1 << spot for spot in spots) for spots in PUSH_SPOTS], np.uint64)
PUSH_FIRST = np.array([1 << spots[0] for spots in PUSH_SPOTS], np.uint64)
PUSH_UP = np.array([spots[1] > spots[0] for spots in PUSH_SPOTS], np.bool_)  # towards higher bits?
PUSH_STEP = np.array([abs(spots[1] - spots[0]) for spots in PUSH_SPOTS], np.uint64)

# Rays: by direction (0..2 to higher bits along the axes, 3..5 back) and spot, all spots beyond it.
RAYS = np.zeros((6, 64), np.uint64)
for _spots in PUSH_SPOTS:
    _direction = STEPS.index(abs(_spots[1] - _spots[0])) + (0 if _spots[1] > _spots[0] else 3)
    for _i, _spot in enumerate(_spots):
        RAYS[_direction, _spot] = sum(1 << other for other in _spots[_i + 1 :])
NEXT_STEP = np.array([*STEPS, *STEPS], np.uint64)

# Rings round e5: 1, 6, 12 and 18 spots.
RINGS = np.zeros(4, np.uint64)
for _x, _y in SPOTS:
    _u, _v = _x - MIDDLE, _y - 5
    RINGS[max(abs(_u), abs(_v), abs(_u - _v))] |= np.uint64(1 << bit((_x, _y)))

# ------------------------------------------------------------------------------------------- keys, symmetries

PIECE_KEYS = random_keys(0x61F0, 6, BITS)  # by plane (White, Black, GIPF-, ZÈRTZ-, TAMSK-charged, used), spot
RESERVE_KEYS = random_keys(0x61F1, 2, 2 * PIECES + 1)
ZERTZ_KEYS = random_keys(0x61F2, 2, POTENTIALS + 1)
TAMSK_KEYS = random_keys(0x61F3, 2, POTENTIALS + 1)
PLACING_KEYS = random_keys(0x61F4, 2)
STAGE_KEYS = random_keys(0x61F5, 5)
LINE_KEYS = random_keys(0x61F6, LINES)
SIDE_KEY = np.uint64(random_keys(0x61F7, 1)[0])


def _turned(place: Axial, sixths: int, mirrored: bool) -> Axial:
    u, v = rotated((place[0] - MIDDLE, place[1] - 5), sixths, mirrored)
    return u + MIDDLE, v + 5


SYMMETRIES = [
    {bit(place): bit(image) for place, image in table.items()}
    for table in cell_permutations(
        SPOTS,
        [
            functools.partial(_turned, sixths=sixths, mirrored=mirrored)
            for mirrored in (False, True)
            for sixths in range(6)
        ],
    )
]
assert len(SYMMETRIES) == 12

_1, _2, _8, _9 = (np.uint64(n) for n in (1, 2, 8, 9))
_16, _18 = np.uint64(16), np.uint64(18)


@kernel
def has_row(own):
    """Return whether four of the pieces `own` (uint64) stand next to each other on a line [G-3]."""
    a = own & (own >> _1)
    b = own & (own >> _8)
    c = own & (own >> _9)
    return ((a & (a >> _2)) | (b & (b >> _16)) | (c & (c >> _18))) != NONE


# ----------------------------------------------------------------------- changes that keep the key up to date


@kernel
def recompute_key(s):
    """Return the Zobrist key (uint64) of `s`, computed from its other fields."""
    key = STAGE_KEYS[s.stage]
    if s.side_to_move == 1:
        key ^= SIDE_KEY
    for side in range(2):
        key ^= RESERVE_KEYS[side, s.reserve[side]]
        key ^= ZERTZ_KEYS[side, s.zertz_left[side]] ^ TAMSK_KEYS[side, s.tamsk_left[side]]
        if s.placing[side]:
            key ^= PLACING_KEYS[side]
    for plane, board in enumerate((s.pieces[0], s.pieces[1], s.gipf, s.zertz, s.tamsk, s.used)):
        while board:
            key ^= PIECE_KEYS[plane, lsb(board)]
            board &= board - ONE
    lines = s.resolved
    while lines:
        key ^= LINE_KEYS[lsb(lines)]
        lines &= lines - ONE
    return key


@kernel
def rehash(s, plane, before, after):
    """Update the key for the spots in which a plane of the board has changed (uint64 bit boards)."""
    changed = before ^ after
    while changed:
        s.key ^= PIECE_KEYS[plane, lsb(changed)]
        changed &= changed - ONE


@kernel
def set_reserve(s, side, pieces):
    """Set the pieces in reserve of `side`."""
    s.key ^= RESERVE_KEYS[side, np.uint64(s.reserve[side])] ^ RESERVE_KEYS[side, np.uint64(pieces)]
    s.reserve[side] = pieces


@kernel
def set_potentials(s, side, zertz, tamsk):
    """Set how many ZÈRTZ and TAMSK potentials `side` may still bring in."""
    s.key ^= ZERTZ_KEYS[side, np.uint64(s.zertz_left[side])] ^ ZERTZ_KEYS[side, np.uint64(zertz)]
    s.key ^= TAMSK_KEYS[side, np.uint64(s.tamsk_left[side])] ^ TAMSK_KEYS[side, np.uint64(tamsk)]
    s.zertz_left[side], s.tamsk_left[side] = zertz, tamsk


@kernel
def set_stage(s, stage):
    """Set which part of the turn comes next."""
    s.key ^= STAGE_KEYS[s.stage] ^ STAGE_KEYS[stage]
    s.stage = stage


@kernel
def clear_resolved(s):
    """Mark no line as resolved: the removals are finished."""
    rest = s.resolved
    while rest:
        s.key ^= LINE_KEYS[lsb(rest)]
        rest &= rest - ONE
    s.resolved = NONE


@kernel
def end_turn(s):
    """Make the other side the side to move."""
    s.side_to_move = 1 - s.side_to_move
    s.key ^= SIDE_KEY
    s.partial = 0


@kernel
def discharge(s, cell):
    """Take the potential from the charged piece on a spot's bit number (uint64); the base stays."""
    spot = ONE << cell
    if s.zertz & spot:
        s.zertz &= ~spot
        s.key ^= PIECE_KEYS[3, cell]
    if s.tamsk & spot:
        s.tamsk &= ~spot
        s.key ^= PIECE_KEYS[4, cell]
