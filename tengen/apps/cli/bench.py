"""Search fixed positions of the built-in games to fixed limits; print a node signature and the speeds.

The signature is the number of nodes over all positions, with one thread. It is the same on every machine and
changes only with the search itself.
"""

from __future__ import annotations

import argparse
import json
import sys

EXAMPLES = """examples:
  tengen bench
  tengen bench --game gomoku --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen bench``."""
    parser.epilog = EXAMPLES
    parser.add_argument("--game", metavar="NAME", help="only this game (default: all that are built in)")
    parser.add_argument("--json", action="store_true", help="print JSON objects, one a line")


def run(arguments: argparse.Namespace) -> int:
    """Run the bench and print its table."""
    from tengen.engine import game as games
    from tengen.search import warmup

    names = (games.find(arguments.game).name,) if arguments.game else games.built_in()
    for name in names:
        warmup.compile_kernels(games.find(name))
    _measure(names, arguments.json)
    return 0


def _measure(names: tuple[str, ...], as_json: bool) -> None:
    """Print a line of nodes and speed for each game, and the signature."""
    from tqdm import tqdm

    from tengen.search import bench

    tasks = list(bench.tasks(names))
    bar = tqdm(tasks, unit="position", disable=not sys.stderr.isatty(), leave=False)
    measured = [bench.measure(task) for task in bar]
    for name in names:
        own = [m for m in measured if m.game == name]
        nodes, seconds = sum(m.nodes for m in own), sum(m.seconds for m in own)
        speed = int(nodes / seconds)
        if as_json:
            line = {
                "game": name,
                "positions": len(own),
                "nodes": nodes,
                "seconds": round(seconds, 3),
                "nps": speed,
            }
            print(json.dumps(line))
        else:
            counts = f"{len(own):>2} positions {nodes:>12,} nodes"
            print(f"{name:<10} {counts} {seconds:>8.2f} s {speed:>12,} nodes/s")
    signature = sum(m.signature for m in measured)
    print(json.dumps({"signature": signature}) if as_json else f"signature {signature}")
