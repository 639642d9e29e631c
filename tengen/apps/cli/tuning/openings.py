"""Draw balanced openings: random turns after which a search finds both sides about equal.

Openings are printed one in each line. No two lead to the same position, not even mirrored. `tengen match
--openings FILE` plays them. The same options give the same openings, as long as the engine stays the same; a
bigger --count only adds to them.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

from tengen.protocol.arguments import (
    MAX_COUNT,
    int_in_range,
    positive_int,
    require_parent_dir,
)

EXAMPLES = """examples:
  tengen openings --game gomoku --count 200 --out gomoku.txt
  tengen match --game gomoku --first tengen --second 'gomocup:brain' --openings gomoku.txt --games 400"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen openings``."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--game", metavar="SPEC", required=True, help="the game, such as gomoku:renju")
    add("--count", metavar="N", type=positive_int, default=100, help="number of openings (default: 100)")
    add("--seed", metavar="N", type=int_in_range(0, MAX_COUNT), default=1, help="seed (default: 1)")
    add("--out", metavar="FILE", type=Path, help="write the openings into this file, not to stdout")


def run(arguments: argparse.Namespace) -> int:
    """Draw openings, and print or write them."""
    from tqdm import tqdm

    from tengen.engine.game import GameSpec
    from tengen.engine.storage.files import replace_file
    from tengen.tuning.openings import BalancedTurns

    if arguments.out:
        require_parent_dir(arguments.out)
    spec = GameSpec.parse(arguments.game)
    source = BalancedTurns(spec.game.random_plies).draw(spec, arguments.seed)
    drawn = itertools.islice(source, arguments.count)
    lines = []
    for opening in tqdm(drawn, "openings", arguments.count, disable=not sys.stderr.isatty()):
        lines.append(" ".join(opening))
        if not arguments.out:
            print(lines[-1], flush=True)
    if arguments.out:
        replace_file(arguments.out, "".join(f"{line}\n" for line in lines).encode())
    return 0
