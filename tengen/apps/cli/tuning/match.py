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
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.apps.cli.tuning.conduct import conduct
from tengen.engine.errors import OptionError, quoted
from tengen.protocol.arguments import MAX_COUNT, int_in_range, positive_int, positive_seconds
from tengen.protocol.numbers import parse_number
from tengen.search.limits.limit import MAX_DEPTH

if TYPE_CHECKING:
    from tengen.search.limits.limit import Clock
    from tengen.tuning.match.settings import MatchSettings
    from tengen.tuning.match.statistics import Sprt

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
DEFAULT_MOVETIME = 0.1
CPU = "cpu"  # a clock of processor time
MAX_TURNS = 100_000
MAX_GAMES = 1_000_000
MAX_ELO = 1000  # of a hypothesis of an SPRT
match_games = int_in_range(1, MAX_GAMES)
ADJUDICATOR_NODES = 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen match``."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--game", metavar="SPEC", required=True, help="the game to play, such as gomoku,size=19")
    add("--first", metavar="PLAYER", help="first player of a match of two, who is rated (see players)")
    add("--second", metavar="PLAYER", help="second player of a match of two")
    add("--player", metavar="PLAYER", action="append", help="a player of a tournament; given twice or more")
    add("--gauntlet", action="store_true", help="the first player plays all others, who do not meet")
    add_tournament_arguments(parser)


def add_tournament_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how many games are played, under which conditions, and what is told of them."""
    parser.add_argument(
        "--games",
        metavar="N",
        type=match_games,
        default=100,
        help="games of each pairing, rounded up to an even number (default: 100)",
    )
    add_limit_arguments(parser)
    add_match_arguments(parser)
    add_output(parser)


def add_limit_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the limits of a turn."""
    add = parser.add_argument_group("limits of a turn (default: --movetime 0.1)").add_argument
    add("--movetime", metavar="S", type=positive_seconds, help="seconds per turn")
    add(
        "--clock",
        metavar="M+I",
        help="seconds per game, and increment per turn, such as 60+0.5; 40/60+0.6: for every 40 turns; "
        "600+5x30: Japanese byo-yomi; 600+25/300: Canadian; `cpu` and `cpu:60+0.5` count processor time, as "
        "with --cpu-time",
    )
    add(
        "--depth",
        metavar="N",
        type=int_in_range(1, MAX_DEPTH),
        help="maximum depth (not for GTP and Gomocup engines)",
    )
    add(
        "--nodes",
        metavar="N",
        type=positive_int,
        help="maximum number of positions (not for GTP and Gomocup engines)",
    )
    add(
        "--margin",
        metavar="S",
        type=positive_seconds,
        default=0.05,
        help="seconds that a turn may be late (default: 0.05)",
    )
    add(
        "--cpu-time",
        action="store_true",
        help="count the processor time of the players, not wall-clock time: for machines that are busy with "
        "other things (programs as players: only on Linux)",
    )


def add_match_arguments(parser: argparse.ArgumentParser, sprt: str | None = None) -> None:
    """Declare the conditions of a match; `sprt` is the default of ``--sprt``."""
    add = parser.add_argument_group("conditions").add_argument
    add(
        "--openings",
        metavar="TURNS",
        type=_openings,
        default="4",
        help="random opening turns (default: 4; 0: every game begins at the start position); `balanced`: "
        "turns after which a search finds both sides about equal; a file with turns, or a position, in each "
        "line; a record, or a folder of them",
    )
    add(
        "--opening-turns",
        metavar="N",
        type=int_in_range(1, MAX_TURNS),
        help="play the first N turns of the openings of a file (default: all; 8 of a record)",
    )
    add("--shuffle", action="store_true", help="play the openings of a file in random order, by --seed")
    add(
        "--seed",
        metavar="N",
        type=int_in_range(0, MAX_COUNT),
        default=1,
        help="seed of openings and players (default: 1)",
    )
    add(
        "--longest",
        metavar="TURNS",
        type=int_in_range(1, MAX_TURNS),
        default=1000,
        help="turns after which a game is a draw (default: 1000)",
    )
    add(
        "--adjudicate",
        metavar="NODES",
        type=positive_int,
        nargs="?",
        const=ADJUDICATOR_NODES,
        help="end a game once a search of NODES positions after each turn, which costs neither side time, "
        f"proves its outcome (default: {ADJUDICATOR_NODES})",
    )
    add(
        "--resign",
        metavar="POINTS[,TURNS[,FIRST]]",
        help="a player loses who reports -POINTS or less for TURNS of its turns in a row (default: 3), from "
        "turn FIRST of the game on (default: 0)",
    )
    add(
        "--draw",
        metavar="POINTS[,TURNS[,FIRST]]",
        help="a game is a draw when both report at most POINTS for TURNS turns each",
    )
    add("--pin", action="store_true", help="keep each process that plays games to one processor (Linux)")
    add(
        "--concurrency",
        metavar="N",
        type=int_in_range(1, 256),
        default=1,
        help="games at the same time, each in its own process with its own players (default: 1)",
    )
    add(
        "--dask",
        metavar="ADDRESS",
        help="play on the Dask cluster with this scheduler, one game per worker thread; the workers need "
        "this package, and the engines and files of the players",
    )
    add(
        "--sprt",
        metavar="E0,E1",
        default=sprt,
        help="stop a match of two when an Elo difference of E0 or E1 is accepted, each wrongly in 5%% of "
        "matches; write --sprt=-5,0 if E0 is negative" + (f" (default: {sprt})" if sprt else ""),
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare the output options."""
    add = parser.add_argument_group("output").add_argument
    add(
        "--out",
        metavar="FILE",
        type=Path,
        help="SQLite file of the match (default: named after the settings)",
    )
    add("--sgf", metavar="DIR", type=Path, help="also write every game as SGF into this folder")
    add("--json", action="store_true", help="print one JSON object per game, then the report")
    add("--pgn", metavar="FILE", type=Path, help="also write the results as PGN, for Ordo and BayesElo")
    add("--table", metavar="N", type=positive_int, help="print the table to stderr after every N games")
    add("--los", action="store_true", help="print who is better with which likelihood, in a tournament")
    add(
        "--anchor",
        metavar="PLAYER=ELO",
        action="append",
        help="a player of a tournament whose Elo is known; of several the mean is kept",
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the match, or what is left of it, and print its report."""
    from tengen.tuning.identity import fingerprint

    settings = match_settings(arguments)
    path = arguments.out or Path(f"match-{fingerprint(settings.identity())}.sqlite")
    return conduct(arguments, settings, path)


def match_settings(arguments: argparse.Namespace) -> MatchSettings:
    """Return the settings of a match or a tournament (see `parse_settings`)."""
    from tengen.tuning.match.settings import GAUNTLET, ROUND_ROBIN

    schedule = GAUNTLET if arguments.gauntlet else ROUND_ROBIN
    return parse_settings(arguments, named_players(arguments), schedule)


def parse_settings(
    arguments: argparse.Namespace, players: Sequence[str], schedule: str = "round-robin"
) -> MatchSettings:
    """Return the settings of a match or a gate.

    Parameters
    ----------
    arguments : argparse.Namespace
        Game, games, limits and conditions.
    players : sequence of str
    schedule : str

    Raises
    ------
    OptionError
        If an option is bad, or options contradict each other.
    """
    from tengen.engine.game import GameSpec
    from tengen.search.limits.limit import Limits
    from tengen.tuning.match.scores import ScoreRule
    from tengen.tuning.match.settings import MatchSettings
    from tengen.tuning.openings import parse_openings
    from tengen.tuning.players.specs import PlayerSpec

    clock, cpu_time = parse_clock(arguments.clock or "")
    if arguments.movetime and clock:
        raise OptionError("--movetime and --clock exclude each other")
    if arguments.dask and arguments.concurrency > 1:
        raise OptionError("--concurrency and --dask exclude each other")
    chosen = (arguments.movetime, clock, arguments.depth, arguments.nodes)
    movetime = DEFAULT_MOVETIME if all(value is None for value in chosen) else arguments.movetime
    game = GameSpec.parse(arguments.game)
    return MatchSettings(
        game=game,
        players=tuple(PlayerSpec.parse(text) for text in players),
        games=arguments.games + arguments.games % 2,
        limits=Limits(depth=arguments.depth, nodes=arguments.nodes, time=movetime),
        clock=clock,
        openings=parse_openings(arguments.openings, game, arguments.opening_turns, arguments.shuffle),
        seed=arguments.seed,
        margin=arguments.margin,
        max_turns=arguments.longest,
        concurrency=arguments.concurrency,
        sprt=parse_sprt(arguments.sprt) if arguments.sprt else None,
        resign=ScoreRule.parse("--resign", arguments.resign) if arguments.resign else None,
        draw=ScoreRule.parse("--draw", arguments.draw) if arguments.draw else None,
        pin=arguments.pin,
        schedule=schedule,
        adjudicate=arguments.adjudicate,
        dask=arguments.dask,
        cpu_time=arguments.cpu_time or cpu_time,
    )


def named_players(arguments: argparse.Namespace) -> list[str]:
    """Return the players given by ``--first`` and ``--second``, or by ``--player``."""
    pair = [text for text in (arguments.first, arguments.second) if text is not None]
    many = arguments.player or []
    if (len(pair) == 2 and not many) or (len(many) >= 2 and not pair):
        return pair or many
    given = [("--first", arguments.first), ("--second", arguments.second)]
    names = [name for name, text in given if text is not None] + ["--player"] * len(many)
    expected = "expected --first and --second, or --player twice or more"
    raise OptionError(f"players: {expected}, got {' '.join(names) or 'none'}")


def _openings(text: str) -> str:
    """Return the text of ``--openings``, for argparse; numbers are checked here, the rest with the game."""
    if text.removeprefix("-").isdecimal():
        int_in_range(0, MAX_TURNS)(text)
    return text


def parse_clock(text: str) -> tuple[Clock | None, bool]:
    """Return the clock of a text such as ``60+0.5`` or ``cpu:60+0.5``, and whether it counts processor time.

    For the forms see `tuning.clocks.parse_clock`. There is no clock without numbers, as in ``cpu``.
    """
    from tengen.tuning import clocks

    if text in ("", CPU):
        return None, text == CPU
    rest = text.removeprefix(f"{CPU}:")
    return clocks.parse_clock(rest), rest != text


def parse_sprt(text: str) -> Sprt:
    """Return the test of a text such as ``0,10``."""
    from tengen.tuning.match.statistics import Sprt

    complaint = f"--sprt: expected two Elo differences such as 0,10, up to {MAX_ELO}, got {quoted(text)}"
    elo0, elo1 = _numbers(text, ",", complaint)
    if max(abs(elo0), abs(elo1)) > MAX_ELO:
        raise OptionError(complaint)
    if elo0 >= elo1:
        raise OptionError(f"--sprt: expected the smaller Elo difference first, got {quoted(text)}")
    return Sprt(elo0, elo1)


def _numbers(text: str, separator: str, complaint: str) -> tuple[float, float]:
    """Return the two numbers of `text`; `complaint` is the message of the error."""
    try:
        first, second = (parse_number("number", word, -MAX_COUNT) for word in text.split(separator))
    except ValueError:
        raise OptionError(complaint) from None
    return first, second
