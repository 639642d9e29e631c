"""Pictures of boards: plain shapes, written as SVG or PNG, and the wooden board they share.

Lengths are in pixels of the SVG, x to the right, y down. Colours are ``#rrggbb``, or ``#rrggbbaa`` if
they are translucent.
"""

from __future__ import annotations

import functools
import html
import io
import itertools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tengen.engine.errors import OptionError
from tengen.engine.extras import missing
from tengen.engine.storage.files import replace_file

Point = tuple[float, float]

SUPERSAMPLING = 3  # each pixel of a PNG is the mean of this many squared
MAX_SCALE = 8.0
FONT = "Helvetica, Arial, sans-serif"
WOOD, WOOD_EDGE, GRAIN = "#dcab68", "#8a5a2b", "#d19f5d"
INK, FAINT_INK = "#3b2510", "#5b3a1c"
GROOVE = "#6b4321"  # lines on the board
SHADOW = "#2a160555"
LIGHT = (0.36, 0.3)  # centre of the light on a disc, in its bounding box
REACH = 0.78  # radius of the light, in widths of the disc


@dataclass(frozen=True)
class Shade:
    """A fill that is lit from the top left: `inner` at the centre of the light, `outer` far from it."""

    inner: str
    outer: str


@dataclass(frozen=True)
class Tone:
    """The colours of a piece: its fill, its rim, its rim on a dark ground, and the marks on it."""

    shade: Shade
    rim: str
    raised_rim: str
    ink: str


IVORY = Tone(Shade("#ffffff", "#c8bfb0"), "#7d7466", "#7d7466", "#1b1410")
EBONY = Tone(Shade("#6e6a66", "#0d0c0c"), "#000000", "#9a948e", "#ffffff")


@dataclass(frozen=True, kw_only=True)
class _Figure:
    """What all shapes have: the name of the place on which a piece stands that the shape is a part of."""

    piece: str = ""


@dataclass(frozen=True)
class Circle(_Figure):
    """A disc, or a ring if `fill` is empty; half of the stroke is inside."""

    x: float
    y: float
    radius: float
    fill: str | Shade = ""
    stroke: str = ""
    width: float = 1.0


@dataclass(frozen=True)
class Polygon(_Figure):
    """A closed figure."""

    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 1.0


@dataclass(frozen=True)
class Polyline(_Figure):
    """A line through `points`."""

    points: tuple[Point, ...]
    stroke: str
    width: float = 1.0


@dataclass(frozen=True)
class Text(_Figure):
    """A line of text around the point (`x`, `y`); `caption`: it says who is to move or has won."""

    x: float
    y: float
    text: str
    size: float
    fill: str = INK
    bold: bool = False
    caption: bool = False


Shape = Circle | Polygon | Polyline | Text


@dataclass(frozen=True)
class Place:
    """A place that can be pointed at: a point of the board, or a piece beside it."""

    # as turns name it; for a piece beside the board as the steps of a turn name it (`engine.play.steps`)
    name: str
    x: float  # of a disc
    y: float
    radius: float


@dataclass(frozen=True)
class Picture:
    """A picture of a board."""

    width: int  # pixels
    height: int
    title: str  # description in words
    shapes: tuple[Shape, ...]  # from back to front
    places: tuple[Place, ...] = ()  # what can be pointed at, in the order in which a reader meets them

    def without_caption(self) -> Picture:
        """Return the picture for those who say themselves whose turn it is."""
        shapes = (shape for shape in self.shapes if not (isinstance(shape, Text) and shape.caption))
        return replace(self, shapes=tuple(shapes))

    def to_svg(self) -> str:
        """Return the picture as an SVG document, in ASCII.

        The shapes of a piece are a group with the attribute ``data-piece``. Invisible circles on top, with
        ``data-place``, are what can be pointed at.
        """
        fills = [shape.fill for shape in self.shapes if isinstance(shape, Circle)]
        shades = dict.fromkeys(fill for fill in fills if isinstance(fill, Shade))
        names = {shade: f"shade{number}" for number, shade in enumerate(shades)}
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" font-family="{FONT}" text-anchor="middle">',
            f"<title>{_escaped(self.title)}</title>",
            "<defs>",
        ]
        light = f'cx="{LIGHT[0]}" cy="{LIGHT[1]}" r="{REACH}"'
        for shade, name in names.items():
            colours = enumerate((shade.inner, shade.outer))
            stops = "".join(f'<stop offset="{at}" stop-color="{colour}"/>' for at, colour in colours)
            lines.append(f'<radialGradient id="{name}" {light}>{stops}</radialGradient>')
        lines.append("</defs>")
        for piece, parts in itertools.groupby(self.shapes, key=lambda shape: shape.piece):
            drawn = [_svg_shape(shape, names) for shape in parts]
            lines += [f'<g data-piece="{_escaped(piece)}">', *drawn, "</g>"] if piece else drawn
        for place in self.places:
            where = f'cx="{_number(place.x)}" cy="{_number(place.y)}" r="{_number(place.radius)}"'
            told = f'data-place="{_escaped(place.name)}"'
            lines.append(f'<circle {told} {where} fill="none" pointer-events="all"/>')
        return "\n".join([*lines, "</svg>"]) + "\n"

    def save_png(self, path: Path | str, scale: float = 2) -> None:
        """Write the picture to a PNG file, enlarged by `scale`.

        Raises OptionError if Pillow is not installed, or `scale` is not in (0, 8]; OSError if the file cannot
        be written.
        """
        if not 0 < scale <= MAX_SCALE:
            raise OptionError(f"scale: expected a number above 0 up to {MAX_SCALE:g}, got {scale}")
        image = _Canvas(self, scale).image.reduce(SUPERSAMPLING)
        data = io.BytesIO()
        image.save(data, format="PNG", optimize=True)
        replace_file(Path(path), data.getvalue())


# -------------------------------------------------------------------------------------------------------- SVG


def _escaped(text: str) -> str:
    """Return `text` as XML in ASCII; characters that XML forbids become U+FFFD."""
    known = re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
    escaped = html.escape(known, quote=False).replace('"', "&quot;")
    return escaped.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _number(value: float) -> str:
    """Return a length with at most two decimals; equal ones, such as 0.0 and -0.0, are written alike."""
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")


def _paint(what: str, colour: str) -> str:
    """Return the attributes for the colour of ``fill`` or ``stroke``; SVG 1.1 needs opacity separately."""
    if not colour:
        return f'{what}="none"'
    opaque, alpha = colour[:7], colour[7:]
    opacity = f' {what}-opacity="{_number(int(alpha, 16) / 255)}"' if alpha else ""
    return f'{what}="{opaque}"{opacity}'


def _svg_shape(shape: Shape, shades: dict[Shade, str]) -> str:
    """Return the element of one shape."""
    match shape:
        case Circle(x, y, radius, fill, stroke, width):
            paint = f'fill="url(#{shades[fill]})"' if isinstance(fill, Shade) else _paint("fill", fill)
            place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
            return f"<circle {place} {paint}{_svg_stroke(stroke, width)}/>"
        case Polygon(points, fill, stroke, width):
            paint = _paint("fill", fill)
            return f'<polygon points="{_svg_points(points)}" {paint}{_svg_stroke(stroke, width)}/>'
        case Polyline(points, stroke, width):
            return f'<polyline points="{_svg_points(points)}" fill="none"{_svg_stroke(stroke, width)}/>'
        case Text(x, y, text, size, fill, bold):
            place = f'x="{_number(x)}" y="{_number(y)}" dy="0.35em" font-size="{_number(size)}"'
            weight = ' font-weight="bold"' if bold else ""
            return f"<text {place}{weight} {_paint('fill', fill)}>{_escaped(text)}</text>"


def _svg_stroke(colour: str, width: float) -> str:
    if not colour:
        return ""
    return f' {_paint("stroke", colour)} stroke-width="{_number(width)}" stroke-linejoin="round"'


@functools.lru_cache(1 << 10)  # the grain of the wood, above all, is the same in every picture of a board
def _svg_points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


# -------------------------------------------------------------------------------------------------------- PNG


class _Canvas:
    """A Pillow image of a picture, enlarged by `scale` and supersampled."""

    def __init__(self, picture: Picture, scale: float) -> None:
        try:
            from PIL import Image, ImageDraw, ImageFont
        except ImportError:
            raise missing("PNG needs Pillow", "png") from None
        self._modules = Image, ImageFont
        self._scale = scale * SUPERSAMPLING
        size = tuple(SUPERSAMPLING * max(1, round(side * scale)) for side in (picture.width, picture.height))
        self.image: Any = Image.new("RGB", size, "#ffffff")
        self._draw: Any = ImageDraw.Draw(self.image, "RGBA")
        self._tile = functools.cache(self._new_tile)
        for shape in picture.shapes:
            self._add(shape)

    def _add(self, shape: Shape) -> None:
        match shape:
            case Circle(x, y, radius, fill, stroke, width):
                box = self._box(x, y, radius)
                if isinstance(fill, Shade):
                    tile, mask = self._tile(fill, round(2 * radius * self._scale))
                    self.image.paste(tile, (round(box[0]), round(box[1])), mask)
                elif fill:
                    self._draw.ellipse(box, fill)
                if stroke:
                    self._draw.ellipse(self._box(x, y, radius + width / 2), None, stroke, self._width(width))
            case Polygon(points, fill, stroke, width):
                if fill:
                    self._draw.polygon(self._points(points), fill)
                if stroke:
                    self._draw.line(self._points((*points, *points[:2])), stroke, self._width(width), "curve")
            case Polyline(points, stroke, width):
                self._draw.line(self._points(points), stroke, self._width(width), "curve")
            case Text(x, y, text, size, fill, bold):
                font = self._modules[1].load_default(size * self._scale)
                weight = self._width(size / 40) if bold else 0
                place = x * self._scale, y * self._scale
                self._draw.text(place, text, fill, font, "mm", stroke_width=weight, stroke_fill=fill)

    def _new_tile(self, shade: Shade, side: int) -> tuple[Any, Any]:
        """Return a square of `side` pixels in this shade, and the mask of its inscribed disc."""
        Image, _ = self._modules
        from PIL import ImageDraw

        reach = 2 * REACH * side  # width of the square that Pillow shades from its middle to its edges
        gradient = Image.radial_gradient("L").resize((round(reach), round(reach)))
        left, top = (round(reach / 2 - light * side) for light in LIGHT)
        gradient = gradient.crop((left, top, left + side, top + side))
        colours = (Image.new("RGB", (side, side), colour) for colour in (shade.outer, shade.inner))
        mask = Image.new("L", (side, side), 0)
        ImageDraw.Draw(mask).ellipse((0, 0, side - 1, side - 1), 255)
        return Image.composite(*colours, gradient), mask

    def _box(self, x: float, y: float, radius: float) -> tuple[float, float, float, float]:
        left, top, right, bottom = (self._scale * v for v in (x - radius, y - radius, x + radius, y + radius))
        return left, top, right, bottom

    def _points(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self._scale, y * self._scale) for x, y in points]

    def _width(self, width: float) -> int:
        return max(1, round(width * self._scale))


# --------------------------------------------------------------------------------------------------- the look


def board(width: float, height: float, frame: float = 6) -> list[Shape]:
    """Return a wooden board with grain and an edge that fills a picture of this size."""
    shapes: list[Shape] = [Polygon(rectangle(0, 0, width, height), WOOD)]
    steps = [frame + (width - 2 * frame) * step / 24 for step in range(25)]
    number, y = 0, 2 * frame
    while y < height - 2 * frame:
        swing, bend = 2.5 + number * 7 % 5, 90 + number * 37 % 80
        points = tuple((x, y + swing * math.sin(x / bend + number * number)) for x in steps)
        shapes.append(Polyline(points, GRAIN, 0.8 + number * 5 % 4 * 0.7))
        number, y = number + 1, y + 6 + number * 11 % 9
    edge = rectangle(frame / 2, frame / 2, width - frame / 2, height - frame / 2)
    return [*shapes, Polygon(edge, "", WOOD_EDGE, frame)]


def rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


def disc(x: float, y: float, radius: float, shade: Shade, rim: str) -> list[Shape]:
    """Return a lit disc with its shadow."""
    return [
        Circle(x + 0.06 * radius, y + 0.12 * radius, radius * 1.03, SHADOW),
        Circle(x, y, radius, shade, rim, max(0.8, radius * 0.04)),
    ]


def piece_at(place: str, shapes: Iterable[Shape]) -> list[Shape]:
    """Return `shapes` as those of the piece on `place`."""
    return [replace(shape, piece=place) for shape in shapes]


def panel(left: float, top: float, right: float, bottom: float, title: str) -> list[Shape]:
    """Return a frame with a headline, for information beside the board."""
    frame = Polygon(rectangle(left, top, right, bottom), "#fff4e640", GROOVE, 1)
    return [frame, Text((left + right) / 2, top + 20, title, 17, INK, bold=True)]


# ------------------------------------------------------------------------------------------- boards as text


def upright_columns(cells: Mapping[tuple[int, int], str], pitch: int) -> list[str]:
    """Return the lines of a hexagonal board in plain text, `pitch` characters from column to column.

    The cells are by column, from 0, and by height, in halves of the distance between neighbours.
    """
    rows: dict[int, dict[int, str]] = {}
    for (column, height), text in cells.items():
        rows.setdefault(height, {})[column] = text
    return [
        "".join(f"{rows[height].get(x, ''):<{pitch}}" for x in range(max(rows[height]) + 1)).rstrip()
        for height in sorted(rows, reverse=True)
    ]
