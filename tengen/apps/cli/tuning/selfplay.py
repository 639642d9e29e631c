"""Play the engine against itself, and store the positions with search scores and results.

Games are stored in npz shards (see docs/tuning.md); a game counts once its shard is on disk. Every game
depends only on the settings and its number. So the same command resumes an interrupted run, a greater --games
extends it, and the files do not depend on the number of workers, here or on a Dask cluster.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.apps.cli.tuning.workers import WorkerOptions
from tengen.engine.columns import named
from tengen.engine.errors import OptionError
from tengen.protocol.arguments import (
    Options,
    int_in_range,
    non_negative_int,
    option,
    positive_int,
    print_resume_command,
    share,
    switch,
)
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.output import print_notice
from tengen.search.limits.limit import MAX_DEPTH

if TYPE_CHECKING:
    from tengen.tuning.learn.selfplay import SelfplaySettings
    from tengen.tuning.learn.selfplay_run import SelfplayRun
    from tengen.tuning.workers.pool import WorkerPool

EXAMPLES = """examples:
  tengen selfplay --game dvonn --games 10000 --out dvonn-games
  tengen selfplay --game gomoku:renju --games 2000 --nodes 5000 --openings 12 --out renju --workers 8
  tengen selfplay --game go,size=9,komi=7.0,rules=chinese --games 1000 --nodes 400 --out go-games
  tengen selfplay --game go,size=9,komi=7.0,rules=chinese --games 4000 --teacher katago.bin.gz --out taught
  tengen selfplay --game zertz --games 100000 --depth 4 --out zertz --dask tcp://192.168.1.5:8786"""
DEFAULT_DEPTH = 3
DEFAULT_SIMULATIONS = 400
# Settings that are taken as they are given
CHOSEN = ("openings", "explore", "seed", "shard", "inner", "branches", "teacher", "player")
NUMBERS = ("depth", "nodes", *CHOSEN[:-2])  # settings that JSON has as numbers


def _turns_or_balanced(text: str) -> int | str:
    """Return a number of turns, or `BALANCED`, for argparse."""
    from tengen.tuning.openings import BALANCED

    return text if text == BALANCED else non_negative_int(text)


@dataclass(frozen=True, kw_only=True)
class RunOptions(Options):
    """What is played, and where it is kept."""

    game: str = option("the game to play, such as gomoku,size=19", "SPEC", required=True)
    games: int = option("total number of games", "N", positive_int, required=True)
    out: Path = option("folder of the games", "DIR", Path, required=True)
    json: bool = switch("print the report as one JSON object")


@dataclass(frozen=True, kw_only=True)
class GameOptions(Options):
    """The settings of the games."""

    GROUP = "settings of the games"

    depth: int | None = option(
        f"depth per turn, in actions (default: {DEFAULT_DEPTH})", "N", int_in_range(1, MAX_DEPTH)
    )
    nodes: int | None = option(
        f"positions per turn, in place of a depth; in Go: simulations (default: {DEFAULT_SIMULATIONS})",
        "N",
        positive_int,
    )
    weights: str | None = option("weights of the evaluation (default: the shipped ones)", "FILE")
    teacher: Path | None = option(
        "a net of KataGo (*.bin.gz) that plays Go in place of a search; needs tengen[nets]", "FILE", Path
    )
    player: str = option(
        "a player of your own that plays the turns, which the searches then only judge",
        "python:FILE.py:NAME",
        default="",
    )
    openings: int | str | None = option(
        "at most this many random opening turns, drawn for each game (default: depends on the game); "
        "`balanced`: turns after which a search finds both sides about equal",
        "TURNS",
        _turns_or_balanced,
    )
    explore: float = option(
        "share of random turns after the opening (default: 0.02)", "SHARE", share, default=0.02
    )
    seed: int = option("seed of random turns (default: 1)", "N", non_negative_int, default=1)
    shard: int = option("games per file (default: 64)", "N", positive_int, default=64)
    inner: int = option(
        "also search and keep N positions within each search, for nets (default: 0)",
        "N",
        non_negative_int,
        default=0,
    )
    branches: int = option(
        "let N games follow each game that begin within its searches, for nets (default: 0)",
        "N",
        non_negative_int,
        default=0,
    )


@dataclass(frozen=True, kw_only=True)
class Arguments(WorkerOptions, GameOptions, RunOptions):
    """The options of ``tengen selfplay``."""


def run(options: Arguments) -> int:
    """Play the games that are missing, and report on all games."""
    from tengen.tuning.learn.selfplay_run import SelfplayRun, prepare

    settings = parse_settings(options)
    began = time.monotonic()
    with SelfplayRun(settings, options.games, options.out, print_notice) as run:
        finished = play(run, options.pool(partial(prepare, settings)))
    report = summary(run, options.out, time.monotonic() - began)
    print(json.dumps(report) if options.json else table(report))
    if finished:
        return 0
    print_resume_command("selfplay", options)
    return EXIT_INTERRUPTED


def parse_settings(options: Arguments) -> SelfplaySettings:
    """Return the settings of self-play."""
    from tengen.engine.spec import GameSpec
    from tengen.engine.weights import read_weights
    from tengen.tuning.learn.selfplay import SelfplaySettings
    from tengen.tuning.openings import BALANCED

    game = GameSpec.parse(options.game)
    weights = read_weights(game.game, options.weights)
    if options.depth and options.nodes:
        raise OptionError("--depth and --nodes exclude each other")
    options.check_workers()
    chosen = {name: getattr(options, name) for name in CHOSEN}
    if chosen["openings"] is None:
        chosen["openings"] = game.game.random_plies
    if chosen["openings"] == BALANCED:
        chosen |= {"openings": 0, "balanced": True}
    depth, nodes = options.depth, options.nodes
    if options.teacher:
        if depth or nodes:
            raise OptionError("--teacher excludes --depth and --nodes")
        nodes = 1
    elif game.game.search == "mcts":
        nodes = None if depth else nodes or DEFAULT_SIMULATIONS
    else:
        depth = None if nodes else depth or DEFAULT_DEPTH
    return SelfplaySettings(game, depth, nodes, weights=weights, **chosen)


def play(run: SelfplayRun, pool: WorkerPool) -> bool:
    """Play the pending games with a progress bar; return False if interrupted."""
    from tqdm import tqdm

    quiet = not sys.stderr.isatty()
    bar = tqdm(total=run.games, initial=min(run.counts["games"], run.games), unit="game", disable=quiet)
    began = time.monotonic()

    def on_shard(counts: Counter[str]) -> None:
        rate = run.played["positions"] / (time.monotonic() - began)
        bar.set_postfix_str(f"{rate:,.0f} positions/s", refresh=False)
        bar.update(counts["games"])

    with bar:
        try:
            with pool:
                run.play(pool, on_shard)
        except KeyboardInterrupt:
            return False
    return True


def summary(run: SelfplayRun, folder: Path, seconds: float) -> dict[str, Any]:
    """Return the report for JSON."""
    counts, played = run.counts, run.played
    return {
        "settings": {**run.settings.identity(), **{name: getattr(run.settings, name) for name in NUMBERS}},
        "games": counts["games"],
        "planned": run.games,
        **{name: counts[name] for name in ("positions", "first_wins", "draws", "second_wins")},
        "mean_turns": counts["turns"] / counts["games"] if counts["games"] else 0.0,
        "files": counts["files"],
        "folder": str(folder),
        "played": {
            "games": played["games"],
            "positions": played["positions"],
            "seconds": seconds,
            "positions_per_second": played["positions"] / seconds,
        },
    }


def table(report: dict[str, Any]) -> str:
    """Return the report as text."""
    settings, played = report["settings"], report["played"]
    effort = f"depth {settings['depth']}" if settings["nodes"] is None else f"{settings['nodes']} nodes"
    if "teacher" in settings:
        effort = f"teacher {settings['teacher']}"
    if "player" in settings:
        effort += f"   player {settings['player']}"
    files = "1 file" if report["files"] == 1 else f"{report['files']} files"
    results = [report[name] for name in ("first_wins", "draws", "second_wins")]
    rows = [
        ("game", f"{settings['game']}   {effort}   seed {settings['seed']}"),
        ("engine", settings["engine"]),
        ("games", f"{report['games']} of {report['planned']}   {report['mean_turns']:.1f} turns each"),
        ("W - D - L", " - ".join(map(str, results)) + "   for the first side"),
        ("positions", f"{report['positions']}"),
        ("kept in", f"{report['folder']}   {files}"),
    ]
    if played["games"]:
        rate = f"{played['seconds']:.1f} s   {played['positions_per_second']:,.0f} positions/s"
        rows.append(("this run", f"{played['games']} games   {rate}"))
    return "\n".join(named(rows))
