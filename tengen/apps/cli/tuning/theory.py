"""Show the opening theory of a game: the turns that are known, the best first, each with the line after it.

Theory is a tree of turns and replies that long searches have made. With --positions the tree of a file grows
by more searches until it has so many positions. Those come first to which a line leads that is short and
gives away little. The same command goes on where it was interrupted. What is found does not depend on the
number of workers, here or on a Dask cluster.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.apps.cli.tuning.workers import WorkerOptions
from tengen.engine.columns import columns
from tengen.engine.errors import OptionError
from tengen.engine.notation import shown
from tengen.protocol.arguments import (
    number_in_range,
    option,
    positive_int,
    print_resume_command,
    require_target,
    switch,
)
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.positions import with_moves

if TYPE_CHECKING:
    from tengen.engine.play.position import Position
    from tengen.engine.spec import GameSpec
    from tengen.tuning.theory import KnownTurn, Theory

EXAMPLES = """examples:
  tengen theory zertz --count 10
  tengen theory gobang --moves "j10 j9" --json
  tengen theory --game gipf:basic --file gipf.json --positions 1000 --nodes 1000000"""


@dataclass(frozen=True, kw_only=True)
class Arguments(WorkerOptions):
    """The options of ``tengen theory``."""

    game: str = option("the game, such as go,size=7", "SPEC", required=True)
    moves: str = option("turns to play first", "'T1 T2 ...'", default="")
    count: int | None = option("show only the N best turns", "N", positive_int)
    file: Path | None = option("the theory in this file (default: what ships with the game)", "FILE", Path)
    positions: int | None = option(
        "search until there are N positions, and keep them in FILE", "N", positive_int
    )
    nodes: int | None = option(
        "positions, in Go simulations, of each search of a new file (default: 200,000; in Go 5,000)",
        "N",
        positive_int,
    )
    loss: float = option(
        "win rate that a line gives away and that counts like one more turn; less makes longer lines "
        "(default: 0.01)",
        "SHARE",
        number_in_range(0.0001, 1),
        default=0.01,
    )
    json: bool = switch("print a JSON object")


def run(options: Arguments) -> int:
    """Show what is known of a position; first search for more, if that is asked for."""
    from tengen.engine.play.position import Position
    from tengen.engine.spec import GameSpec
    from tengen.engine.storage.files import exclusive_lock
    from tengen.tuning.theory import Theory

    position = with_moves(Position(GameSpec.parse(options.game)), options.moves)
    options.check_workers()
    if options.positions and not options.file:
        raise OptionError("--positions requires --file")
    if options.positions and options.file:
        require_target(options.file)
        with exclusive_lock(options.file):  # what another run has found meanwhile is not lost
            known = Theory(position.spec, options.nodes)
            if options.file.exists():
                known = _read(options.file, known.spec, options.nodes)
            finished = _explore(known, options.file, options.positions, options)
        if not finished:
            print_resume_command("theory", options)
            return EXIT_INTERRUPTED
    elif options.file:
        known = _read(options.file, position.spec, options.nodes)
    else:
        known = Theory.shipped(position.spec)
    turns = known.turns(position, options.count)
    form = report if options.json else table
    print(form(known, position, turns))
    return 0


def _read(file: Path, spec: GameSpec, nodes: int | None) -> Theory:
    """Return the theory in a file, which must be of this game and, if that is given, of such searches."""
    from tengen.tuning.theory import Theory

    known = Theory.read(file)
    if known.spec.as_variant() != spec.as_variant():
        raise OptionError(f"{file}: expected a theory of {spec}, got one of {known.spec}")
    if nodes not in (None, known.effort):
        raise OptionError(f"{file}: expected searches of {known.effort:,}, got {nodes:,}")
    return known


def _explore(known: Theory, file: Path, wanted: int, options: Arguments) -> bool:
    """Search until there are enough positions, and keep them; return False if interrupted."""
    from tqdm import tqdm

    begun, quiet = min(known.positions, wanted), not sys.stderr.isatty()
    with tqdm(total=wanted, initial=begun, unit="position", disable=quiet) as bar:
        try:
            with options.pool() as pool:
                for positions in known.explore(wanted, pool, options.loss):
                    known.write(file)
                    bar.update(positions - bar.n)
        except KeyboardInterrupt:
            return False
    return True


def report(known: Theory, position: Position, turns: Sequence[KnownTurn]) -> str:
    """Return what is known of a position as JSON; win rates are those of the side to move."""
    numbers = {"positions": known.positions, "nodes": known.effort, "engine": known.engine}
    place = {"moves": position.turns_played, "side": str(position.side)}
    return json.dumps(
        {"game": str(known.spec), **numbers, **place, "turns": [asdict(each) for each in turns]}
    )


def table(known: Theory, position: Position, turns: Sequence[KnownTurn]) -> str:
    """Return what is known of a position as text."""
    title = position.game.titles[position.side_to_move]
    found = [(each.turn, f"{each.rate:.1%}", f"{each.positions:,}", " ".join(each.line)) for each in turns]
    rows = shown(position.spec, found)
    if not rows:
        return "no turn is known here"
    kind = "simulations" if known.spec.game.search == "mcts" else "positions"
    head = f"{known.spec}: {known.positions:,} positions, each by a search of {known.effort:,} {kind}"
    return "\n".join([head, *columns([("turn", title, "positions", "goes on"), *rows], {0, 3})])
