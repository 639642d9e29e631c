"""Play engine against engine and rate them.

Games come in pairs: one opening of random legal turns, played with both colours; all openings differ. Every
turn is judged by our own rules; an illegal one, a crash, and a turn that comes too late lose the game.
Finished games are kept in an SQLite file at once: the same command goes on where a match was broken off.

players:
  tengen[,threads=N][,hash=MB][,depth=N][,nodes=N]   this engine, within this process
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
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import OptionError, quoted
from protocol.arguments import MOST_COUNT, command_line, positive_int, positive_seconds, whole_number
from protocol.numbers import parse_number
from search.limits import MAX_DEPTH

if TYPE_CHECKING:
    from search.limits import Clock
    from tuning.match import Match, Settings, Tally
    from tuning.records import FinishedGame
    from tuning.statistics import Estimate, Sprt

EXAMPLES = """examples:
  tengen match --game dvonn --first tengen --second uct --games 100 --movetime 0.1
  tengen match --game gomoku --first tengen,depth=4 --second greedy --games 20 --sgf games
  tengen match --game gomoku,size=9 --first tengen --second 'gtp:program --mode gtp' --clock 60+0.5
  tengen match --game dvonn --first 'ugi:old/tengen ugi' --second tengen --games 2000 --movetime 0.05 \\
      --concurrency 4 --sprt 0,10 --out new-ordering.sqlite"""
EXIT_INTERRUPTED = 130
DEFAULT_MOVETIME = 0.1
MOST_TURNS = 100_000
SEATS = ("first", "second")
PENTANOMIAL = ("0", "½", "1", "1½", "2")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen match``."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--game", metavar="SPEC", required=True, help="what is played, such as gomoku,size=19")
    add("--first", metavar="PLAYER", required=True, help="who is rated (see players)")
    add("--second", metavar="PLAYER", required=True, help="against whom")
    add("--games", metavar="N", type=positive_int, default=100, help="rounded up to pairs (default: 100)")
    add = parser.add_argument_group("time and effort for a turn (default: --movetime 0.1)").add_argument
    add("--movetime", metavar="S", type=positive_seconds, help="seconds a turn")
    add("--clock", metavar="M+I", help="seconds for a game, and for each turn made, such as 60+0.5")
    add(
        "--depth",
        metavar="N",
        type=whole_number(1, MAX_DEPTH),
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
    add = parser.add_argument_group("conditions").add_argument
    add(
        "--openings",
        metavar="TURNS",
        type=whole_number(0, MOST_TURNS),
        default=4,
        help="random turns to begin with (default: 4; 0: always from the start)",
    )
    add(
        "--seed",
        metavar="N",
        type=whole_number(0, MOST_COUNT),
        default=1,
        help="of openings and chance (default: 1)",
    )
    add(
        "--longest",
        metavar="TURNS",
        type=whole_number(1, MOST_TURNS),
        default=1000,
        help="turns until a draw (default: 1000)",
    )
    add("--sprt", metavar="E0,E1", help="stop when Elo E0 or E1 is accepted, each falsely in 5%% of matches")
    add(
        "--concurrency",
        metavar="N",
        type=whole_number(1, 256),
        default=1,
        help="games at a time (default: 1)",
    )
    add = parser.add_argument_group("output").add_argument
    add("--out", metavar="FILE", type=Path, help="database (default: named after the settings)")
    add("--sgf", metavar="DIR", type=Path, help="write every game there as SGF, too")
    add("--json", action="store_true", help="one JSON object a game, then the result")


def run(arguments: argparse.Namespace) -> int:
    """Play the match, or what is left of it, and print what it proves."""
    from tuning.match import Match
    from tuning.records import Store, fingerprint

    settings = parse_settings(arguments)
    path = arguments.out or Path(f"match-{fingerprint(settings.identity())}.sqlite")
    store = Store(path, settings.identity())
    try:
        match = Match(settings, store, _notice)
        finished = play(match, arguments)
    finally:
        store.close()
    report = summary(match, path)
    print(json.dumps(report, ensure_ascii=False) if arguments.json else table(report))
    if finished:
        return 0
    print(f"interrupted; to go on:\n  {resumption(arguments, path)}", file=sys.stderr)
    return EXIT_INTERRUPTED


def parse_settings(arguments: argparse.Namespace) -> Settings:
    """Return the match that the command line asks for.

    Raises
    ------
    OptionError
        When something does not fit, alone or together.
    """
    from engine.game import GameSpec
    from search.limits import Limits
    from tuning.match import Settings
    from tuning.players import PlayerSpec

    if arguments.movetime and arguments.clock:
        raise OptionError("time: expected --movetime or --clock, got both")
    chosen = (arguments.movetime, arguments.clock, arguments.depth, arguments.nodes)
    movetime = DEFAULT_MOVETIME if all(value is None for value in chosen) else arguments.movetime
    return Settings(
        game=GameSpec.parse(arguments.game),
        players=(PlayerSpec.parse(arguments.first), PlayerSpec.parse(arguments.second)),
        games=arguments.games + arguments.games % 2,
        limits=Limits(depth=arguments.depth, nodes=arguments.nodes, movetime=movetime),
        clock=parse_clock(arguments.clock) if arguments.clock else None,
        openings=arguments.openings,
        seed=arguments.seed,
        margin=arguments.margin,
        longest=arguments.longest,
        concurrency=arguments.concurrency,
        sprt=parse_sprt(arguments.sprt) if arguments.sprt else None,
    )


def parse_clock(text: str) -> Clock:
    """Return the clock of a text such as ``60+0.5``: seconds for the game, and for each turn made."""
    from search.limits import Clock

    main, increment = _numbers(text, "+", f"--clock: expected seconds such as 60+0.5, got {quoted(text)}")
    if main <= 0 or increment < 0:
        raise OptionError(f"--clock: expected positive seconds, got {quoted(text)}")
    return Clock(main, increment)


def parse_sprt(text: str) -> Sprt:
    """Return the test of a text such as ``0,10``."""
    from tuning.statistics import Sprt

    elo0, elo1 = _numbers(text, ",", f"--sprt: expected two Elo differences such as 0,10, got {quoted(text)}")
    if elo0 >= elo1:
        raise OptionError(f"--sprt: expected the smaller Elo difference first, got {quoted(text)}")
    return Sprt(elo0, elo1)


def _numbers(text: str, separator: str, complaint: str) -> tuple[float, float]:
    """Return the two numbers of `text`."""
    try:
        first, second = (parse_number("number", word, -MOST_COUNT) for word in text.split(separator))
    except ValueError:
        raise OptionError(complaint) from None
    return first, second


def play(match: Match, arguments: argparse.Namespace) -> bool:
    """Play what is pending, showing how it goes; return False when the user has broken it off."""
    from tqdm import tqdm

    from tuning.records import write_sgf

    total, quiet = match.settings.games, not sys.stderr.isatty()
    bar = tqdm(total=total, initial=len(match.games), unit="game", disable=quiet)

    def on_game(game: FinishedGame) -> None:
        if arguments.sgf:
            write_sgf(arguments.sgf, match.settings.game, match.names, game)
        if arguments.json:
            print(json.dumps(game_report(game, match), ensure_ascii=False), flush=True)
        bar.set_postfix_str(score_text(match.tally), refresh=False)
        bar.update()

    with bar:
        try:
            if arguments.sgf:
                for game in match.games:
                    write_sgf(arguments.sgf, match.settings.game, match.names, game)
            match.run(on_game)
        except KeyboardInterrupt:
            return False
    return True


def score_text(tally: Tally) -> str:
    """Return wins, draws and losses, and the share of points."""
    share = 100 * tally.points / tally.games if tally.games else 50
    return f"+{tally.wins} ={tally.draws} -{tally.losses} ({share:.1f}%)"


def game_report(game: FinishedGame, match: Match) -> dict[str, Any]:
    """Return a finished game as JSON has it."""
    return {
        "game": game.number,
        "first_side": match.settings.game.game.sides[game.first_side],
        "opening": list(game.opening),
        "turns": list(game.turns),
        "result": game.result,
        "points": game.points / 2,
        "reason": game.reason,
        "detail": game.detail,
    }


def summary(match: Match, path: Path) -> dict[str, Any]:
    """Return what the match proves, as JSON has it; infinite bounds are null."""
    from tuning import statistics

    tally, settings = match.tally, match.settings
    report = {
        "match": {
            **settings.identity(),
            "movetime": settings.limits.movetime,
            "nodes": settings.limits.nodes,
            "depth": settings.limits.depth,
            "clock": settings.clock and [settings.clock.remaining, settings.clock.increment],
            "openings": settings.openings,
            "seed": settings.seed,
            "margin": settings.margin,
            "longest": settings.longest,
        },
        "players": [
            {"name": player.text, "version": version}
            for player, version in zip(settings.players, match.versions, strict=True)
        ],
        "games": tally.games,
        "planned": settings.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "points": tally.points,
        "pentanomial": tally.pairs,
        "elo": estimate(statistics.elo(tally.pairs)),
        "los": statistics.superiority(tally.pairs),
        "forfeits": [
            {"player": settings.players[player].text, "seat": SEATS[player], "reason": reason, "games": games}
            for (player, reason), games in sorted(tally.forfeits.items())
        ],
        "reasons": dict(tally.reasons),
        "mean_turns": tally.turns / tally.games if tally.games else 0.0,
        "openings": len(tally.openings),
        "file": str(path),
    }
    if settings.sprt:
        report["sprt"] = {
            "elo0": settings.sprt.elo0,
            "elo1": settings.sprt.elo1,
            "llr": settings.sprt.llr(tally.pairs),
            "bounds": settings.sprt.bounds,
            "accepted": settings.sprt.decision(tally.pairs),
        }
    return report


def estimate(value: Estimate) -> dict[str, float | None]:
    """Return an estimate as JSON has it."""
    return {k: v if math.isfinite(v) else None for k, v in vars(value).items()}


def table(report: dict[str, Any]) -> str:
    """Return the result of a match for people."""
    rows = [("game", report["match"]["game"])]
    for seat, player in zip(SEATS, report["players"], strict=True):
        rows.append((seat, player["name"] + (f"   {player['version']}" if player["version"] else "")))
    games = report["games"]
    share = 100 * report["points"] / games if games else 50
    score = f"{report['wins']} - {report['draws']} - {report['losses']}"
    rows.append(("W - D - L", f"{score}   {report['points']:g} of {games}   {share:.1f}%"))
    rows.append(("Elo", elo_text(report["elo"], share)))
    rows.append(("LOS", f"{100 * report['los']:.1f}%"))
    pairs = zip(PENTANOMIAL, report["pentanomial"], strict=True)
    rows.append(("pairs", "   ".join(f"{points}: {count}" for points, count in pairs)))
    if sprt := report.get("sprt"):
        low, high = sprt["bounds"]
        verdict = sprt["accepted"] or "undecided"
        hypotheses = f"H0 {sprt['elo0']:g}, H1 {sprt['elo1']:g}"
        rows.append(("SPRT", f"LLR {sprt['llr']:+.2f} in [{low:.2f}, {high:.2f}]   {hypotheses}: {verdict}"))
    forfeits = [f"{f['seat']} ({f['player']}): {f['games']} by {f['reason']}" for f in report["forfeits"]]
    rows.append(("forfeits", "; ".join(forfeits) or "none"))
    rows.append(("games", f"{games} of {report['planned']}   {report['mean_turns']:.1f} turns each"))
    rows.append(("openings", f"{report['openings']} different"))
    rows.append(("kept in", report["file"]))
    return "\n".join(f"{name:<10} {text}" for name, text in rows)


def elo_text(elo: dict[str, float | None], share: float) -> str:
    """Return an Elo difference with its interval; what is not bounded is infinite."""
    low, high = elo["low"], elo["high"]
    middle = elo["value"] if elo["value"] is not None else math.copysign(math.inf, share - 50)
    low, high = -math.inf if low is None else low, math.inf if high is None else high
    return f"{middle:+.0f}   95% in [{low:+.0f}, {high:+.0f}]".replace("inf", "∞")


def resumption(arguments: argparse.Namespace, path: Path) -> str:
    """Return the command that goes on with a match."""
    return command_line("match", {**vars(arguments), "out": path})


def _notice(text: str) -> None:
    """Say on stderr what is waited for."""
    print(text, file=sys.stderr, flush=True)
