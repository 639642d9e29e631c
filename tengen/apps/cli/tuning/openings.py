"""Draw balanced openings: random turns after which a search finds both sides about equal.

Openings are printed one in each line. No two lead to the same position, not even mirrored. `tengen match
--openings FILE` plays them. The same options give the same openings, as long as the engine stays the same; a
bigger --count only adds to them.
"""

import itertools
import sys
from dataclasses import dataclass
from pathlib import Path

from tengen.protocol.arguments import Options, non_negative_int, option, positive_int, require_target

EXAMPLES = """examples:
  tengen openings --game gomoku --count 200 --out gomoku.txt
  tengen openings --game dvonn --count 50 --nodes 1000000 --out dvonn.txt
  tengen match --game gomoku --first tengen --second 'gomocup:brain' --openings gomoku.txt --games 400"""


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen openings``."""

    game: str = option("the game, such as gomoku:renju", "SPEC", required=True)
    count: int = option("number of openings (default: 100)", "N", positive_int, default=100)
    nodes: int | None = option(
        "positions, in Go simulations, of the search that judges last (default: 30,000; in Go 1,000)",
        "N",
        positive_int,
    )
    seed: int = option("seed (default: 1)", "N", non_negative_int, default=1)
    out: Path | None = option("write the openings into this file, not to stdout", "FILE", Path)


def run(options: Arguments) -> int:
    """Draw openings, and print or write them."""
    from tqdm import tqdm

    from tengen.engine.spec import GameSpec
    from tengen.engine.storage.files import replace_file
    from tengen.tuning.openings import BalancedTurns

    if options.out:
        require_target(options.out)
    spec = GameSpec.parse(options.game)
    source = BalancedTurns(spec.game.random_plies, options.nodes).draw(spec, options.seed)
    drawn = itertools.islice(source, options.count)
    lines = []
    for opening in tqdm(drawn, "openings", options.count, disable=not sys.stderr.isatty()):
        lines.append(" ".join(opening))
        if not options.out:
            print(lines[-1], flush=True)
    if options.out:
        replace_file(options.out, "".join(f"{line}\n" for line in lines).encode())
    return 0
