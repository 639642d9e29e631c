"""Play the engine against itself, and keep positions with what the search says and how the games end.

Games lie in files of so many each (numpy's npz; see docs/tuning.md): a game counts once its file is on disk.
Every game depends on the settings and its number alone: the same command goes on where it was broken off, a
greater --games plays more, and the files are the same for any number of workers, here or on a Dask cluster.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.errors import OptionError
from tengen.protocol.common.arguments import MAX_COUNT, command_line, int_in_range, positive_int
from tengen.protocol.common.interrupts import EXIT_INTERRUPTED
from tengen.protocol.common.numbers import parse_number
from tengen.search.limits import MAX_DEPTH

if TYPE_CHECKING:
    from tengen.tuning.farm import Farm
    from tengen.tuning.learn.selfplay import Run, SelfplayCounts, SelfplaySettings

EXAMPLES = """examples:
  tengen selfplay --game dvonn --games 10000 --out dvonn-games
  tengen selfplay --game gomoku:renju --games 2000 --nodes 5000 --openings 12 --out renju --workers 8
  tengen selfplay --game zertz --games 100000 --depth 4 --out zertz --dask tcp://192.168.1.5:8786"""
DEFAULT_DEPTH = 3
NUMBERS = ("depth", "nodes", "openings", "explore", "seed", "shard")  # among the settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen selfplay``."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--game", metavar="SPEC", required=True, help="what is played, such as gomoku,size=19")
    add("--games", metavar="N", type=positive_int, required=True, help="how many there are to be")
    add("--out", metavar="DIR", type=Path, required=True, help="where the games lie")
    add_playing = add_limit_arguments(parser)
    add_playing(
        "--openings",
        metavar="TURNS",
        type=int_in_range(0, MAX_COUNT),
        help="each game begins with none to so many random turns (default: as the game needs)",
    )
    add_random_arguments(add_playing, 0.02)
    add_playing(
        "--shard",
        metavar="N",
        type=int_in_range(1, MAX_COUNT),
        default=64,
        help="games in a file (default: 64)",
    )
    add_workers(parser)
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")


def add_limit_arguments(parser: argparse.ArgumentParser) -> Callable[..., object]:
    """Declare how games of the engine itself are searched; return what adds other options like these."""
    add = parser.add_argument_group("how they are played").add_argument
    add(
        "--depth",
        metavar="N",
        type=int_in_range(1, MAX_DEPTH),
        help=f"iterations a turn, in actions (default: {DEFAULT_DEPTH})",
    )
    add("--nodes", metavar="N", type=positive_int, help="positions a turn, instead")
    add("--weights", metavar="FILE", help="of the evaluation (default: those that the game ships with)")
    return add


def add_random_arguments(add: Callable[..., object], explore: float) -> None:
    """Declare what of such games is random; `explore` is the share of turns, if no other is given."""
    add(
        "--explore",
        metavar="SHARE",
        type=_share,
        default=explore,
        help=f"share of the turns then that are random, too (default: {explore:g})",
    )
    add("--seed", metavar="N", type=int_in_range(0, MAX_COUNT), default=1, help="of chance (default: 1)")


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Declare who plays."""
    add = parser.add_argument_group("who plays").add_argument
    add("--workers", metavar="N", type=int_in_range(1, 256), help="processes (default: one a core)")
    add("--dask", metavar="ADDRESS", help="a Dask scheduler, whose workers play instead")


def _share(text: str) -> float:
    """Return a number from 0 to 1, for argparse."""
    try:
        return parse_number("share", text, 0, 1)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, got {text!r}") from None


def run(arguments: argparse.Namespace) -> int:
    """Play what is not there yet, and report on all there is."""
    from tengen.tuning.learn.selfplay import Run

    settings = parse_settings(arguments)
    began = time.monotonic()
    with Run(settings, arguments.games, arguments.out, print_notice) as run:
        finished = play(run, farm_of(arguments, settings))
    report = summary(run, arguments.out, time.monotonic() - began)
    print(json.dumps(report, ensure_ascii=False) if arguments.json else table(report))
    if finished:
        return 0
    print(f"interrupted; to go on:\n  {command_line('selfplay', vars(arguments))}", file=sys.stderr)
    return EXIT_INTERRUPTED


def parse_settings(arguments: argparse.Namespace) -> SelfplaySettings:
    """Return what the command line asks for.

    Raises
    ------
    TengenError
        When something does not fit, alone or together.
    """
    from tengen.engine.game import GameSpec
    from tengen.tuning.learn.selfplay import SelfplaySettings
    from tengen.tuning.players.specs import read_weights

    game = GameSpec.parse(arguments.game)
    if arguments.depth and arguments.nodes:
        raise OptionError("effort: expected --depth or --nodes, got both")
    if arguments.dask and arguments.workers:
        raise OptionError("workers: expected --workers or --dask, whose workers they are, got both")
    return SelfplaySettings(
        game,
        depth=None if arguments.nodes else arguments.depth or DEFAULT_DEPTH,
        nodes=arguments.nodes,
        openings=game.game.random_plies if arguments.openings is None else arguments.openings,
        explore=arguments.explore,
        seed=arguments.seed,
        shard=arguments.shard,
        weights=read_weights(game.game, arguments.weights),
    )


def farm_of(arguments: argparse.Namespace, settings: SelfplaySettings) -> Farm:
    """Return the workers that the command line asks for, who play by `settings`."""
    from tengen.tuning.farm import Farm
    from tengen.tuning.learn.selfplay import prepare

    return Farm(arguments.workers or _cores(), arguments.dask, partial(prepare, settings))


def _cores() -> int:
    """Return how many cores this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play(run: Run, farm: Farm) -> bool:
    """Play, showing how it goes; return False when the user has broken it off."""
    from tqdm import tqdm

    quiet = not sys.stderr.isatty()
    bar = tqdm(total=run.games, initial=min(run.tally.games, run.games), unit="game", disable=quiet)
    began = time.monotonic()

    def on_shard(tally: SelfplayCounts) -> None:
        rate = run.played.positions / (time.monotonic() - began)
        bar.set_postfix_str(f"{rate:,.0f} positions/s", refresh=False)
        bar.update(tally.games)

    with bar:
        try:
            with farm:
                run.play(farm, on_shard)
        except KeyboardInterrupt:
            return False
    return True


def summary(run: Run, folder: Path, seconds: float) -> dict[str, Any]:
    """Return what there is, as JSON has it."""
    from tengen.engine.game import Outcome

    tally, outcomes = run.tally, run.tally.outcomes
    return {
        "settings": settings_report(run.settings),
        "games": tally.games,
        "planned": run.games,
        "positions": tally.positions,
        "first_wins": outcomes[Outcome.FIRST_WINS],
        "draws": outcomes[Outcome.DRAW],
        "second_wins": outcomes[Outcome.SECOND_WINS],
        "mean_turns": tally.turns / tally.games if tally.games else 0.0,
        "files": tally.files,
        "folder": str(folder),
        "played": {
            "games": run.played.games,
            "positions": run.played.positions,
            "seconds": seconds,
            "positions_per_second": run.played.positions / seconds,
        },
    }


def settings_report(settings: SelfplaySettings) -> dict[str, Any]:
    """Return settings as JSON has them."""
    return {**settings.identity(), **{name: getattr(settings, name) for name in NUMBERS}}


def table(report: dict[str, Any]) -> str:
    """Return the report for people."""
    settings, played = report["settings"], report["played"]
    effort = f"depth {settings['depth']}" if settings["nodes"] is None else f"{settings['nodes']} nodes"
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
    return "\n".join(f"{name:<10} {text}" for name, text in rows)


def print_notice(text: str) -> None:
    """Say on stderr what is done about a file."""
    print(f"tengen: {text}", file=sys.stderr, flush=True)
