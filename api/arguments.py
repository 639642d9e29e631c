"""Checks of arguments that many functions of the library take."""

from __future__ import annotations

import operator
from typing import Any

from tengen.api.errors import argument_error, refusals, require
from tengen.engine.game import Game, GameSpec


def spec_of(spec: object) -> GameSpec:
    """Return the spec that a `GameSpec`, a `Game` or a text such as ``go,size=9`` names.

    Raises
    ------
    ArgumentError, OptionError
        If it is none of these, or the text names no game.
    """
    if isinstance(spec, GameSpec):
        return spec
    if isinstance(spec, Game):
        return GameSpec.parse(spec.name)
    with refusals(spec):
        return GameSpec.parse(require(spec, str, "spec", "a game spec such as 'go,size=9'"))


def side_number(game: Game, side: int | str) -> int:
    """Return the number of a side, given as a number, a name or a letter.

    Raises
    ------
    ArgumentError, OptionError
        If it is none of these.
    """
    if isinstance(side, str):
        return game.side(side)
    if isinstance(side, bool) or side not in (0, 1):
        raise argument_error(side, "side", f"0, 1, {' or '.join(game.sides)}")
    return int(side)


def whole_number(value: Any, name: str) -> int:
    """Return a whole number of Python's or NumPy's.

    Raises
    ------
    ArgumentError
        If it is something else.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise argument_error(value, name, "a whole number") from None
