"""Compile the games in advance, so that the first search need not wait.

Compiled kernels are kept in the user's cache directory ($TENGEN_CACHE_DIR names another one). Later processes
load them from there, until the engine or numba changes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.protocol.arguments import Options, option
from tengen.protocol.errors import CommandError

if TYPE_CHECKING:
    from tengen.engine.game import Game

EXAMPLES = """examples:
  tengen warmup
  tengen warmup --game gomoku"""


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen warmup``."""

    game: str | None = option("only this game (default: all)", "SPEC")


def run(options: Arguments) -> int:
    """Compile, with a progress bar on a terminal: each core another game."""
    import time

    from tengen.engine import games, jit
    from tengen.engine.spec import GameSpec

    names = (GameSpec.parse(options.game).game.name,) if options.game else games.names()
    if not all(jit.keeps_kernels(games.find(name).package) for name in names):
        root = jit.cache_root()
        raise CommandError(f"expected a cache folder that can be written, got {root}: set TENGEN_CACHE_DIR")
    began = time.monotonic()
    if len(names) == 1:
        _compile(games.find(names[0]))
    else:
        _compile_each(names)
    print(f"{', '.join(names)} ready in {time.monotonic() - began:.1f} s; kernels kept in {jit.cache_root()}")
    return 0


def _compile(game: Game) -> None:
    """Compile all of one game in this process."""
    from tqdm import tqdm

    from tengen.search import warmup

    steps = list(warmup.steps(game, tools=True))
    with tqdm(total=len(steps), unit="step", disable=not sys.stderr.isatty()) as bar:
        for label, step in steps:
            bar.set_description(f"compiling {label}")
            warmup.run_step(game, step)
            bar.update()


def _compile_each(names: Sequence[str]) -> None:
    """Compile the games in processes of their own, as many at a time as there are cores.

    Raises
    ------
    CommandError
        With what the first of them says that fails.
    """
    import os
    import subprocess
    from concurrent.futures import ThreadPoolExecutor, as_completed

    from tqdm import tqdm

    def compiled(name: str) -> tuple[str, subprocess.CompletedProcess[str]]:
        command = [sys.executable, "-m", "tengen", "warmup", "--game", name]
        return name, subprocess.run(command, capture_output=True, text=True, check=False)

    with (
        ThreadPoolExecutor(os.cpu_count() or 1) as pool,
        tqdm(total=len(names), unit="game", disable=not sys.stderr.isatty()) as bar,
    ):
        bar.set_description(f"compiling {', '.join(names)}")
        for done in as_completed([pool.submit(compiled, name) for name in names]):
            name, process = done.result()
            if process.returncode:
                pool.shutdown(cancel_futures=True)
                raise CommandError(process.stderr.strip().removeprefix("tengen: error: ") or f"{name} failed")
            bar.set_description(f"{name} ready")
            bar.update()
