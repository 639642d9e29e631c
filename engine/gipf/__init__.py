"""GIPF: push pieces in from the edge, take rows of four; who has nothing left to bring in loses."""

from tengen.engine.game import REPETITION, Game, Option
from tengen.engine.games import CONTEST

GAME = Game(
    package=__name__,
    name="gipf",
    title="GIPF",
    summary="push pieces in from the edge and take rows of four; who has none left to bring in loses",
    sides=("white", "black"),
    letters=("w", "b"),
    options=(
        Option(
            "rules",
            "standard",
            "which of the three games",
            choices=("basic", "standard", "tournament"),
            preset=True,
        ),
        Option("white", 18, "pieces of White; fewer than 18 in the basic game only", low=15, high=18),
        Option("black", 18, "pieces of Black; fewer than 18 in the basic game only", low=15, high=18),
        Option("zertz", 0, "ZÈRTZ potentials of each player", low=0, high=6),
        Option("tamsk", 0, "TAMSK potentials of each player", low=0, high=6),
        Option("dvonn", 0, "DVONN potentials of each player", low=0, high=6),
        Option("yinsh", 0, "YINSH potentials of each player", low=0, high=6),
        Option("punct", 0, "PÜNCT potentials of each player; in the basic game only", low=0, high=6),
        Option("extra", 0, "more pieces for each player; in the tournament game only", low=0, high=3),
        Option("challenges", 0, "how often each player may challenge", low=0, high=6),
        Option(
            "challenge-of",
            "zertz",
            "the kinds that may be challenged",
            choices=("zertz", "tamsk", "dvonn", "yinsh", "punct"),
            several=True,
        ),
        Option("challenge-uses", "all", "which uses of a player may be challenged", choices=("all", "first")),
        Option("challenge-game", "zertz", "what is played for a challenge", contest=CONTEST),
        REPETITION,
    ),
    variants={
        "basic": {"rules": "basic", "white": 15, "black": 15},
        "standard": {"rules": "standard"},
        "tournament": {"rules": "tournament"},
    },
    commas=True,
    sgf_gm=39,
    archive_gm="gipf",
    scale=200.0,
    challenge=("challenges", "challenge-of", "challenge-game"),
    repetition="R-1",
)
