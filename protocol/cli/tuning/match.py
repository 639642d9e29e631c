"""Play engine against engine and rate them: a match of two, or a tournament of any number.

Games come in pairs: one opening of random legal turns, played with both colours; all openings differ, and
all pairings play the same ones. Every turn is judged by our own rules; an illegal one, a crash, and a turn
that comes too late lose the game. Finished games are kept in an SQLite file at once: the same command goes on
where it was broken off.

A tournament ends with one table: ratings that fit all games together, relative to the mean of all players,
with intervals that hold the truth in 95% of tournaments.

players:
  tengen[,threads=N][,hash=MB][,depth=N][,nodes=N]   this engine
        [,weights=FILE]                              with other weights for its evaluation
        [,book=off]                                  without its book of openings
  uct[,simulations=N][,seed=N]                       plain Monte-Carlo tree search, random playouts
  greedy[,seed=N]                                    looks one turn ahead
  random[,seed=N]                                    any legal turn
  ugi:COMMAND LINE                                   a program that speaks UGI
  gtp:COMMAND LINE                                   a program that speaks GTP 2
  gomocup:COMMAND LINE                               a brain of Gomocup, for five in a row
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.errors import OptionError, quoted
from tengen.protocol.cli.tuning.results import game_report, score_text, summary, table
from tengen.protocol.common.arguments import (
    MAX_COUNT,
    command_line,
    int_in_range,
    positive_int,
    positive_seconds,
)
from tengen.protocol.common.interrupts import EXIT_INTERRUPTED
from tengen.protocol.common.numbers import parse_number
from tengen.search.limits import MAX_DEPTH

if TYPE_CHECKING:
    from tengen.search.limits import Clock
    from tengen.tuning.match.records import FinishedGame
    from tengen.tuning.match.settings import MatchSettings
    from tengen.tuning.match.statistics import Sprt
    from tengen.tuning.match.tournament import Match

EXAMPLES = """examples:
  tengen match --game dvonn --first tengen --second uct --games 100 --movetime 0.1
  tengen match --game gomoku,size=9 --first tengen --second 'gtp:program --mode gtp' --clock 60+0.5
  tengen match --game dvonn --first 'ugi:old/tengen ugi' --second tengen --games 2000 --movetime 0.05 \\
      --concurrency 4 --sprt 0,10 --out new-ordering.sqlite

a tournament, everyone against everyone, 40 games each, two at a time, decided games cut short:
  tengen match --game gomoku,size=9 --player tengen --player tengen,depth=2 --player uct,simulations=2000 \\
      --player greedy --games 40 --nodes 2000 --adjudicate --concurrency 2 --out gomoku.sqlite --sgf games

ends with a table (the columns on the right: points against each, by rank):
     player                 Elo           95%  games     W - D - L  points            1     2     3   4
  1  tengen                +212  [+163, +267]    120  70 - 36 - 14      88  73.3%     -  20.5  27.5  40
  2  tengen,depth=2        +179  [+130, +233]    120  66 - 32 - 22      82  68.3%  19.5     -  23.5  39
  3  greedy                 +93   [+44, +145]    120  56 - 22 - 42      67  55.8%  12.5  16.5     -  38
  4  uct,simulations=2000  -484  [-609, -385]    120   3 - 0 - 117       3   2.5%     0     1     2   -

a new engine against three others, on a cluster whose workers have the programs:
  tengen match --game go,size=9 --gauntlet --player tengen --player 'gtp:gnugo --mode gtp --level 1' \\
      --player 'gtp:gnugo --mode gtp --level 5' --player 'gtp:gnugo --mode gtp --level 10' --games 100 \\
      --movetime 0.5 --margin 1 --dask tcp://host:8786"""
DEFAULT_MOVETIME = 0.1
MAX_TURNS = 100_000
MAX_GAMES = 1_000_000
MAX_ELO = 1000  # of a hypothesis
match_games = int_in_range(1, MAX_GAMES)
REFEREE_NODES = 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen match``."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--game", metavar="SPEC", required=True, help="what is played, such as gomoku,size=19")
    add("--first", metavar="PLAYER", help="who is rated in a match of two (see players)")
    add("--second", metavar="PLAYER", help="against whom")
    add("--player", metavar="PLAYER", action="append", help="instead, once for each player of a tournament")
    add("--gauntlet", action="store_true", help="only the first player meets all others")
    add(
        "--games",
        metavar="N",
        type=match_games,
        default=100,
        help="of each pairing, rounded up to pairs of games (default: 100)",
    )
    add_limit_arguments(parser)
    conditions = add_match_arguments(parser)
    sprt_help = (
        "stop a match of two when Elo E0 or E1 is accepted, each falsely in 5%% of matches; "
        "--sprt=-5,0 where E0 is negative"
    )
    conditions.add_argument("--sprt", metavar="E0,E1", help=sprt_help)
    add_output(parser)


def add_limit_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what says how long to think."""
    add = parser.add_argument_group("time and effort for a turn (default: --movetime 0.1)").add_argument
    add("--movetime", metavar="S", type=positive_seconds, help="seconds a turn")
    add("--clock", metavar="M+I", help="seconds for a game, and for each turn made, such as 60+0.5")
    add(
        "--depth",
        metavar="N",
        type=int_in_range(1, MAX_DEPTH),
        help="search no deeper (not for GTP programs or brains)",
    )
    add(
        "--nodes",
        metavar="N",
        type=positive_int,
        help="visit no more positions (not for GTP programs or brains)",
    )
    add(
        "--margin",
        metavar="S",
        type=positive_seconds,
        default=0.05,
        help="seconds of delay forgiven (default: 0.05)",
    )


def add_match_arguments(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Declare the conditions of a match, and return their group."""
    group = parser.add_argument_group("conditions")
    add = group.add_argument
    add(
        "--openings",
        metavar="TURNS",
        type=int_in_range(0, MAX_TURNS),
        default=4,
        help="random turns to begin with (default: 4; 0: always from the start)",
    )
    add(
        "--seed",
        metavar="N",
        type=int_in_range(0, MAX_COUNT),
        default=1,
        help="of openings and chance (default: 1)",
    )
    add(
        "--longest",
        metavar="TURNS",
        type=int_in_range(1, MAX_TURNS),
        default=1000,
        help="turns until a draw (default: 1000)",
    )
    add(
        "--adjudicate",
        metavar="NODES",
        type=positive_int,
        nargs="?",
        const=REFEREE_NODES,
        help="end a game as soon as a referee, who looks at so many positions after each turn, "
        f"on nobody's clock, has proved who wins (default: {REFEREE_NODES})",
    )
    add(
        "--concurrency",
        metavar="N",
        type=int_in_range(1, 256),
        default=1,
        help="games at a time, each in a process of its own, with players of its own (default: 1)",
    )
    add(
        "--dask",
        metavar="ADDRESS",
        help="play on the workers of the Dask cluster with this scheduler, a game on each of their threads; "
        "they need this package, and the programs and files that the players name",
    )
    return group


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare where results go."""
    add = parser.add_argument_group("output").add_argument
    add("--out", metavar="FILE", type=Path, help="database (default: named after the settings)")
    add("--sgf", metavar="DIR", type=Path, help="write every game there as SGF, too")
    add("--json", action="store_true", help="one JSON object a game, then the result")


def run(arguments: argparse.Namespace) -> int:
    """Play the match, or what is left of it, and print what it proves."""
    from tengen.tuning.match.records import fingerprint

    settings = parse_settings(arguments)
    path = arguments.out or Path(f"match-{fingerprint(settings.identity())}.sqlite")
    match, finished = run_match("match", settings, path, arguments)
    report = summary(match, path)
    print(json.dumps(report, ensure_ascii=False) if arguments.json else table(report))
    return 0 if finished else EXIT_INTERRUPTED


def run_match(
    command: str, settings: MatchSettings, path: Path, arguments: argparse.Namespace
) -> tuple[Match, bool]:
    """Play a match that is kept at `path`; return it and whether it was finished.

    One that was broken off by the user is followed by the `command` that goes on with it, on stderr.
    """
    from tengen.tuning.match.records import Store
    from tengen.tuning.match.tournament import Match

    store = Store(path, settings.identity())
    try:
        match = Match(settings, store, print_notice)
        finished = play(match, arguments)
    finally:
        store.close()
    if not finished:
        resumption = command_line(command, {**vars(arguments), "out": path})
        print(f"interrupted; to go on:\n  {resumption}", file=sys.stderr)
    return match, finished


def parse_settings(arguments: argparse.Namespace) -> MatchSettings:
    """Return the match that the command line asks for.

    Raises
    ------
    OptionError
        When something does not fit, alone or together.
    """
    from tengen.engine.game import GameSpec
    from tengen.search.limits import Limits
    from tengen.tuning.match.settings import GAUNTLET, ROUND_ROBIN, MatchSettings
    from tengen.tuning.players.specs import PlayerSpec

    if arguments.movetime and arguments.clock:
        raise OptionError("time: expected --movetime or --clock, got both")
    if arguments.dask and arguments.concurrency > 1:
        raise OptionError("concurrency: expected --concurrency or --dask, whose workers play, got both")
    chosen = (arguments.movetime, arguments.clock, arguments.depth, arguments.nodes)
    movetime = DEFAULT_MOVETIME if all(value is None for value in chosen) else arguments.movetime
    return MatchSettings(
        game=GameSpec.parse(arguments.game),
        players=tuple(PlayerSpec.parse(text) for text in named_players(arguments)),
        games=arguments.games + arguments.games % 2,
        limits=Limits(depth=arguments.depth, nodes=arguments.nodes, movetime=movetime),
        clock=parse_clock(arguments.clock) if arguments.clock else None,
        openings=arguments.openings,
        seed=arguments.seed,
        margin=arguments.margin,
        longest=arguments.longest,
        concurrency=arguments.concurrency,
        sprt=parse_sprt(arguments.sprt) if arguments.sprt else None,
        schedule=GAUNTLET if arguments.gauntlet else ROUND_ROBIN,
        adjudicate=arguments.adjudicate,
        dask=arguments.dask,
    )


def named_players(arguments: argparse.Namespace) -> list[str]:
    """Return the texts of the players, by ``--first`` and ``--second`` or by ``--player``."""
    pair = [text for text in (arguments.first, arguments.second) if text is not None]
    many = arguments.player or []
    if (len(pair) == 2 and not many) or (len(many) >= 2 and not pair):
        return pair or many
    given = [("--first", arguments.first), ("--second", arguments.second)]
    names = [name for name, text in given if text is not None] + ["--player"] * len(many)
    expected = "expected --first and --second, or --player twice or more"
    raise OptionError(f"players: {expected}, got {' '.join(names) or 'none'}")


def parse_clock(text: str) -> Clock:
    """Return the clock of a text such as ``60+0.5``: seconds for the game, and for each turn made."""
    from tengen.search.limits import Clock

    main, increment = _numbers(text, "+", f"--clock: expected seconds such as 60+0.5, got {quoted(text)}")
    if main <= 0 or increment < 0:
        raise OptionError(f"--clock: expected positive seconds, got {quoted(text)}")
    return Clock(main, increment)


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
    """Return the two numbers of `text`."""
    try:
        first, second = (parse_number("number", word, -MAX_COUNT) for word in text.split(separator))
    except ValueError:
        raise OptionError(complaint) from None
    return first, second


def play(match: Match, arguments: argparse.Namespace) -> bool:
    """Play what is pending, showing how it goes; return False when the user has broken it off."""
    from tqdm import tqdm

    from tengen.tuning.match.records import write_sgf

    total, quiet = match.settings.total, not sys.stderr.isatty()
    bar = tqdm(total=total, initial=len(match.games), unit="game", disable=quiet)

    def on_game(game: FinishedGame) -> None:
        if arguments.sgf:
            write_sgf(arguments.sgf, match.settings.game, match.names(game.number), game)
        if arguments.json:
            print(json.dumps(game_report(game, match), ensure_ascii=False), flush=True)
        if not match.settings.tournament:
            bar.set_postfix_str(score_text(match.tally), refresh=False)
        bar.update()

    with bar:
        try:
            if arguments.sgf:
                for game in match.games:
                    write_sgf(arguments.sgf, match.settings.game, match.names(game.number), game)
            match.run(on_game)
        except KeyboardInterrupt:
            return False
    return True


def print_notice(text: str) -> None:
    """Say on stderr what is waited for."""
    print(text, file=sys.stderr, flush=True)
