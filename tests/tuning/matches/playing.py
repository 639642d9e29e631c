"""Matches for tests: on a small board, with engines that behave as they are told."""

import sys
from dataclasses import replace
from pathlib import Path

from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import Limit
from tengen.tuning.match import playing
from tengen.tuning.match.playing import GameClock
from tengen.tuning.match.records import Store
from tengen.tuning.match.settings import MatchSettings
from tengen.tuning.match.tournament import Match
from tengen.tuning.openings import RandomTurns
from tengen.tuning.players.base import Player
from tengen.tuning.players.specs import PlayerSpec

ENGINE = Path(__file__).parent / "engines" / "gomoku.py"
GOMOKU = GameSpec.parse("gomoku,size=7")
MARGIN = 300.0  # seconds: nobody is late only because the machine does other things besides


def program(protocol: str, fault: str = "none") -> str:
    """Return an engine that speaks `protocol` and has a `fault`, as a player."""
    return f"{protocol}:{sys.executable} {ENGINE} {protocol} {fault}"


def settings(*players: str, games: int = 4, **changes) -> MatchSettings:
    specs = tuple(map(PlayerSpec.parse, players))
    usual = MatchSettings(GOMOKU, specs, games, Limit(time=0.2), openings=RandomTurns(2), margin=MARGIN)
    return replace(usual, **changes)


def played(wanted: MatchSettings, path: Path) -> Match:
    """Play a match to its end, or go on with it."""
    store = Store(path, wanted.identity())
    try:
        match = Match(wanted, store)
        match.run()
        return match
    finally:
        store.close()


def hurry(monkeypatch) -> None:
    """Give a turn of a program that has a fault 0.05 s more than it is to take, in place of `MARGIN`.

    All others keep theirs, or would be late themselves now and then.
    """
    usual = playing._play_turn

    def play_turn(position: Position, player: Player, clock: GameClock) -> float:
        words = getattr(player, "_command", ())
        if str(ENGINE) in words and words[-1] != "none":
            clock = GameClock(replace(clock._settings, margin=0.05), clock._players)
        return usual(position, player, clock)

    monkeypatch.setattr(playing, "_play_turn", play_turn)


def command(path: Path, games: int, *words: str) -> list[str]:
    """Return the command line of a match that prints JSON, given its players and other options."""
    code = "import sys; from tengen.apps.cli.main import main; sys.exit(main(sys.argv[1:]))"
    fixed = ["--game", "gomoku,size=7", "--games", str(games), "--json", "--out", str(path)]
    fixed += ["--margin", str(MARGIN)]
    return [sys.executable, "-c", code, "match", *fixed, *words]
