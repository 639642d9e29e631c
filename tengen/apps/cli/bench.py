"""Search fixed positions of the built-in games to fixed limits; print a node signature and the speeds.

The signature is the number of nodes over all positions, with one thread. It is the same on every machine and
changes only with the search itself.
"""

import json
import sys
from dataclasses import dataclass

from tengen.protocol.arguments import Options, option, switch

EXAMPLES = """examples:
  tengen bench
  tengen bench --game gomoku --json"""


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen bench``."""

    game: str | None = option("only this game (default: all that are built in)", "NAME")
    json: bool = switch("print JSON objects, one a line")


def run(options: Arguments) -> int:
    """Run the bench; print a line of nodes and speed for each game, and the signature."""
    from tqdm import tqdm

    from tengen.engine import games
    from tengen.search import bench, warmup

    names = (games.find(options.game).name,) if options.game else games.built_in()
    for name in names:
        warmup.compile_kernels(games.find(name))
    tasks = list(bench.tasks(names))
    bar = tqdm(tasks, unit="position", disable=not sys.stderr.isatty(), leave=False)
    measured = [bench.measure(task) for task in bar]
    for name in names:
        own = [m for m in measured if m.game == name]
        nodes, seconds = sum(m.nodes for m in own), sum(m.seconds for m in own)
        speed = int(nodes / seconds)
        if options.json:
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
    print(json.dumps({"signature": signature}) if options.json else f"signature {signature}")
    return 0
