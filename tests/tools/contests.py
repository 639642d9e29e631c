"""Contests of programs: ``python -m tests.tools.contests [KIND...]``.

UGI plays GTP for every kind of challenge, each game from the beginning of one. Both sides are played by both.
"""

import random
import shlex
import sys
from collections.abc import Iterator

from tengen.engine.play.challenge import CHALLENGE
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search import warmup
from tengen.search.limits.limit import Limit
from tengen.tuning.match.playing import play_game
from tengen.tuning.match.records import FinishedGame
from tengen.tuning.openings import Opening, random_turn
from tengen.tuning.players.base import Player
from tests.protocol.conversation import COMMAND
from tests.tuning.matches.playing import MARGIN, settings

KINDS = (  # as values of the option challenge-game
    "zertz",
    "dvonn",
    "gomoku",
    "gobang",
    "go:size=9:komi=7.5",
    "gipf:basic",
    "outside",
    "coin",
    "die:seed=1:least=5",
)
MOVETIME = 0.02  # seconds


def spec_with(kind: str) -> GameSpec:
    """Return a game of GIPF in which `kind` is played for challenges."""
    return GameSpec.parse(f"gipf:basic,zertz=3,challenges=2,challenge-game={kind}")


def challenged_opening(spec: GameSpec, seed: int) -> Opening:
    """Return random turns, with a liking for charged pieces and jumps, that end with a challenge."""
    rng = random.Random(seed)
    position = Position(spec)
    while CHALLENGE not in position.turns_played:
        liked = [turn for turn in position.turns() if "Z" in turn or "j" in turn or turn == CHALLENGE]
        position.push(rng.choice(liked) if liked else random_turn(position, rng))
    return tuple(position.turns_played)


def play_contests(kind: str, openings: int = 1, movetime: float = MOVETIME) -> Iterator[FinishedGame]:
    """Yield games of UGI against GTP with `kind` played for challenges, two from every opening."""
    spec = spec_with(kind)
    engine = shlex.join([*COMMAND, "{}", "--game", "dvonn"])
    texts = [f"{protocol}:{engine.format(protocol)}" for protocol in ("ugi", "gtp")]
    wanted = settings(*texts, game=spec, limits=Limit(time=movetime), margin=MARGIN)
    for game in spec.games:
        warmup.compile_kernels(game.game)  # engines have to be ready in time
    first, second = (player.create(spec) for player in wanted.players)
    started: list[Player] = []
    try:
        for player in (first, second):
            player.start()
            started.append(player)
        for number in range(2 * openings):
            opening = challenged_opening(spec, number // 2)
            yield play_game(wanted, number, opening, (first, second))
    finally:
        for player in started:
            player.close()


def main(kinds: list[str]) -> None:
    """Play games with all `kinds` and print a line for each kind."""
    for kind in kinds:
        games = list(play_contests(kind, openings=2))
        challenges = sum((*game.opening, *game.turns).count(CHALLENGE) for game in games)
        turns = sum(len(game.turns) for game in games)
        reasons = ", ".join(sorted({f"{game.reason} {game.detail}".strip() for game in games}))
        print(f"{kind:<20} {len(games)} games, {challenges} challenges, {turns} turns: {reasons}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(KINDS))
