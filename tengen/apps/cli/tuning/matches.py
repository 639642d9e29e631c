"""What commands about matches share: their options, the settings that these make, and what runs a match."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.errors import OptionError, nearest, quoted
from tengen.protocol.arguments import (
    MAX_COUNT,
    Options,
    int_in_range,
    non_negative_int,
    option,
    positive_int,
    positive_seconds,
    print_resume_command,
    require_target,
    switch,
)
from tengen.protocol.interrupts import EXIT_INTERRUPTED, on_sigint
from tengen.protocol.numbers import parse_number
from tengen.protocol.output import print_notice
from tengen.search.limits.limit import MAX_DEPTH
from tengen.tuning.match.report import JsonDict, game_report, score_text, summary, table

if TYPE_CHECKING:
    from tengen.search.limits.limit import Clock
    from tengen.tuning.match.records import FinishedGame
    from tengen.tuning.match.settings import MatchSettings
    from tengen.tuning.match.statistics import Sprt
    from tengen.tuning.match.tournament import Match

DEFAULT_MOVETIME = 0.1
CPU = "cpu"  # a clock of processor time
MAX_TURNS = 100_000
MAX_GAMES = 1_000_000
MAX_ELO = 1000  # of a hypothesis of an SPRT
ADJUDICATOR_NODES = 20_000
MATCH, GATE = "match", "gate"
VERDICTS = {"H1": "accepted", "H0": "rejected", "": "undecided"}  # of a gate, by the accepted hypothesis
EXIT_REFUSED = 1
MAX_ANCHOR = 10_000  # Elo
CHOSEN = ("seed", "margin", "concurrency", "pin", "adjudicate", "dask")  # settings taken as they are given


def _openings(text: str) -> str:
    """Return the text of ``--openings``, for argparse; numbers are checked here, the rest with the game."""
    if text.removeprefix("-").isdecimal():
        int_in_range(0, MAX_TURNS)(text)
    return text


@dataclass(frozen=True, kw_only=True)
class TurnLimitOptions(Options):
    """The limits of a turn."""

    GROUP = "limits of a turn (default: --movetime 0.1)"

    movetime: float | None = option("seconds per turn", "S", positive_seconds)
    clock: str | None = option(
        "seconds per game, and increment per turn, such as 60+0.5; 40/60+0.6: for every 40 turns; "
        "600+5x30: Japanese byo-yomi; 600+25/300: Canadian; `cpu` and `cpu:60+0.5` count processor time, as "
        "with --cpu-time",
        "M+I",
    )
    depth: int | None = option(
        "maximum depth (not for GTP and Gomocup engines)", "N", int_in_range(1, MAX_DEPTH)
    )
    nodes: int | None = option(
        "maximum number of positions (not for GTP and Gomocup engines)", "N", positive_int
    )
    margin: float = option(
        "seconds that a turn may be late (default: 0.05)", "S", positive_seconds, default=0.05
    )
    cpu_time: bool = switch(
        "count the processor time of the players, not wall-clock time: for machines that are busy with "
        "other things"
    )


@dataclass(frozen=True, kw_only=True)
class ConditionOptions(Options):
    """The conditions of a match."""

    GROUP = "conditions"

    openings: str = option(
        "random opening turns (default: 4; 0: every game begins at the start position); `balanced`: "
        "turns after which a search finds both sides about equal; a file with turns, or a position, in each "
        "line; a record, or a folder of them",
        "TURNS",
        _openings,
        default="4",
    )
    opening_turns: int | None = option(
        "play the first N turns of the openings of a file (default: all; 8 of a record)",
        "N",
        int_in_range(1, MAX_TURNS),
    )
    shuffle: bool = switch("play the openings of a file in random order, by --seed")
    seed: int = option("seed of openings and players (default: 1)", "N", non_negative_int, default=1)
    longest: int = option(
        "turns after which a game is a draw (default: 1000)",
        "TURNS",
        int_in_range(1, MAX_TURNS),
        default=1000,
    )
    adjudicate: int | None = option(
        "end a game once a search of NODES positions after each turn, which costs neither side time, "
        f"proves its outcome (default: {ADJUDICATOR_NODES})",
        "NODES",
        positive_int,
        nargs="?",
        const=ADJUDICATOR_NODES,
    )
    resign: str | None = option(
        "a player loses who reports -POINTS or less for TURNS of its turns in a row (default: 3), from "
        "turn FIRST of the game on (default: 0)",
        "POINTS[,TURNS[,FIRST]]",
    )
    draw: str | None = option(
        "a game is a draw when both report at most POINTS for TURNS turns each", "POINTS[,TURNS[,FIRST]]"
    )
    pin: bool = switch("keep each process that plays games to one processor (not on macOS)")
    concurrency: int = option(
        "games at the same time, each in its own process with its own players (default: 1)",
        "N",
        int_in_range(1, 256),
        default=1,
    )
    dask: str | None = option(
        "play on the Dask cluster with this scheduler, one game per worker thread; the workers need "
        "this package, and the engines and files of the players",
        "ADDRESS",
    )
    sprt: str | None = option(
        "stop a match of two when an Elo difference of E0 or E1 is accepted, each wrongly in 5%% of "
        "matches (default of a gate: 0,10); write --sprt=-5,0 if E0 is negative",
        "E0,E1",
    )


@dataclass(frozen=True, kw_only=True)
class OutputOptions(Options):
    """What is written and printed."""

    GROUP = "output"

    out: Path | None = option("SQLite file of the match (default: named after the settings)", "FILE", Path)
    sgf: Path | None = option("also write every game as SGF into this folder", "DIR", Path)
    json: bool = switch("print one JSON object per game, then the report")
    pgn: Path | None = option("also write the results as PGN, for Ordo and BayesElo", "FILE", Path)
    table: int | None = option("print the table to stderr after every N games", "N", positive_int)
    los: bool = switch("print who is better with which likelihood, in a tournament")
    anchor: list[str] | None = option(
        "a player of a tournament whose Elo is known; of several the mean is kept",
        "PLAYER=ELO",
        action="append",
    )


def games_option(default: int, help: str) -> int:
    """Return the field of ``--games``."""
    games: int = option(f"{help} (default: {default})", "N", int_in_range(1, MAX_GAMES), default=default)
    return games


@dataclass(frozen=True, kw_only=True)
class MatchOptions(OutputOptions, ConditionOptions, TurnLimitOptions):
    """The options of matches and tournaments of every kind."""

    game: str = option("the game to play, such as gomoku,size=19", "SPEC", required=True)
    games: int = games_option(100, "games of each pairing, rounded up to an even number")


def parse_settings(
    options: MatchOptions, players: Sequence[str], schedule: str = "round-robin"
) -> MatchSettings:
    """Return the settings of a match or a gate."""
    from tengen.engine.spec import GameSpec
    from tengen.search.limits.limit import Limit
    from tengen.tuning.match.settings import MatchSettings, ScoreRule
    from tengen.tuning.openings import parse_openings
    from tengen.tuning.players.specs import PlayerSpec

    options = options.prefer_typed("movetime", "clock").prefer_typed("dask", "concurrency")
    clock, cpu_time = parse_clock(options.clock or "")
    if options.movetime and clock:
        raise OptionError("--movetime and --clock exclude each other")
    if options.dask and options.concurrency > 1:
        raise OptionError("--concurrency and --dask exclude each other")
    chosen = (options.movetime, clock, options.depth, options.nodes)
    movetime = DEFAULT_MOVETIME if all(value is None for value in chosen) else options.movetime
    game = GameSpec.parse(options.game)
    return MatchSettings(
        game=game,
        players=tuple(PlayerSpec.parse(text) for text in players),
        games=options.games + options.games % 2,
        limits=Limit(depth=options.depth, nodes=options.nodes, time=movetime),
        clock=clock,
        openings=parse_openings(options.openings, game, options.opening_turns, options.shuffle),
        max_turns=options.longest,
        sprt=parse_sprt(options.sprt) if options.sprt else None,
        resign=ScoreRule.parse("--resign", options.resign) if options.resign else None,
        draw=ScoreRule.parse("--draw", options.draw) if options.draw else None,
        schedule=schedule,
        cpu_time=options.cpu_time or cpu_time,
        **{name: getattr(options, name) for name in CHOSEN},
    )


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
    try:
        elo0, elo1 = (parse_number("number", word, -MAX_COUNT) for word in text.split(","))
    except ValueError:
        raise OptionError(complaint) from None
    if max(abs(elo0), abs(elo1)) > MAX_ELO:
        raise OptionError(complaint)
    if elo0 >= elo1:
        raise OptionError(f"--sprt: expected the smaller Elo difference first, got {quoted(text)}")
    return Sprt(elo0, elo1)


def run_match(
    options: MatchOptions,
    settings: MatchSettings,
    *,
    command: str = MATCH,
    known: Mapping[str, str] | None = None,
    text: Callable[[JsonDict], str] = table,
) -> int:
    """Play the pending games of a match and print its report; return the exit status.

    By default the file of the match is named after the command and what is `known` of the match, else its
    settings. If interrupted, print the command that resumes it to stderr. The subcommand `GATE` reports a
    verdict, and succeeds only if the SPRT accepts H1. `text` returns the report for people.
    """
    from tengen.tuning.match.records import Store
    from tengen.tuning.match.tournament import Match, write_pgn
    from tengen.tuning.version import fingerprint

    path = options.out or Path(f"{command}-{fingerprint(known or settings.identity())}.sqlite")
    if options.pgn:
        require_target(options.pgn, "--pgn", [path, Path(options.openings)])
    anchors = parse_anchors(options.anchor or [], settings)
    store = Store(path, settings.identity())
    try:
        match = Match(settings, store, print_notice)

        def report_on() -> JsonDict:
            return summary(match, path, anchors, options.los)

        finished = play(match, options, lambda: text(report_on()))
    finally:
        store.close()
    if options.pgn:
        write_pgn(options.pgn, match)
    if not finished:
        print_resume_command(command, replace(options, out=path))
    report = report_on()
    if command == GATE:
        report["verdict"] = VERDICTS[report["sprt"]["accepted"]]
    print(json.dumps(report) if options.json else text(report))
    if not finished:
        return EXIT_INTERRUPTED
    return EXIT_REFUSED if command == GATE and report["verdict"] != VERDICTS["H1"] else 0


def parse_anchors(texts: Sequence[str], settings: MatchSettings) -> dict[int, float]:
    """Return the Elo of players, by number, that texts such as ``greedy=1200`` give, in a tournament."""
    names = [player.text for player in settings.players]
    anchors: dict[int, float] = {}
    for text in texts:
        name, _, elo = text.rpartition("=")
        if name not in names or not settings.tournament:
            expected = f"PLAYER=ELO with one of {', '.join(names)}" if settings.tournament else "a tournament"
            raise OptionError(f"--anchor: expected {expected}, got {quoted(text)}{nearest(name, names)}")
        anchors[names.index(name)] = parse_number("--anchor", elo, -MAX_ANCHOR, MAX_ANCHOR)
    return anchors


def play(match: Match, options: MatchOptions, table: Callable[[], str]) -> bool:
    """Play the pending games with a progress bar; return False if interrupted.

    The first SIGINT finishes the running games, the second one ends them. `table` returns the report so far.
    """
    from tqdm import tqdm

    from tengen.tuning.match.records import write_sgf

    total, quiet = match.settings.total, not sys.stderr.isatty()
    bar = tqdm(total=total, initial=len(match.games), unit="game", disable=quiet)

    def write(game: FinishedGame) -> None:
        if options.sgf:
            write_sgf(options.sgf, match.settings.game, match.names(game.number), game)

    def on_game(game: FinishedGame) -> None:
        write(game)
        if options.json:
            print(json.dumps(game_report(game, match)), flush=True)
        if not match.settings.tournament:
            bar.set_postfix_str(score_text(match.score), refresh=False)
        bar.update()
        if options.table and len(match.games) % options.table == 0 and match.pending():
            print(f"\n{table()}\n", file=sys.stderr, flush=True)

    def stop() -> None:
        if match.stopping:
            raise KeyboardInterrupt
        match.stopping = True
        print_notice("no more games are begun; those that run are finished; Ctrl-C again ends them now")

    with bar, on_sigint(stop):
        try:
            for game in match.games:
                write(game)
            match.run(on_game)
        except KeyboardInterrupt:
            return False
    return not (match.stopping and match.pending())
