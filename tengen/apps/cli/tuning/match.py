"""Play engine against engine and rate them: a match of two, or a tournament of any number.

Games come in pairs: the same opening, played with both colours. Openings are random legal turns, balanced
ones, or those of a file. All of them differ; all pairings play the same ones. Every turn is checked by our
own rules: an illegal turn, a crash or a late turn loses the game. Finished games are stored in an SQLite file
at once, and the same command resumes an interrupted match.

A tournament ends with a table of ratings, which fit all games together. They are relative to the mean of all
players; an interval contains the true rating in 95% of tournaments.

players:
  tengen[,threads=N][,hash=MB][,depth=N][,nodes=N]   this engine
        [,weights=FILE]                              with other weights of its evaluation
        [,level=N]                                   at a level of play, 1 to 20
  greedy[,seed=N]                                    looks one turn ahead
  random[,seed=N]                                    plays random legal turns
  ugi:COMMAND LINE                                   an engine that speaks UGI
  gtp:COMMAND LINE                                   an engine that speaks GTP 2
  gomocup:COMMAND LINE                               a Gomocup brain, for five in a row
  python:FILE.py:NAME, python:MODULE:NAME            a player of your own, whose code is run
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.apps.cli.tuning.matches import MatchOptions, parse_settings, run_match
from tengen.engine.errors import OptionError
from tengen.protocol.arguments import option, switch

if TYPE_CHECKING:
    from tengen.tuning.match.settings import MatchSettings

EXAMPLES = """examples:
  tengen match --game dvonn --first tengen --second greedy --games 100 --movetime 0.1
  tengen match --game gomoku,size=9 --first tengen --second 'gtp:program --mode gtp' --clock 60+0.5
  tengen match --game dvonn --first 'ugi:old/tengen ugi' --second tengen --games 2000 --movetime 0.05 \\
      --concurrency 4 --sprt 0,10 --out new-ordering.sqlite
  tengen match --game zertz --first tengen --second 'ugi:old/tengen ugi' --clock 5+0.1 --cpu-time

a tournament, everyone against everyone, 40 games each, two at a time, games ended once they are proven:
  tengen match --game gomoku,size=9 --player tengen --player tengen,depth=2 --player greedy \\
      --games 40 --nodes 2000 --adjudicate --concurrency 2 --out gomoku.sqlite --sgf games

a new engine against three others, on a cluster with these engines:
  tengen match --game go,size=9 --gauntlet --player tengen --player 'gtp:gnugo --mode gtp --level 1' \\
      --player 'gtp:gnugo --mode gtp --level 5' --player 'gtp:gnugo --mode gtp --level 10' --games 100 \\
      --movetime 0.5 --margin 1 --dask tcp://host:8786"""


@dataclass(frozen=True, kw_only=True)
class Arguments(MatchOptions):
    """The options of ``tengen match``."""

    first: str | None = option("first player of a match of two, who is rated (see players)", "PLAYER")
    second: str | None = option("second player of a match of two", "PLAYER")
    player: list[str] | None = option(
        "a player of a tournament; given twice or more", "PLAYER", action="append"
    )
    gauntlet: bool = switch("the first player plays all others, who do not meet")


def run(options: Arguments) -> int:
    """Play the match, or what is left of it, and print its report."""
    return run_match(options, match_settings(options))


def match_settings(options: Arguments) -> MatchSettings:
    """Return the settings of a match or a tournament (see `parse_settings`).

    The players are given by ``--first`` and ``--second``, or by ``--player``.
    """
    from tengen.tuning.match.settings import GAUNTLET, ROUND_ROBIN

    pair = [text for text in (options.first, options.second) if text is not None]
    many = options.player or []
    if (len(pair) == 2 and not many) or (len(many) >= 2 and not pair):
        return parse_settings(options, pair or many, GAUNTLET if options.gauntlet else ROUND_ROBIN)
    given = [("--first", options.first), ("--second", options.second)]
    names = [name for name, text in given if text is not None] + ["--player"] * len(many)
    expected = "expected --first and --second, or --player twice or more"
    raise OptionError(f"players: {expected}, got {' '.join(names) or 'none'}")
