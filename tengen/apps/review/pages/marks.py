"""Turns drawn on a picture of the board: a ring around a place, an arrow along a path."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from tengen.engine.board.picture import INK, Circle, Picture, Place, Polygon, Polyline, Shape, Text

PLAYED, BETTER = "#2a6fb0", "#1f8a3b"  # colours of the turn played, and of a better one
WIDTH = 4.0
RING = 0.62  # radius of a ring, in radii of its place
PLATE, GROUND = 0.66, "#fffdf7"  # of numbers: radius, in radii of the place, and colour
HEAD = 0.5  # length of the head of an arrow, the same


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
