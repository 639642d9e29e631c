"""Go: surround more of the board than the other side."""

from tengen.engine.game import Game, Option

GAME = Game(
    package=__name__,
    name="go",
    title="Go",
    summary="surround more of the board than the other side; stones without liberties are taken",
    sides=("black", "white"),
    letters=("b", "w"),
    options=(
        Option("size", 19, "points on a side of the board", low=2, high=25),
        Option("komi", 0.0, "points for White, usually 6.5", low=-1000, high=1000, usual=6.5),
        Option(
            "rules",
            "territory",
            "how the end is counted",
            choices=("territory", "japanese", "chinese", "tromp-taylor"),
        ),
        Option("ko", "simple", "what may not be recreated", choices=("simple", "positional", "situational")),
        Option("handicap", 0, "stones on the star points, before White begins", low=0, high=9),
    ),
    words={"japanese": "Japanese", "chinese": "Chinese", "tromp-taylor": "Tromp-Taylor"},
    square=True,
    out_of_turn=True,
    sgf_gm=1,
    sgf_properties=("KM", "RU", "HA"),
    scale=200.0,
    ends_by_agreement=True,
    search="mcts",
)
