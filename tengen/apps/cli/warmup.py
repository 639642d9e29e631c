"""Compile the games in advance, so that the first search need not wait.

Compiled kernels are kept in the user's cache directory ($TENGEN_CACHE_DIR names another one). Later processes
load them from there, until the engine or numba changes.
"""

from __future__ import annotations

import argparse
import sys

from tengen.protocol.errors import CommandError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen warmup``."""
    parser.epilog = "examples:\n  tengen warmup\n  tengen warmup --game gomoku"
    parser.add_argument("--game", metavar="SPEC", help="only this game (default: all)")


def run(arguments: argparse.Namespace) -> int:
    """Compile, with a progress bar on a terminal."""
    import time

    from tqdm import tqdm

    from tengen.engine import game as games

    names = (games.GameSpec.parse(arguments.game).game.name,) if arguments.game else games.names()
    from tengen.engine import jit
    from tengen.search import warmup

    if not all(jit.keeps_kernels(games.find(name).package) for name in names):
        root = jit.cache_root()
        raise CommandError(f"expected a cache folder that can be written, got {root}: set TENGEN_CACHE_DIR")
    began = time.monotonic()
    steps = [
        (games.find(name), *step) for name in names for step in warmup.steps(games.find(name), tools=True)
    ]
    with tqdm(total=len(steps), unit="step", disable=not sys.stderr.isatty()) as bar:
        for game, label, step in steps:
            bar.set_description(f"compiling {label}")
            warmup.run_step(game, step)
            bar.update()
    print(f"{', '.join(names)} ready in {time.monotonic() - began:.1f} s; kernels kept in {jit.cache_root()}")
    return 0
