"""Gomoku: five stones in an unbroken line win."""

from tengen.engine.game import Game, Option

OPENING = Option(
    "opening", "none", "pro: first stone in the middle, third away from it", choices=("none", "pro")
)

GAME = Game(
    package=__name__,
    name="gomoku",
    title="Gomoku",
    summary="five stones of one colour in an unbroken line win",
    sides=("black", "white"),
    letters=("b", "w"),
    options=(
        Option("size", 15, "points on a side of the board", low=5, high=22),
        Option("exactly-five", False, "six or more in a line do not win"),
        Option("renju", False, "Black has forbidden points, and wins with exactly five"),
        OPENING,
    ),
    variants={
        "freestyle": {"exactly-five": False},
        "exactly-five": {"exactly-five": True},
        "renju": {"renju": True},
    },
    words={"exactly-five": "exactly five (Gomocup)", "renju": "Renju", "pro": "Pro"},
    square=True,
    five_in_a_row=True,
    out_of_turn=True,
    sgf_gm=4,
    sgf_properties=("RU",),
    scale=300.0,
)
