"""The state of a GIPF game. The 37 spots are bits of bit boards: bit = (row - 2) + 8 * (column - 1).

Columns a..i count from 0, rows run along slanted axes from the bottom. Neighbours lie at ±1 (along a column),
±8 and ±9. Every eighth bit belongs to no spot, so that shifted pieces do not wrap round an edge.
"""

import numpy as np

from tengen.engine.board.grids import Axial, random_keys, symmetries
from tengen.engine.jit import ONE, kernel, lsb, record

MIDDLE = 4  # column e, which is the longest
STRIDE = 8
BITS = 56
MAX_LINE_LENGTH = 7  # spots on the longest lines
LINES, PUSHES = 21, 42
PIECES = 18  # of a player, without extra ones [U-1]
POTENTIALS = 6  # of a kind and player, at most
BASIC, STANDARD, TOURNAMENT = 0, 1, 2  # rule sets
WHITE, BLACK = 0, 1

# Stages of a turn, in order (docs/gipf.md, Turns)
OPENING_EXTRA, OPENING_ROWS, MAIN, CLOSING_EXTRA, CLOSING_ROWS = range(5)

# Kinds of potentials, and of the pieces that they charge.
POTENTIAL_NAMES = ("zertz", "tamsk", "dvonn", "yinsh", "punct")  # of the options
ZERTZ, TAMSK, DVONN, YINSH, PUNCT = range(5)
KINDS = len(POTENTIAL_NAMES)
JUMPERS = (ZERTZ, DVONN, YINSH, PUNCT)  # used in place of a push, by a jump or a move
POOLED = (ZERTZ, TAMSK, YINSH)  # whose used ones look alike
HEIGHT_BITS = 4  # of the number of potentials in a stack, at most 2 * POTENTIALS

# Actions: a push of a kind of piece is ``push + PUSHES * kind``. A jump or a move of a potential is
# ``JUMP + 6 * BITS * further + 6 * spot + direction``: a YINSH potential moves 1 + `further` spots, others
# 0. A removal is ``REMOVE + 128 * line + spots``: the spots of a line that are taken, bit by bit from its
# smaller dot, and 0 to leave a row of GIPF-pieces where it is.
BASIC_PIECE, GIPF_PIECE, CHARGED = range(3)  # what a push brings in: CHARGED + a kind of potential, or
EXTRA = CHARGED + KINDS  # ... a TAMSK potential of its own [T-2]
GIVE_UP = (EXTRA + 1) * PUSHES  # removes the TAMSK potential on e5 without an extra push
JUMP = GIVE_UP + 1
REMOVE = JUMP + 6 * BITS * (MAX_LINE_LENGTH - 1)
ACTIONS = REMOVE + 128 * LINES

NONE = np.uint64(0)  # an empty bit board

STATE = record(  # what games with potentials alone look at comes last
    [
        ("key", "u8"),  # Zobrist key of everything that play depends on
        ("pieces", "u8", (2,)),  # bit boards: spots that White, Black occupies, whatever the kind of piece
        ("gipf", "u8"),  # ... with GIPF-pieces, of either colour
        ("used", "u8"),  # ... with used potentials that lie on no piece
        ("resolved", "u8"),  # lines, by number, whose rows have been resolved in this stage
        ("reserve", "i1", (2,)),  # basic pieces not in play
        ("challenges", "i1", (2,)),  # challenges left [P-9]; the protocols count them, play does not
        ("placing", "i1", (2,)),  # 1 while GIPF-pieces may be brought in [G-12]
        ("begun", "i1", (2,)),  # 1 once a player must keep a GIPF-piece on the board [G-11]
        ("total", "i1", (2,)),  # basic pieces at the start, on and off the board
        ("rules", "i1"),  # BASIC, STANDARD or TOURNAMENT
        ("kinds", "i1"),  # how many kinds of potentials the game has
        ("challenges_each", "i1"),
        ("stage", "i1"),  # which part of the turn comes next
        ("result", "i1"),  # an Outcome
        ("side_to_move", "i1"),  # 0 White, 1 Black
        ("partial", "i1"),  # 1 while a turn is unfinished
        ("left", "i1", (2, KINDS)),  # potentials that may still be brought in, by side and kind
        ("each", "i1", (KINDS,)),  # potentials of a player at the start, by kind
        ("charged", "u8", (KINDS,)),  # bit boards: charged pieces, by kind; also those that a stack covers
        ("stacked", "u8", (HEIGHT_BITS,)),  # ... used potentials on top of pieces: their number, bit by bit
    ]
)

# -------------------------------------------------------------------------------------------------- the board


def _bottom(column: int) -> int:
    """Return the slanted row of the lowest dot of a column."""
    return max(1, column - MIDDLE + 1)


def name(place: Axial) -> str:
    """Return the name of a dot or spot, ``a1``..``i5``."""
    column, row = place
    return f"{chr(ord('a') + column)}{row - _bottom(column) + 1}"


def bit(place: Axial) -> int:
    """Return the number of the bit of a spot."""
    return (place[1] - 2) + STRIDE * (place[0] - 1)


PLACES = [(x, y) for x in range(9) for y in range(_bottom(x), _bottom(x) + 9 - abs(x - MIDDLE))]
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


# The 42 pushes by name of dot, then of first spot; the 21 lines, each as the lesser of its two pushes.
_ENTRIES = sorted(
    ((dot, spot) for dot in DOTS for spot in _neighbours(dot) if spot in SPOTS),
    key=lambda entry: (name(entry[0]), name(entry[1])),
)
assert len(_ENTRIES) == PUSHES
PUSH_NAMES = [(name(dot), name(spot)) for dot, spot in _ENTRIES]
PUSH_SPOTS = [  # from the dot on
    [bit(spot) for k in range(1, 8) if (spot := (x + k * (u - x), y + k * (v - y))) in SPOTS]
    for (x, y), (u, v) in _ENTRIES
]
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

# By direction (0..2 to higher bits along the axes, 3..5 back) and spot: all spots beyond it, the next one.
RAYS = np.zeros((6, 64), np.uint64)
ADJACENT = np.zeros((6, 64), np.uint64)  # 0 at the edge
for _spots in PUSH_SPOTS:
    _direction = STEPS.index(abs(_spots[1] - _spots[0])) + (0 if _spots[1] > _spots[0] else 3)
    for _i, _spot in enumerate(_spots):
        RAYS[_direction, _spot] = sum(1 << other for other in _spots[_i + 1 :])
        ADJACENT[_direction, _spot] = sum(1 << other for other in _spots[_i + 1 : _i + 2])
NEXT_STEP = np.array([*STEPS, *STEPS], np.uint64)

# Rings round e5: 1, 6, 12 and 18 spots.
RINGS = np.zeros(4, np.uint64)
for _x, _y in SPOTS:
    _u, _v = _x - MIDDLE, _y - 5
    RINGS[max(abs(_u), abs(_v), abs(_u - _v))] |= np.uint64(1 << bit((_x, _y)))

# ------------------------------------------------------------------------------------------- keys, symmetries

# Planes of the board: White, Black, GIPF-pieces, ZÈRTZ-, TAMSK-charged, used, and those that came later.
GIPF_PLANE, USED_PLANE, HEIGHT_PLANE = 2, 5, 9
CHARGED_PLANES = np.array([3, 4, 6, 7, 8], np.int64)  # by kind
PIECE_KEYS = random_keys(0x61F0, HEIGHT_PLANE + HEIGHT_BITS, BITS)  # by plane, spot
RESERVE_KEYS = random_keys(0x61F1, 2, 2 * PIECES + 1)
LEFT_KEYS = np.stack(  # by kind, side, number
    [random_keys(seed, 2, POTENTIALS + 1) for seed in (0x61F2, 0x61F3, 0x61F8, 0x61F9, 0x61FA)]
)
LEFT_KEYS[DVONN:, :, 0] = 0  # kinds that a game does not have leave its keys as they are
PLACING_KEYS = random_keys(0x61F4, 2)
STAGE_KEYS = random_keys(0x61F5, 5)
LINE_KEYS = random_keys(0x61F6, LINES)
SIDE_KEY = np.uint64(random_keys(0x61F7, 1)[0])

SYMMETRIES = symmetries(SPOTS, bit)
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
def stacks(s):
    """Return the spots (uint64) where used potentials lie on top of a piece [PD-3]."""
    return s.stacked[0] | s.stacked[1] | s.stacked[2] | s.stacked[3]


@kernel
def loaded(s):
    """Return the spots (uint64) of charged pieces, also of those that a stack covers."""
    return s.charged[0] | s.charged[1] | s.charged[2] | s.charged[3] | s.charged[4]


@kernel
def special_pieces(s):
    """Return the spots (uint64) of all pieces but basic ones."""
    return s.gipf | s.used | loaded(s) | stacks(s) if s.kinds else s.gipf


@kernel
def hash_plane(plane, board):
    """Return the part of a key (uint64) that belongs to a plane of the board, a bit board `board`."""
    key = NONE
    while board:
        key ^= PIECE_KEYS[plane, lsb(board)]
        board &= board - ONE
    return key


@kernel
def recompute_key(s):
    """Return the Zobrist key (uint64) of `s`, computed from its other fields."""
    key = STAGE_KEYS[s.stage]
    if s.side_to_move == 1:
        key ^= SIDE_KEY
    for side in range(2):
        key ^= RESERVE_KEYS[side, s.reserve[side]]
        for kind in range(KINDS):
            key ^= LEFT_KEYS[kind, side, s.left[side, kind]]
        if s.placing[side]:
            key ^= PLACING_KEYS[side]
        key ^= hash_plane(side, s.pieces[side])
    key ^= hash_plane(GIPF_PLANE, s.gipf) ^ hash_plane(USED_PLANE, s.used)
    for kind in range(KINDS):
        key ^= hash_plane(CHARGED_PLANES[kind], s.charged[kind])
    for i in range(HEIGHT_BITS):
        key ^= hash_plane(HEIGHT_PLANE + i, s.stacked[i])
    lines = s.resolved
    while lines:
        key ^= LINE_KEYS[lsb(lines)]
        lines &= lines - ONE
    return key


@kernel
def rehash(s, plane, before, after):
    """Update the key for the spots in which a plane of the board has changed (uint64 bit boards)."""
    s.key ^= hash_plane(plane, before ^ after)


@kernel
def set_reserve(s, side, pieces):
    """Set the pieces in reserve of `side`."""
    s.key ^= RESERVE_KEYS[side, np.uint64(s.reserve[side])] ^ RESERVE_KEYS[side, np.uint64(pieces)]
    s.reserve[side] = pieces


@kernel
def set_left(s, side, kind, number):
    """Set how many potentials of a kind `side` may still bring in."""
    s.key ^= LEFT_KEYS[kind, side, np.uint64(s.left[side, kind])] ^ LEFT_KEYS[kind, side, np.uint64(number)]
    s.left[side, kind] = number


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
    for kind in range(KINDS):
        if s.charged[kind] & spot:
            s.charged[kind] &= ~spot
            s.key ^= PIECE_KEYS[CHARGED_PLANES[kind], cell]
