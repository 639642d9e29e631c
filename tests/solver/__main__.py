"""Suites of forced wins and of endings, checked by brute force: ``python -m tests.solver confirm [GAME]...``.

``measure`` counts what the engine solves of Go's suite.
"""

import argparse
import functools
import sys

from tests.solver.suites import dvonn, fives, go, zertz

CONFIRM = {game: functools.partial(fives.confirm, game) for game in ("gomoku", "gobang")}
CONFIRM |= {"zertz": zertz.confirm, "dvonn": dvonn.confirm, "go": go.confirm}


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.solver", description=(__doc__ or "").splitlines()[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    confirming = commands.add_parser("confirm")
    confirming.add_argument("games", nargs="*", metavar="game", choices=CONFIRM, default=list(CONFIRM))
    measuring = commands.add_parser("measure")
    measuring.add_argument("--nodes", type=int, nargs="+", default=go.NODES_MEASURED, metavar="N")
    measuring.add_argument("--unsolved", action="store_true", help="draw what the last number does not solve")
    arguments = parser.parse_args()
    if arguments.command == "confirm":
        sound = [CONFIRM[game]() for game in arguments.games]
        return 0 if all(sound) else 1
    go.measure(arguments.nodes, arguments.unsolved)
    return 0


sys.exit(main())
