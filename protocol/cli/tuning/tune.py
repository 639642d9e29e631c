"""Tune the numbers of the search, such as late-move counts and margins, by games (SPSA).

Each pair of games plays two settings on either side of the present one against each other, and moves the
numbers a little towards the winner. The file is complete after every round of 16 pairs; the same command
resumes. Thousands of pairs are needed; whether the result plays better is for a match to decide.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.protocol.cli.tuning.interruption import print_resume_command
from tengen.protocol.cli.tuning.selfplay import (
    add_limit_arguments,
    add_openings,
    add_workers,
    parse_settings,
    settings_report,
    worker_pool,
)
from tengen.protocol.common.console.interrupts import EXIT_INTERRUPTED
from tengen.protocol.common.options.arguments import (
    MAX_COUNT,
    int_in_range,
    positive_int,
    require_parent_dir,
)

if TYPE_CHECKING:
    from tengen.engine.game import GameSpec
    from tengen.tuning.learn.spsa import Tuning
    from tengen.tuning.openings import ListedOpenings
    from tengen.tuning.workers.pool import WorkerPool

EXAMPLES = """examples:
  tengen tune --game dvonn --pairs 20000 --nodes 5000 --out dvonn-numbers.json
  tengen openings --game gomoku --count 1000 --out gomoku.txt
  tengen tune --game gomoku --pairs 10000 --nodes 10000 --openings gomoku.txt --out gomoku-numbers.json
  tengen tune --game gipf --pairs 5000 --numbers horizon-moves,futility-margin --out gipf-numbers.json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen tune``."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--game", metavar="SPEC", required=True, help="the game to play, such as gomoku,size=19")
    add("--pairs", metavar="N", type=positive_int, required=True, help="total number of pairs of games")
    add("--out", metavar="FILE", type=Path, required=True, help="the numbers, and how far the tuning has got")
    add("--numbers", metavar="NAMES", default="", help="what to tune, with commas between (default: all)")
    add_playing = add_limit_arguments(parser)
    add_openings(add_playing, "pair", file=True)
    seed = "seed of openings and steps (default: 1)"
    add_playing("--seed", metavar="N", type=int_in_range(0, MAX_COUNT), default=1, help=seed)
    add_workers(parser)
    add("--json", action="store_true", help="print the report as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Play the pairs that are missing, and report on the numbers."""
    from tengen.engine.game import GameSpec
    from tengen.engine.storage.files import exclusive_lock
    from tengen.tuning.learn.spsa import Tuning, TuningSettings

    require_parent_dir(arguments.out)
    openings = listed_openings(arguments.openings, GameSpec.parse(arguments.game))
    drawn = 0 if openings else arguments.openings
    games = parse_settings(arguments, explore=0.0, shard=1, openings=drawn)
    names = tuple(name for name in arguments.numbers.split(",") if name)
    tuning = Tuning(TuningSettings(games, names, arguments.pairs, openings))
    with exclusive_lock(arguments.out):
        if arguments.out.exists():
            tuning.resume(arguments.out)
        began, before = time.monotonic(), tuning.pairs
        finished = tune(tuning, arguments.out, worker_pool(arguments, games))
    report = summary(tuning, arguments.out)
    report["played"] = {"pairs": tuning.pairs - before, "seconds": time.monotonic() - began}
    print(json.dumps(report) if arguments.json else table(report))
    if finished:
        return 0
    print_resume_command("tune", vars(arguments))
    return EXIT_INTERRUPTED


def listed_openings(chosen: int | str | Path | None, game: GameSpec) -> ListedOpenings | None:
    """Return the openings of the file that was `chosen`, if it was one."""
    from tengen.tuning.openings import ListedOpenings, parse_openings

    found = parse_openings(str(chosen), game) if isinstance(chosen, Path) else None
    return found if isinstance(found, ListedOpenings) else None


def tune(tuning: Tuning, path: Path, pool: WorkerPool) -> bool:
    """Play pairs with a progress bar and save the numbers after each round; return False if interrupted."""
    from tqdm import tqdm

    total, quiet = tuning.settings.pairs, not sys.stderr.isatty()
    bar = tqdm(total=total, initial=tuning.pairs, unit="pair", disable=quiet)

    def on_round(played: int) -> None:
        tuning.save(path)
        bar.update(played - bar.n)

    with bar:
        try:
            with pool:
                tuning.run(pool, on_round)
        except KeyboardInterrupt:
            return False
    return True


def summary(tuning: Tuning, path: Path) -> dict[str, Any]:
    """Return the report for JSON."""
    start, now = tuning.settings.start.named(), tuning.numbers().named()
    listed = tuning.settings.openings
    return {
        "settings": settings_report(tuning.settings.games) | ({"openings": listed.report} if listed else {}),
        "pairs": tuning.pairs,
        "planned": tuning.settings.pairs,
        "numbers": {name: {"before": start[name], "now": now[name]} for name in tuning.settings.names},
        "file": str(path),
    }


def table(report: dict[str, Any]) -> str:
    """Return the report as text."""
    settings = report["settings"]
    effort = f"depth {settings['depth']}" if settings["nodes"] is None else f"{settings['nodes']} nodes"
    rows = [
        ("game", f"{settings['game']}   {effort}   seed {settings['seed']}"),
        ("engine", settings["engine"]),
        ("pairs", f"{report['pairs']} of {report['planned']}"),
        ("kept in", report["file"]),
    ]
    rows += [(name, f"{both['before']:>6} -> {both['now']}") for name, both in report["numbers"].items()]
    return "\n".join(f"{name:<18} {text}" for name, text in rows)
