"""Search fixed positions of all games to fixed limits: one signature, and the speeds.

The signature (positions visited, or nodes that simulations have grown, over all positions, one thread) is the
same on every machine; it changes only with what is searched. With --latency, how promptly an engine process
answers instead.
"""

from __future__ import annotations

import argparse
import json
import sys

STOPS, MOVES = 200, 500
EXAMPLES = """examples:
  tengen bench
  tengen bench --game gomoku --json
  tengen bench --game dvonn --latency"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen bench``."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--game", metavar="NAME", help="only this game (default: all, which the signature is of)"
    )
    parser.add_argument(
        "--latency", action="store_true", help=f"delays over UGI: {STOPS} stops, {MOVES} timed moves"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Run the bench and print its table."""
    from engine import game as games
    from search import warmup

    names = (games.find(arguments.game).name,) if arguments.game else games.names()
    for name in names:
        warmup.prepare(games.find(name))
    if arguments.latency:
        _run_latency(names, arguments.json)
    else:
        _run_nodes(names, arguments.json)
    return 0


def _run_nodes(names: tuple[str, ...], as_json: bool) -> None:
    """Print a line of nodes and speed for each game, and the signature."""
    from tqdm import tqdm

    from search import bench

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


def _run_latency(names: tuple[str, ...], as_json: bool) -> None:
    """Print a line for each kind of delay of each game."""
    from tqdm import tqdm

    from protocol import latency

    for name in names:
        with tqdm(total=10 + STOPS + MOVES, desc=name, disable=not sys.stderr.isatty(), leave=False) as bar:
            measured = latency.measure(name, STOPS, MOVES, bar.update)
        for delays in measured:
            median, worst = round(delays.median, 1), round(delays.worst, 1)
            count = len(delays.values)
            if as_json:
                line = {
                    "game": name,
                    "delay": delays.what,
                    "count": count,
                    "median_ms": median,
                    "worst_ms": worst,
                }
                print(json.dumps(line))
            else:
                figures = f"median {median:>7} ms, worst {worst:>7} ms"
                print(f"{name:<10} {delays.what:<38} {count:>4} times, {figures}")
