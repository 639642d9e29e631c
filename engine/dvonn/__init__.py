"""DVONN: placement of 49 pieces, then stacks that must stay in contact with a red DVONN piece."""

from tengen.engine.game import Game

GAME = Game(
    package=__name__,
    name="dvonn",
    title="DVONN",
    summary="stack, and stay in contact with the red DVONN pieces; most pieces in controlled stacks wins",
    sides=("white", "black"),
    letters=("w", "b"),
    sgf_gm=37,
    archive_gm="dvonn",
    scale=250.0,
    random_plies=49,  # the whole first phase, so that the second one starts from random placements
)
