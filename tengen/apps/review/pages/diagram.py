"""Pictures with turns drawn on the board; of an analysed position, its candidates and who owns what, too."""

import importlib.util
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tengen.engine.board.picture import (
    INK,
    Circle,
    Picture,
    Place,
    Polygon,
    Polyline,
    Shape,
    Text,
    rectangle,
)
from tengen.engine.extras import missing
from tengen.engine.notation import shown, shown_picture
from tengen.engine.play.position import Position
from tengen.engine.storage.files import replace_file
from tengen.protocol.arguments import require_target
from tengen.search.info import Info

OTHER = "#b06a00"  # colour of candidates other than the best
OWNERS = ("#141211", "#fbf8f2")  # of the first and the second side of a square board
LEAST_OWNED = 0.1  # of ownership, 0 to 1: less is not drawn
SQUARE = 0.32  # half the side of the square of a point that one side owns, in radii of its place
PLATE, LETTERS, NARROW = 0.66, 0.72, 2  # radius of a label's ground and size of its letters; digits that fit
GROUND = "#fffdf7"
PLAYED, BETTER = "#2a6fb0", "#1f8a3b"  # colours of the turn played, and of a better one
WIDTH = 4.0
RING = 0.62  # radius of a ring, in radii of its place
HEAD = 0.5  # length of the head of an arrow, the same
LINE = 24  # height of the line of text below the picture


def require(svg: Path | None, png: Path | None, inputs: Iterable[Path] = ()) -> None:
    """Raise OptionError unless the pictures that are asked for can be drawn, and no input is lost."""
    for name, path in (("--svg", svg), ("--png", png)):
        if path is not None:
            require_target(path, name, inputs)
    if png is not None and importlib.util.find_spec("PIL") is None:
        raise missing("--png needs Pillow", "png")


def write(svg: Path | None, png: Path | None, position: Position, lines: Sequence[Info] = ()) -> None:
    """Write the pictures that are asked for."""
    if svg is None and png is None:
        return
    picture = draw(position, lines)
    if svg is not None:
        replace_file(svg, picture.to_svg().encode("ascii"))
    if png is not None:
        picture.save_png(png)


def draw(position: Position, lines: Sequence[Info]) -> Picture:
    """Return the picture of a position with the candidates of a search, best first, or with its last turn."""
    current = position.current
    picture = position.draw()
    if lines and lines[0].ownership:
        picture = _with_owners(picture, current, lines[0].ownership)
    if current.turns_played:
        picture = with_turn(picture, current.turns_played[-1], PLAYED)
    scale = position.scale
    for rank, line in reversed(list(enumerate(lines))):
        picture = with_turn(picture, line.pv[0], OTHER if rank else BETTER)
    labels = list(_labels(picture, lines, scale))
    text = ",  ".join(f"{line.pv[0]} {100 * line.win_rate(scale):.1f}%" for line in lines)
    drawn = shown_picture(position.spec, replace(picture, shapes=(*picture.shapes, *labels)))
    return _with_line(drawn, shown(position.spec, text))


def _labels(picture: Picture, lines: Iterable[Info], scale: float) -> Iterator[Shape]:
    """Yield the win rates in per cent where candidates end; the best of those that end in the same place."""
    taken: set[str] = set()
    for rank, line in enumerate(lines):
        place = end_of(picture, line.pv[0])
        if place is None or place.name in taken:
            continue
        taken.add(place.name)
        rate = f"{100 * line.win_rate(scale):.0f}"
        colour = OTHER if rank else BETTER
        size = LETTERS * place.radius * (1 if len(rate) <= NARROW else NARROW / len(rate) * 1.15)
        yield Circle(place.x, place.y, PLATE * place.radius, GROUND, colour, 2.0)
        yield Text(place.x, place.y, rate, size, colour, bold=True)


def _with_owners(picture: Picture, position: Position, ownership: Sequence[float]) -> Picture:
    """Return a picture with a square on every point, the larger the surer its owner is."""
    mover = position.side_to_move
    squares = []
    for place, owned in zip(picture.places, ownership, strict=True):
        if abs(owned) < LEAST_OWNED:
            continue
        reach = SQUARE * place.radius * abs(owned) ** 0.5
        corners = rectangle(place.x - reach, place.y - reach, place.x + reach, place.y + reach)
        owner = mover if owned > 0 else 1 - mover
        squares.append(Polygon(corners, OWNERS[owner], OWNERS[1 - owner], 0.8))
    return replace(picture, shapes=(*picture.shapes, *squares))


def _with_line(picture: Picture, text: str) -> Picture:
    """Return a picture with a line of text below, as much of it as fits."""
    if not text:
        return picture
    size = 13.0
    room = int(picture.width / (0.56 * size))
    fitting = text if len(text) <= room else f"{text[: room - 3].rsplit(',', 1)[0]} ..."
    ground = Polygon(rectangle(0, picture.height, picture.width, picture.height + LINE), GROUND)
    line = Text(picture.width / 2, picture.height + LINE / 2, fitting, size)
    return replace(picture, height=picture.height + LINE, shapes=(*picture.shapes, ground, line))


# -------------------------------------------------------------------------------------------- turns on boards


def with_turn(picture: Picture, turn: str, colour: str) -> Picture:
    """Return `picture` with the places of `turn` marked; unchanged if it names none, as a pass does."""
    shapes = [shape for part in turn.split(",") for shape in _drawn(_path(picture, part), colour)]
    return replace(picture, shapes=(*picture.shapes, *shapes))


def end_of(picture: Picture, turn: str) -> Place | None:
    """Return the place where the first part of a turn ends; None if it names none."""
    path = _path(picture, turn.split(",")[0].split(";")[0])
    return path[-1] if path else None


def with_numbers(picture: Picture, turns: Iterable[tuple[int, str]], empty: Collection[str] = ()) -> Picture:
    """Return `picture` with the numbers of turns where they end, the last one on each place.

    `empty` are the places on which nothing stands any more.
    """
    last = {end: number for number, turn in turns if (end := end_of(picture, turn)) and end.name not in empty}
    shapes: list[Shape] = []
    for place, number in last.items():
        size = (1.0 if number < 100 else 0.8) * place.radius
        shapes.append(Circle(place.x, place.y, PLATE * place.radius, GROUND, INK, 1))
        shapes.append(Text(place.x, place.y, str(number), size, INK))
    return replace(picture, shapes=(*picture.shapes, *shapes))


def _path(picture: Picture, text: str) -> list[Place]:
    """Return the places that a part of a turn names, in order."""
    places = {place.name: place for place in picture.places if place.name[-1:].isdigit()}
    if not places:
        return []
    names = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
    return [places[name] for name in re.findall(rf"({names})(?!\d)", text)]


def _drawn(path: list[Place], colour: str) -> Iterator[Shape]:
    """Yield the shapes that mark a path: a ring for a single place, else an arrow to its end."""
    if len(path) == 1:
        (place,) = path
        yield Circle(place.x, place.y, RING * place.radius, "", colour, WIDTH)
    elif path:
        yield Polyline(tuple((place.x, place.y) for place in path), colour, WIDTH)
        yield _head(path[-2], path[-1], colour)


def _head(before: Place, end: Place, colour: str) -> Polygon:
    """Return the head of an arrow from `before` to `end`."""
    angle, length = math.atan2(end.y - before.y, end.x - before.x), HEAD * end.radius
    wings = (
        (end.x - length * math.cos(angle + turn), end.y - length * math.sin(angle + turn))
        for turn in (-0.5, 0.5)
    )
    return Polygon(((end.x, end.y), *wings), colour)
