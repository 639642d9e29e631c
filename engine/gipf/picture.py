"""The GIPF board in plain text and as a drawing: columns a to i upright, White below, e1 at the bottom."""

from __future__ import annotations

import math
from collections.abc import Callable
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
    Point,
    Polygon,
    Polyline,
    Shape,
    Text,
    disc,
    panel,
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
    PUSH_NAMES,
    PUSH_SPOTS,
    SPOTS,
    WHITE,
    bit,
    name,
)
from tengen.engine.gipf.text import piece_texts

SIDES = ("White", "Black")
ENDS = {Outcome.FIRST_WINS: "White has won", Outcome.SECOND_WINS: "Black has won", Outcome.DRAW: "Draw"}
TO_DO = {
    OPENING_EXTRA: ", with the TAMSK potential on e5 first",
    OPENING_ROWS: ", with rows to resolve first",
}
BASIC_KIND, GIPF_KIND, ZERTZ_KIND, TAMSK_KIND, USED_KIND = KINDS = ("", "gipf", "zertz", "tamsk", "used")

PITCH = 4  # characters between two columns of the plain text

CELL = 64  # pixels between two neighbours
RISE = CELL * math.sqrt(3) / 2  # between two columns
MARGIN = 62  # from the edges of the picture to the outer dots
PANEL = 220  # width of what stands beside the board
RESERVE_HEIGHT = 142  # height of a panel with nothing but the reserve
ROW_HEIGHT = 31  # height of a further line in it
CAPTION = 30  # height of the caption
RADIUS = 25  # of a piece
SMALL = 0.58  # radius of a potential, in radii of a piece
LAYER = 0.26  # by which a piece rises over the one below it, in its radii
LABEL = 21  # from a dot to its name
DOT, SPOT = 6, 4.5  # radii of a dot and of an empty spot
PILE = 6  # pieces in a pile of the reserve
PILE_RADIUS, PILE_LAYER, PILE_WIDTH = 20, 4.0, 54
TONES = {WHITE: IVORY, BLACK: EBONY}
EDGES = {WHITE: "#b3a996", BLACK: "#8c8781"}  # the turned edge on top of each piece


def caption(s: Any) -> str:
    """Return the side to move and how its turn must begin, or the winner."""
    return ENDS.get(Outcome(int(outcome(s))), f"{SIDES[s.side_to_move]} to move{TO_DO.get(int(s.stage), '')}")


def _piece(s: Any, place: Axial) -> tuple[int, str] | None:
    """Return the side and the kind of the piece on a spot; None if it is empty."""
    spot = 1 << bit(place)
    side = next((side for side in (WHITE, BLACK) if int(s.pieces[side]) & spot), None)
    if side is None:
        return None
    return side, next((kind for kind in KINDS[1:] if int(s[kind]) & spot), BASIC_KIND)


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
    return "\n".join([*rows, "", *(_off_board(s, side) for side in (WHITE, BLACK)), caption(s)])


def _off_board(s: Any, side: int) -> str:
    """Return the reserve of a side, and what it may still bring in besides basic pieces."""
    others = ["GIPF-pieces"] if s.placing[side] else []
    others += [f"ZERTZ {s.zertz_left[side]}"] if s.zertz_left[side] else []
    others += [f"TAMSK {s.tamsk_left[side]}"] if s.tamsk_left[side] else []
    text = f"{SIDES[side]}: {s.reserve[side]} in reserve"
    text += f", may bring in {', '.join(others)}" if others else ""
    return text + (f"; challenges {s.challenges[side]}" if s.challenges_each else "")


# ---------------------------------------------------------------------------------------------------- drawing


def draw(s: Any) -> Picture:
    """Return the board as a drawing.

    A GIPF-piece is two discs with a ring on top. A charged piece carries a small disc, with a Z on it or an
    hour-glass; a used potential is such a disc alone, with a cross.
    """
    width = round(2 * MARGIN + 8 * RISE + PANEL)
    height = 2 * MARGIN + 8 * CELL + CAPTION
    shapes = wooden_board(width, height)
    shapes += _lines()
    shapes += _coordinates()
    for place in sorted(SPOTS, key=_height, reverse=True):
        if piece := _piece(s, place):
            shapes += _drawn(*_place(place), RADIUS, *piece)
    left, top = width - PANEL, MARGIN - 24
    shapes += _panel(s, BLACK, left, top)
    shapes += _panel(s, WHITE, left, height - CAPTION - top - _panel_height(s, WHITE))
    shapes.append(Text(width / 2, height - CAPTION / 2 - 8, caption(s), 18, INK))
    return Picture(width, height, f"GIPF: {caption(s)}", tuple(shapes))


def _place(place: Axial) -> Point:
    """Return the pixel of a dot or spot."""
    return MARGIN + place[0] * RISE, MARGIN + (4 - _height(place)) * CELL


def _lines() -> list[Shape]:
    """Return the lines from dot to dot, the dots, and the spots where the lines cross."""
    dots = {name(dot): _place(dot) for dot in DOTS}
    shapes: list[Shape] = []
    for (dot, _), spots in zip(LINE_NAMES, LINE_SPOTS, strict=True):
        end, _ = PUSH_NAMES[PUSH_SPOTS.index(spots[::-1])]
        shapes.append(Polyline((dots[dot], dots[end]), GROOVE, 1.8))
    shapes += [Circle(*_place(place), SPOT, "#c08e4f", GROOVE, 1.4) for place in COORDINATES.values()]
    shapes += [Circle(*place, DOT, INK) for place in dots.values()]
    return shapes


def _coordinates() -> list[Shape]:
    """Return the names of the dots, just outside the board."""
    x0, y0 = _place((MIDDLE, 5))
    shapes: list[Shape] = []
    for dot in DOTS:
        x, y = _place(dot)
        far = LABEL / math.hypot(x - x0, y - y0)
        shapes.append(Text(x + far * (x - x0), y + far * (y - y0), name(dot), 15, FAINT_INK))
    return shapes


def _drawn(x: float, y: float, radius: float, side: int, kind: str) -> list[Shape]:
    """Return a piece of a side and kind."""
    if kind == USED_KIND:
        return _potential(x, y, radius, side, kind, TONES[side].rim)
    shapes = _plain(x, y, radius, side, TONES[side].rim)
    y -= LAYER * radius
    if kind == GIPF_KIND:
        ring = Circle(x, y, 0.4 * radius, "", TONES[side].ink, 0.16 * radius)
        return [*shapes, *_plain(x, y, radius, side, TONES[side].raised_rim), ring]
    if kind in (ZERTZ_KIND, TAMSK_KIND):
        return [*shapes, *_potential(x, y, radius, side, kind, TONES[side].raised_rim)]
    return shapes


def _plain(x: float, y: float, radius: float, side: int, rim: str) -> list[Shape]:
    """Return a basic piece."""
    edge = Circle(x, y, 0.74 * radius, "", EDGES[side], 0.05 * radius)
    return [*disc(x, y, radius, TONES[side].shade, rim), edge]


def _potential(x: float, y: float, radius: float, side: int, kind: str, rim: str) -> list[Shape]:
    """Return a potential: a small disc with its mark, `radius` that of a piece."""
    mark = POTENTIAL_MARKS[kind](x, y, 0.27 * radius, TONES[side].ink)
    return [*disc(x, y, SMALL * radius, TONES[side].shade, rim), *mark]


def _letter_z(x: float, y: float, half: float, ink: str) -> list[Shape]:
    corners = (x - half, y - half), (x + half, y - half), (x - half, y + half), (x + half, y + half)
    return [Polyline(corners, ink, 0.42 * half)]


def _hour_glass(x: float, y: float, half: float, ink: str) -> list[Shape]:
    top, bottom = y - 1.2 * half, y + 1.2 * half
    corners = (x - half, top), (x + half, top), (x - half, bottom), (x + half, bottom)
    return [Polygon(corners, ink, ink, 0.2 * half)]


def _cross(x: float, y: float, half: float, ink: str) -> list[Shape]:
    return [
        Polyline(((x - half, y - half), (x + half, y + half)), ink, 0.42 * half),
        Polyline(((x - half, y + half), (x + half, y - half)), ink, 0.42 * half),
    ]


POTENTIAL_MARKS: dict[str, Callable[[float, float, float, str], list[Shape]]] = {
    ZERTZ_KIND: _letter_z,
    TAMSK_KIND: _hour_glass,
    USED_KIND: _cross,
}


def _panel_height(s: Any, side: int) -> int:
    return RESERVE_HEIGHT + ROW_HEIGHT * len(_rights(s, side))


def _panel(s: Any, side: int, left: float, top: float) -> list[Shape]:
    """Return the panel of a side: its reserve and what it may still bring in."""
    middle = left + PANEL / 2 - 10
    shapes = panel(left, top, left + PANEL - 20, top + _panel_height(s, side), SIDES[side])
    piles = [min(PILE, int(s.reserve[side]) - begin) for begin in range(0, int(s.reserve[side]), PILE)]
    for number, pieces in enumerate(piles):
        x = middle + PILE_WIDTH * (number - (len(piles) - 1) / 2)
        for layer in range(pieces):
            rim = TONES[side].raised_rim if layer else TONES[side].rim
            shapes += _plain(x, top + 84 - layer * PILE_LAYER, PILE_RADIUS, side, rim)
    y = top + 126
    shapes.append(Text(middle, y, f"{s.reserve[side]} in reserve", 15, INK))
    for kind, text in _rights(s, side):
        y += ROW_HEIGHT
        if kind:
            shapes += _drawn(left + 21, y + 1, 12, side, kind)
        shapes.append(Text(middle + (14 if kind else 0), y, text, 14, INK))
    return shapes


def _rights(s: Any, side: int) -> list[tuple[str, str]]:
    """Return what a side may still bring in besides basic pieces, as kind and words, and its challenges."""
    lines = [(GIPF_KIND, "GIPF-pieces may enter")] if s.placing[side] else []
    if s.zertz_each:
        lines.append((ZERTZ_KIND, f"ZERTZ potentials left: {s.zertz_left[side]}"))
    if s.tamsk_each:
        lines.append((TAMSK_KIND, f"TAMSK potentials left: {s.tamsk_left[side]}"))
    if s.challenges_each:
        lines.append((BASIC_KIND, f"challenges left: {s.challenges[side]}"))
    return lines
