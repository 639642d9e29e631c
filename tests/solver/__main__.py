"""Suites of forced wins and of endings: checked by brute force, or made by self-play.

``python -m tests.solver confirm [GAME]...`` or ``make GAME N``, N wins (in DVONN, endings; in Go, first moves
that decide about life) of each kind. ``measure`` counts what the engine solves of Go's suite.
"""

from __future__ import annotations

import argparse
import functools
import sys

from tests.solver import dvonn_suite, fives_suite, go_suite, zertz_suite

FIVES = fives_suite.SHARES
MAKE = {game: functools.partial(fives_suite.make, game) for game in FIVES}
MAKE |= {"zertz": zertz_suite.make, "dvonn": dvonn_suite.make, "go": go_suite.make}
CONFIRM = {game: functools.partial(fives_suite.confirm, game) for game in FIVES}
CONFIRM |= {"zertz": zertz_suite.confirm, "dvonn": dvonn_suite.confirm, "go": go_suite.confirm}


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.solver", description=(__doc__ or "").splitlines()[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    confirming = commands.add_parser("confirm")
    confirming.add_argument("games", nargs="*", metavar="game", choices=CONFIRM, default=list(CONFIRM))
    making = commands.add_parser("make")
    making.add_argument("game", choices=MAKE)
    making.add_argument("number", type=int)
    making.add_argument("--seed", type=int, default=2026)
    measuring = commands.add_parser("measure")
    measuring.add_argument("--nodes", type=int, nargs="+", default=go_suite.NODES_MEASURED, metavar="N")
    measuring.add_argument("--unsolved", action="store_true", help="draw what the last number does not solve")
    arguments = parser.parse_args()
    if arguments.command == "confirm":
        sound = [CONFIRM[game]() for game in arguments.games]
        return 0 if all(sound) else 1
    if arguments.command == "measure":
        go_suite.measure(arguments.nodes, arguments.unsolved)
        return 0
    MAKE[arguments.game](arguments.number, arguments.seed)
    return 0


sys.exit(main())
