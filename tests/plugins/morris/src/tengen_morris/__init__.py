"""Three men's morris: place three men, then slide them; three in a row win. It shows how repetition draws."""

from tengen.engine.game import REPETITION, Game

GAME = Game(
    package=__name__,
    name="morris",
    title="Three men's morris",
    summary="place three men, then slide them until they stand in a row",
    sides=("black", "white"),
    letters=("b", "w"),
    options=(REPETITION,),
    repetition="MM-4",
)
