"""Search fixed positions of all games to fixed depths: one node signature, and the speeds.

The signature (nodes over all positions, one thread) is the same on every machine; it changes only with what
is searched.
"""

from __future__ import annotations

import argparse
import json
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen bench``."""
    parser.epilog = "examples:\n  tengen bench\n  tengen bench --game gomoku --json"
    parser.add_argument(
        "--game", metavar="NAME", help="only this game (default: all, which the signature is of)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a game, then the signature")


def run(arguments: argparse.Namespace) -> int:
    """Run the bench and print its table."""
    from tqdm import tqdm

    from engine import game as games
    from search import bench, warmup

    names = (games.find(arguments.game).name,) if arguments.game else games.names()
    for name in names:
        warmup.prepare(games.find(name), lambda label: print(f"preparing {label}", file=sys.stderr))
    tasks = list(bench.tasks(names))
    bar = tqdm(tasks, unit="position", disable=not sys.stderr.isatty(), leave=False)
    measured = [bench.measure(task) for task in bar]
    for name in names:
        nodes = sum(m.nodes for m in measured if m.game == name)
        seconds = sum(m.seconds for m in measured if m.game == name)
        count = sum(m.game == name for m in measured)
        speed = int(nodes / seconds)
        if arguments.json:
            print(
                json.dumps(
                    {
                        "game": name,
                        "positions": count,
                        "nodes": nodes,
                        "seconds": round(seconds, 3),
                        "nps": speed,
                    }
                )
            )
        else:
            print(
                f"{name:<10} {count:>2} positions {nodes:>12,} nodes {seconds:>8.2f} s {speed:>12,} nodes/s"
            )
    signature = sum(m.nodes for m in measured)
    print(json.dumps({"signature": signature}) if arguments.json else f"signature {signature}")
    return 0
