"""Tic-tac-toe, with nothing that the contract does not ask for: what else searches use are defaults."""

from tengen.engine.game import Game, Option

GAME = Game(
    package=__name__,
    name="tictactoe",
    title="Tic-tac-toe",
    summary="three of one colour in a row win",
    sides=("black", "white"),
    letters=("b", "w"),
    options=(Option("size", 3, "points on a side of the board", low=3, high=3),),
    square=True,
)
