"""ZÈRTZ: place marbles nobody owns, take rings away, capture by jumping; who first holds a goal wins."""

from tengen.engine.game import REPETITION, Game, Option

GAME = Game(
    package=__name__,
    name="zertz",
    title="ZÈRTZ",
    summary="place marbles that nobody owns, remove rings, capture by jumps; who first holds a goal wins",
    sides=("first", "second"),
    side_titles=("Player 1", "Player 2"),
    letters=("w", "b"),
    options=(
        Option(
            "rules",
            "basic",
            "which marbles there are, and which goals win",
            choices=("basic", "tournament"),
            preset=True,
        ),
        Option("rings", "37", "rings of the board", choices=("37", "48", "61")),
        Option(
            "isolation",
            "choice",
            "whether isolated groups may be claimed or always are",
            choices=("choice", "auto"),
        ),
        REPETITION,
    ),
    variants={"basic": {"rules": "basic"}, "tournament": {"rules": "tournament"}},
    words={
        "isolation": "isolated groups",
        "choice": "may be claimed",
        "auto": "are always claimed",
        "threefold": "a draw",
        "none": "no rule",
    },
    commas=True,
    sgf_gm=22,
    archive_gm="22",
    scale=200.0,
    repetition="R-1",
)
