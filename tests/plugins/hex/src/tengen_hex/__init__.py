"""Hex: join your two edges of a rhombus of hexagons with a chain of stones."""

from tengen.engine.game import Game, Option

GAME = Game(
    package=__name__,
    name="hex",
    title="Hex",
    summary="join your two edges of the board with a chain of stones",
    sides=("black", "white"),
    letters=("b", "w"),
    options=(Option("size", 11, "cells on a side of the board", low=3, high=19),),
    sgf_gm=11,
    scale=200.0,
    expected_moves=30,
    random_plies=6,
)
