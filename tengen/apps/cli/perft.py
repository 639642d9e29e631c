"""Count the turns to a depth, to test a move generator.

Prints one line for each depth, as soon as it is counted: depth N turns COUNT seconds T. A turn counts once,
whatever its number of actions; a forced pass is a turn.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tengen.engine.errors import OptionError
from tengen.protocol.arguments import int_in_range, option, switch
from tengen.protocol.interrupts import in_background
from tengen.protocol.output import print_notice
from tengen.protocol.positions import GameOptions, position_of
from tengen.search.limits.limit import MAX_DEPTH

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

EXAMPLES = """examples:
  tengen perft --game dvonn --depth 3
  tengen perft --game gomoku,size=5 --moves "C3 C4" --depth 2 --divide
  tengen perft --game dvonn --depth 2 --distinct --json"""


@dataclass(frozen=True, kw_only=True)
class Arguments(GameOptions):
    """The options of ``tengen perft``."""

    depth: int = option("last depth, in turns", "D", int_in_range(1, MAX_DEPTH), required=True)
    distinct: bool = switch("count turns to the same position as one (slow)")
    divide: bool = switch("at the last depth, list the count after each turn first")
    json: bool = switch("print JSON objects, one a line")


def run(options: Arguments) -> int:
    """Count and print, depth by depth: turns of the active game, as challenges are not counted."""
    from tengen.engine.play.position import Position
    from tengen.search import perft, warmup

    named = position_of(options)
    if named.awaits_answer:
        raise OptionError(f"--moves: expected turns that end within a game, got {named.challenge}")
    position = Position.of_state(named.current.spec, named.current.state)
    position.past_keys = named.current.past_keys
    form = json.dumps if options.json else plain
    game = position.spec.game  # whose kernels are made ready first: times are of counting only
    compilation = warmup.Compilation(game, partial(warmup.run_step, game, partial(perft.count, position, 1)))
    compilation.wait(print_notice)
    for row in in_background(rows(position, options.depth, options.distinct, options.divide)):
        print(form(row), flush=True)
    return 0


def rows(position: Position, depth: int, distinct: bool, divide: bool) -> Iterator[dict[str, Any]]:
    """Yield the rows to print, for JSON."""
    from tengen.search import perft

    for current in range(1, depth + 1):
        began = time.perf_counter()
        if divide and current == depth:
            counts = perft.divide(position, current, distinct)
            turns = sum(count for _, count in counts)
            yield from ({"turn": turn, "count": count} for turn, count in counts)
        else:
            turns = perft.count(position, current, distinct)
        yield {"depth": current, "turns": turns, "seconds": round(time.perf_counter() - began, 6)}


def plain(row: dict[str, Any]) -> str:
    """Return one of `rows` as text."""
    if "turn" in row:
        return f"{row['turn']} {row['count']}"
    return f"depth {row['depth']} turns {row['turns']} seconds {row['seconds']:.6f}"
