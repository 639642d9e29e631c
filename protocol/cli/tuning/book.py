"""Make an opening book by self-play: the turns at the start of a game that scored best.

Games start at the leaves of a tree of positions, which grows where it looks most promising. Mirror images are
one position. The file is complete after every round of 256 games; the same command resumes, and a larger
--games extends the book. --ship leaves out positions with few games.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.errors import OptionError
from tengen.engine.storage.files import without_links
from tengen.protocol.cli.tuning.interruption import print_resume_command
from tengen.protocol.cli.tuning.selfplay import (
    add_limit_arguments,
    add_random_arguments,
    add_workers,
    parse_settings,
    settings_report,
    worker_pool,
)
from tengen.protocol.common.console.interrupts import EXIT_INTERRUPTED
from tengen.protocol.common.options.arguments import int_in_range, positive_int, require_parent_dir

if TYPE_CHECKING:
    from tengen.engine.game import GameSpec
    from tengen.tuning.learn.book import BookBuilder
    from tengen.tuning.workers.pool import WorkerPool

EXAMPLES = """examples:
  tengen book --game dvonn --games 100000 --out dvonn-book.npz
  tengen book --game dvonn --games 100000 --out dvonn-book.npz --ship book.npz --least 50"""
SHARD = 8  # games per job of a worker
MAX_PLIES = 64


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen book``."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--game", metavar="SPEC", required=True, help="the game to play, such as gomoku,size=19")
    add(
        "--games",
        metavar="N",
        type=positive_int,
        required=True,
        help="total number of games, rounded up to rounds",
    )
    add("--out", metavar="FILE", type=Path, required=True, help="the book, which is extended if it exists")
    plies = int_in_range(1, MAX_PLIES)
    add("--plies", metavar="N", type=plies, default=8, help="depth of the book in turns (default: 8)")
    add("--ship", metavar="FILE", type=Path, help="also write the book for players to this file")
    least = "leave out positions with fewer games in --ship (default: 50)"
    add("--least", metavar="N", type=positive_int, default=50, help=least)
    add_random_arguments(add_limit_arguments(parser), 0.05)
    add_workers(parser)
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Play games for the book, and report on it."""
    from tengen.engine.storage.files import exclusive_lock
    from tengen.tuning.learn.book import BookBuilder

    require_parent_dir(arguments.out)
    if arguments.ship:
        require_parent_dir(arguments.ship, "--ship")
        if without_links(arguments.ship) == without_links(arguments.out):
            raise OptionError(f"--ship: expected another file than --out, which grows, got {arguments.ship}")
    settings = parse_settings(arguments, openings=0, shard=SHARD)
    builder = BookBuilder(settings, arguments.plies)
    with exclusive_lock(arguments.out):
        if arguments.out.exists():
            builder.resume(arguments.out)
        began, before = time.monotonic(), builder.games
        finished = grow(builder, arguments.games, arguments.out, worker_pool(arguments, settings))
    if arguments.ship and finished:
        builder.book(arguments.least).save(arguments.ship)
    report = summary(builder, settings.game, arguments.out)
    report["played"] = {"games": builder.games - before, "seconds": time.monotonic() - began}
    print(json.dumps(report) if arguments.json else table(report))
    if finished:
        return 0
    print_resume_command("book", vars(arguments))
    return EXIT_INTERRUPTED


def grow(builder: BookBuilder, games: int, path: Path, pool: WorkerPool) -> bool:
    """Play games with a progress bar and save the book after each round; return False if interrupted."""
    from tqdm import tqdm

    bar = tqdm(total=games, initial=min(builder.games, games), unit="game", disable=not sys.stderr.isatty())

    def on_round(played: int) -> None:
        builder.book().save(path)
        bar.update(min(played, games) - bar.n)

    with bar:
        try:
            with pool:
                builder.grow(games, pool, on_round)
        except KeyboardInterrupt:
            return False
    return True


def summary(builder: BookBuilder, spec: GameSpec, path: Path) -> dict[str, Any]:
    """Return the report for JSON, with the best line of the book."""
    from tengen.engine.play.position import Position

    book = builder.book()
    position, line = Position.start(spec), []
    while choice := book.choose(spec.game.rules, position.state):
        turn = position.format(choice.actions)
        side = position.side
        position.play(turn)
        line.append({"turn": turn, "side": side, "games": choice.games, "share": round(choice.share, 4)})
    return {
        "settings": {**settings_report(builder.settings), "plies": builder.plies},
        "games": builder.games,
        "positions": len(book.keys),
        "line": line,
        "file": str(path),
    }


def table(report: dict[str, Any]) -> str:
    """Return the report as text."""
    settings = report["settings"]
    effort = f"depth {settings['depth']}" if settings["nodes"] is None else f"{settings['nodes']} nodes"
    rows = [
        ("game", f"{settings['game']}   {effort}   seed {settings['seed']}"),
        ("engine", settings["engine"]),
        ("games", str(report["games"])),
        ("positions", str(report["positions"])),
        ("kept in", report["file"]),
        ("line", "" if report["line"] else "none: too few games"),
    ]
    rows += [
        ("", f"{step['turn']:<8} {step['share']:6.1%} of {step['games']} games for {step['side']}")
        for step in report["line"]
    ]
    return "\n".join(f"{name:<10} {text}".rstrip() for name, text in rows)
