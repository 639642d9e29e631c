"""How people write turns and places, where that is not what positions, records and protocols write.

The players of a game may have a notation of their own, which is its module ``notation`` (`engine.modules`).
What is shown to people passes through here last, what they have typed passes through here first. The library,
records and protocols have the other notation, and so have the boards of `Position`.
"""

import functools
from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any, TypeVar, cast

from tengen.engine.board.picture import Picture, Text
from tengen.engine.board.sketch import Sketch
from tengen.engine.spec import GameSpec

T = TypeVar("T")


@functools.lru_cache(64)
def _notations(spec: GameSpec, name: str = "shown") -> tuple[ModuleType, ...]:
    """Return the notations of a game, and of the one played for a challenge, that have a function."""
    found = [each.game.module("notation") for each in spec.games if each.game.offers("notation")]
    return tuple(notation for notation in found if hasattr(notation, name))


def shown(spec: GameSpec, value: T) -> T:
    """Return a text as people write it; of lists, tuples and dicts all texts."""
    found = value
    for notation in _notations(spec):
        found = _shown(notation, found)
    return found


def _shown(notation: ModuleType, value: T) -> T:
    found: Any = value
    if isinstance(value, str):
        found = notation.shown(value)
    elif isinstance(value, Mapping):
        found = {_shown(notation, key): _shown(notation, each) for key, each in value.items()}
    elif isinstance(value, list | tuple):
        found = type(value)(_shown(notation, each) for each in value)
    return cast("T", found)


def typed(spec: GameSpec, text: str) -> str:
    """Return turns or places that a person has typed as protocols write them; what is neither stays."""
    for notation in _notations(spec, "typed"):
        text = notation.typed(text)
    return text


def edge(spec: GameSpec, text: str) -> str:
    """Return what stands at the edge of a board, the letter of a column or the number of a row."""
    for notation in _notations(spec, "edge"):
        text = notation.edge(text)
    return text


def shown_picture(spec: GameSpec, picture: Picture) -> Picture:
    """Return a picture of a board in the notation of people: its places, its edges, what it says."""
    if not _notations(spec):
        return picture
    shapes = [replace(shape, piece=shown(spec, shape.piece)) for shape in picture.shapes]
    return replace(
        picture,
        title=shown(spec, picture.title),
        shapes=tuple(
            replace(shape, text=edge(spec, shown(spec, shape.text))) if isinstance(shape, Text) else shape
            for shape in shapes
        ),
        places=tuple(replace(place, name=shown(spec, place.name)) for place in picture.places),
    )


def shown_sketch(spec: GameSpec, sketch: Sketch) -> Sketch:
    """Return a board as characters in the notation of people; its cells keep their names."""
    lines = {place: edge(spec, text) for place, text in sketch.lines.items()}
    return replace(sketch, lines=lines, notes=shown(spec, sketch.notes))
