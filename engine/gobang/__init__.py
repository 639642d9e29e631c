"""Gobang: Gomoku in which pairs are taken; with five pairs that win it is Pente."""

from tengen.engine.game import Game, Option
from tengen.engine.gomoku import OPENING

GAME = Game(
    package=__name__,
    base="tengen.engine.gomoku",
    shares_kernels=True,
    name="gobang",
    title="Gobang",
    summary="five in a line win, and pairs of enemy stones that are enclosed are taken",
    sides=("black", "white"),
    letters=("b", "w"),
    options=(
        Option("size", 19, "points on a side of the board", low=4, high=22),
        Option("capture-win", 0, "so many pairs taken win; 0: captures alone win nothing", low=0, high=20),
        OPENING,
    ),
    words={"capture-win": "pairs that win", "pro": "Pro"},
    square=True,
    five_in_a_row=True,
    out_of_turn=True,
    scale=300.0,
)
