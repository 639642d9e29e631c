"""The GIPF board in plain text and as a drawing: columns a to i upright, White below, e1 at the bottom."""

import math
import textwrap
from dataclasses import dataclass
from typing import Any

from tengen.engine.board.grids import Axial
from tengen.engine.board.picture import (
    EBONY,
    FAINT_INK,
    GROOVE,
    INK,
    IVORY,
    Circle,
    Picture,
    Place,
    Point,
    Polygon,
    Polyline,
    Shape,
    Text,
    disc,
    panel,
    piece_at,
    upright_columns,
)
from tengen.engine.board.picture import board as wooden_board
from tengen.engine.game import Outcome
from tengen.engine.gipf.rules import outcome
from tengen.engine.gipf.state import (
    BLACK,
    COORDINATES,
    DOTS,
    LINE_NAMES,
    LINE_SPOTS,
    MIDDLE,
    OPENING_EXTRA,
    OPENING_ROWS,
    PLACES,
    POTENTIAL_NAMES,
    PUNCT,
    PUSH_NAMES,
    PUSH_SPOTS,
    SPOTS,
    WHITE,
    bit,
    name,
)
from tengen.engine.gipf.text import piece_texts, stack_height

SIDES = ("White", "Black")
ENDS = {Outcome.FIRST_WINS: "White has won", Outcome.SECOND_WINS: "Black has won", Outcome.DRAW: "Draw"}
TO_DO = {
    OPENING_EXTRA: ", with the TAMSK potential on e5 first",
    OPENING_ROWS: ", with rows to resolve first",
}
# Kinds of pieces, and of used potentials on top of others, besides the names of potentials.
BASIC_KIND, GIPF_KIND, USED_KIND = "", "gipf", "used"
KIND_WORDS = {BASIC_KIND: "basic piece", GIPF_KIND: "GIPF-piece", USED_KIND: "used potential"}
STACKED_DVONN, STACKED_PUNCT = "stacked dvonn", "stacked punct"

PITCH = 4  # characters between two columns of the plain text
WIDTH = 80  # of its lines, at most
TIE = "\u00a0"  # a blank at which no line is broken

CELL = 64  # pixels between two neighbours
RISE = CELL * math.sqrt(3) / 2  # between two columns
MARGIN = 62  # from the edges of the picture to the outer dots
PANEL = 220  # width of what stands beside the board
RESERVE_HEIGHT = 142  # height of a panel with nothing but the reserve
ROW_HEIGHT = 31  # height of a further line in it, at most
ROWS_HEIGHT = 132  # height of all further lines, at most
CAPTION = 30  # height of the caption
RADIUS = 25  # of a piece
SMALL = 0.58  # radius of a potential, in radii of a piece
LAYER = 0.26  # by which a piece rises over the one below it, in its radii
STACK_LAYER = 0.2  # ... by which a potential rises over the one below it
LABEL = 21  # from a dot to its name
DOT, SPOT = 6, 4.5  # radii of a dot and of an empty spot
PILES, PILE = 3, 6  # at most so many piles of the reserve, and usually so many pieces in one
PILE_RADIUS, PILE_LAYER, PILE_WIDTH = 20, 4.0, 54
TONES = {WHITE: IVORY, BLACK: EBONY}
EDGES = {WHITE: "#b3a996", BLACK: "#8c8781"}  # the turned edge on top of each piece


def caption(s: Any) -> str:
    """Return the side to move and how its turn must begin, or the winner."""
    return ENDS.get(Outcome(int(outcome(s))), f"{SIDES[s.side_to_move]} to move{TO_DO.get(int(s.stage), '')}")


@dataclass(frozen=True)
class _Piece:
    """What stands on a spot."""

    side: int  # whose piece is at the bottom
    kind: str  # of that piece
    height: int = 0  # used potentials on top of it, in alternating colours, the opponent's first

    @property
    def words(self) -> str:
        """The piece in words."""
        kind = KIND_WORDS.get(self.kind) or f"{self.kind.upper()}-charged piece"
        above = f" under {self.height} used potentials" if self.height else ""
        return f"{SIDES[self.side].lower()} {kind}{above}"


def piece_on(s: Any, index: int) -> _Piece | None:
    """Return what stands on the spot with bit `index`; None if it is empty."""
    side = next((side for side in (WHITE, BLACK) if int(s.pieces[side]) >> index & 1), None)
    if side is None:
        return None
    planes = {GIPF_KIND: s.gipf, USED_KIND: s.used, **dict(zip(POTENTIAL_NAMES, s.charged, strict=True))}
    kind = next((kind for kind, plane in planes.items() if int(plane) >> index & 1), BASIC_KIND)
    height = stack_height(s, index)
    return _Piece(side if height % 2 == 0 else 1 - side, kind, height)


def _height(place: Axial) -> float:
    """Return the height of a dot or spot above e5, in distances between neighbours."""
    return place[1] - 5 - (place[0] - MIDDLE) / 2


# ------------------------------------------------------------------------------------------------------- text


def board(s: Any) -> str:
    """Return the board in plain text: dots by name, pieces as in position texts, ``W`` a GIPF-piece."""
    texts = piece_texts(s)
    cells = {
        (place[0], round(2 * _height(place))): name(place) if place in DOTS else texts.get(bit(place), ".")
        for place in PLACES
    }
    rows = upright_columns(cells, PITCH)
    return "\n".join([*rows, "", *(reserve_text(s, side) for side in (WHITE, BLACK)), caption(s)])


def reserve_text(s: Any, side: int) -> str:
    """Return the reserve of a side, and what it may still bring in besides basic pieces; lines may be two."""
    others = ["GIPF-pieces"] if s.placing[side] else []
    others += [
        f"{name.upper()}{TIE}{left}" for name, left in zip(POTENTIAL_NAMES, s.left[side], strict=True) if left
    ]
    text = f"{SIDES[side]}: {s.reserve[side]} in reserve"
    text += f", may bring in {', '.join(others)}" if others else ""
    text += f"; challenges{TIE}{s.challenges[side]}" if s.challenges_each else ""
    return "\n".join(textwrap.wrap(text, WIDTH, subsequent_indent="  ")).replace(TIE, " ")


# ---------------------------------------------------------------------------------------------------- drawing


def draw(s: Any) -> Picture:
    """Return the board as a drawing.

    A GIPF-piece is two discs with a ring on top. A charged piece carries a small disc with the mark of its
    potential: a Z, an hour-glass (TAMSK), a ring (DVONN), a bar (YINSH) or dots (PÜNCT). A used potential is
    such a disc with a cross, alone or on top of a piece; there it has the mark of its kind as well.
    """
    width = round(2 * MARGIN + 8 * RISE + PANEL)
    height = 2 * MARGIN + 8 * CELL + CAPTION
    shapes = wooden_board(width, height)
    shapes += _lines()
    for place in sorted(SPOTS, key=_height, reverse=True):
        if piece := piece_on(s, bit(place)):
            shapes += piece_at(name(place), _drawn(*_place(place), RADIUS, piece))
    left, top = width - PANEL, MARGIN - 24
    shapes += _panel(s, BLACK, left, top)
    shapes += _panel(s, WHITE, left, height - CAPTION - top - _panel_height(s, WHITE))
    shapes.append(Text(width / 2, height - CAPTION / 2 - 8, caption(s), 18, INK, caption=True))
    places = (Place(name(place), *_place(place), CELL / 2) for place in PLACES)
    return Picture(width, height, f"GIPF: {caption(s)}", tuple(shapes), tuple(places))


def _place(place: Axial) -> Point:
    """Return the pixel of a dot or spot."""
    return MARGIN + place[0] * RISE, MARGIN + (4 - _height(place)) * CELL


def _lines() -> list[Shape]:
    """Return the lines from dot to dot, the spots where they cross, the dots, and their names outside."""
    dots = {name(dot): _place(dot) for dot in DOTS}
    shapes: list[Shape] = []
    for (dot, _), spots in zip(LINE_NAMES, LINE_SPOTS, strict=True):
        end, _ = PUSH_NAMES[PUSH_SPOTS.index(spots[::-1])]
        shapes.append(Polyline((dots[dot], dots[end]), GROOVE, 1.8))
    shapes += [Circle(*_place(place), SPOT, "#c08e4f", GROOVE, 1.4) for place in COORDINATES.values()]
    shapes += [Circle(*place, DOT, INK) for place in dots.values()]
    x0, y0 = _place((MIDDLE, 5))
    for label, (x, y) in dots.items():
        far = LABEL / math.hypot(x - x0, y - y0)
        shapes.append(Text(x + far * (x - x0), y + far * (y - y0), label, 15, FAINT_INK))
    return shapes


def _drawn(x: float, y: float, radius: float, piece: _Piece) -> list[Shape]:
    """Return a piece with the used potentials on top of it."""
    base, tone = piece.side, TONES[piece.side]
    if piece.kind == USED_KIND:
        shapes = _potential(x, y, radius, base, USED_KIND, tone.rim)
    else:
        shapes = _plain(x, y, radius, base, tone.rim)
        y -= LAYER * radius
    if piece.kind == GIPF_KIND:
        shapes += _plain(x, y, radius, base, tone.raised_rim)
        shapes.append(Circle(x, y, 0.4 * radius, "", tone.ink, 0.16 * radius))
    elif piece.kind in POTENTIAL_NAMES:
        shapes += _potential(x, y, radius, base, piece.kind, tone.raised_rim)
        y -= STACK_LAYER * radius
    kind = STACKED_PUNCT if piece.kind == POTENTIAL_NAMES[PUNCT] else STACKED_DVONN
    for number in range(piece.height):
        side = base if number % 2 else 1 - base
        shapes += _potential(x, y, radius, side, kind, TONES[side].raised_rim)
        y -= STACK_LAYER * radius
    return shapes


def _plain(x: float, y: float, radius: float, side: int, rim: str) -> list[Shape]:
    """Return a basic piece."""
    edge = Circle(x, y, 0.74 * radius, "", EDGES[side], 0.05 * radius)
    return [*disc(x, y, radius, TONES[side].shade, rim), edge]


def _potential(x: float, y: float, radius: float, side: int, kind: str, rim: str) -> list[Shape]:
    """Return a potential: a small disc with its mark, `radius` that of a piece."""
    mark = _mark(x, y, 0.27 * radius, kind, TONES[side].ink)
    return [*disc(x, y, SMALL * radius, TONES[side].shade, rim), *mark]


def _mark(x: float, y: float, half: float, kind: str, ink: str) -> list[Shape]:
    """Return the mark of a kind of potential; what else is used has a cross."""
    left, right, top, bottom = x - half, x + half, y - half, y + half
    match kind:
        case "zertz":
            return [Polyline(((left, top), (right, top), (left, bottom), (right, bottom)), ink, 0.42 * half)]
        case "tamsk":
            top, bottom = y - 1.2 * half, y + 1.2 * half
            return [
                Polygon(((left, top), (right, top), (left, bottom), (right, bottom)), ink, ink, 0.2 * half)
            ]
        case "dvonn":
            return [Circle(x, y, 0.85 * half, "", ink, 0.5 * half)]
        case "yinsh":
            return [Polyline(((x, y - 1.3 * half), (x, y + 1.3 * half)), ink, 0.55 * half)]
        case "punct":
            angles = [math.tau * sixth / 6 for sixth in range(6)]
            places = [
                (x + 1.15 * half * math.sin(angle), y - 1.15 * half * math.cos(angle)) for angle in angles
            ]
            return [Circle(*place, 0.3 * half, ink) for place in places]
    if kind == STACKED_DVONN:
        return [Circle(x, y, 1.35 * half, "", ink, 0.3 * half), *_mark(x, y, 0.55 * half, USED_KIND, ink)]
    if kind == STACKED_PUNCT:
        return [*_mark(x, y, 1.2 * half, "punct", ink), *_mark(x, y, 0.5 * half, USED_KIND, ink)]
    return [
        Polyline(((left, top), (right, bottom)), ink, 0.42 * half),
        Polyline(((left, bottom), (right, top)), ink, 0.42 * half),
    ]


def _panel_height(s: Any, side: int) -> int:
    return RESERVE_HEIGHT + min(ROWS_HEIGHT, ROW_HEIGHT * len(_rights(s, side)))


def _panel(s: Any, side: int, left: float, top: float) -> list[Shape]:
    """Return the panel of a side: its reserve and what it may still bring in."""
    middle = left + PANEL / 2 - 10
    shapes = panel(left, top, left + PANEL - 20, top + _panel_height(s, side), SIDES[side])
    reserve = int(s.reserve[side])
    full = max(PILE, math.ceil(reserve / PILES))
    piles = [min(full, reserve - begin) for begin in range(0, reserve, full)]
    for number, pieces in enumerate(piles):
        x = middle + PILE_WIDTH * (number - (len(piles) - 1) / 2)
        for layer in range(pieces):
            rim = TONES[side].raised_rim if layer else TONES[side].rim
            shapes += _plain(x, top + 84 - layer * PILE_LAYER, PILE_RADIUS, side, rim)
    y = top + 126
    shapes.append(Text(middle, y, f"{reserve} in reserve", 15, INK))
    rights = _rights(s, side)
    pitch = min(ROW_HEIGHT, ROWS_HEIGHT / max(1, len(rights)))
    for kind, text in rights:
        y += pitch
        if kind:
            shapes += _drawn(left + 21, y + 1, min(12, 0.4 * pitch), _Piece(side, kind))
        shapes.append(Text(middle + (14 if kind else 0), y, text, 14, INK))
    return shapes


def _rights(s: Any, side: int) -> list[tuple[str, str]]:
    """Return what a side may still bring in besides basic pieces, as kind and words, and its challenges."""
    lines = [(GIPF_KIND, "GIPF-pieces may enter")] if s.placing[side] else []
    lines += [
        (name, f"{name.upper()} potentials: {s.left[side, kind]}")
        for kind, name in enumerate(POTENTIAL_NAMES)
        if s.each[kind]
    ]
    if s.challenges_each:
        lines.append((BASIC_KIND, f"challenges left: {s.challenges[side]}"))
    return lines
