"""Compile the games in advance, so that the first search need not wait.

Compiled kernels are kept in the user's cache directory ($TENGEN_CACHE_DIR names another one). Later processes
load them from there, until the engine or numba changes.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from tengen.protocol.arguments import Options, option
from tengen.protocol.errors import CommandError

EXAMPLES = """examples:
  tengen warmup
  tengen warmup --game gomoku"""


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen warmup``."""

    game: str | None = option("only this game (default: all)", "SPEC")


def run(options: Arguments) -> int:
    """Compile, with a progress bar on a terminal: each core another game."""
    import os
    import time

    from tqdm import tqdm

    from tengen.engine import games, jit
    from tengen.engine.spec import GameSpec
    from tengen.tuning.workers.pool import WorkerPool

    names = (GameSpec.parse(options.game).game.name,) if options.game else games.names()
    if not all(jit.keeps_kernels(games.find(name).package) for name in names):
        root = jit.cache_root()
        raise CommandError(f"expected a cache folder that can be written, got {root}: set TENGEN_CACHE_DIR")
    began = time.monotonic()
    workers = min(len(names), os.cpu_count() or 1)
    with (
        WorkerPool(workers, prefetch=1) as pool,
        tqdm(total=len(names), unit="game", disable=not sys.stderr.isatty()) as bar,
    ):
        bar.set_description(f"compiling {', '.join(names)}")
        for name, _ in pool.run(compile_game, names):
            bar.set_description(f"{name} ready")
            bar.update()
    print(f"{', '.join(names)} ready in {time.monotonic() - began:.1f} s; kernels kept in {jit.cache_root()}")
    return 0


def compile_game(name: str) -> None:
    """Compile all of a game in this process."""
    from tengen.engine.games import find
    from tengen.search import warmup

    for step in warmup.steps(find(name), tools=True):
        warmup.run_step(find(name), step)
