"""Compile the games in advance, so that the first search need not wait.

Compiled kernels are kept in the user's cache directory ($TENGEN_CACHE_DIR names another one). Later processes
load them from there, until the engine or numba changes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from tengen.protocol.arguments import Options, option
from tengen.protocol.errors import CommandError

EXAMPLES = """examples:
  tengen warmup
  tengen warmup --game gomoku"""
Job = tuple[str, str]  # a game, and one of its parts; all of them where none is named


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen warmup``."""

    game: str | None = option("only this game (default: all)", "SPEC")


def run(options: Arguments) -> int:
    """Compile, and say how long it took."""
    import time

    from tengen.engine import games, jit
    from tengen.engine.spec import GameSpec

    names = (GameSpec.parse(options.game).game.name,) if options.game else games.names()
    if not all(jit.keeps_kernels(games.find(name).package) for name in names):
        root = jit.cache_root()
        raise CommandError(f"expected a cache folder that can be written, got {root}: set TENGEN_CACHE_DIR")
    began = time.monotonic()
    compile_games(names)
    print(f"{', '.join(names)} ready in {time.monotonic() - began:.1f} s; kernels kept in {jit.cache_root()}")
    return 0


def compile_games(names: Sequence[str]) -> None:
    """Compile, with a progress bar on a terminal: each core another game, or another part of the only one."""
    from tqdm import tqdm

    from tengen.engine.games import find
    from tengen.engine.system import processors
    from tengen.search import warmup
    from tengen.tuning.workers.pool import WorkerPool

    jobs: list[Job] = [(name, "") for name in names]
    if len(names) == 1:
        jobs = [(names[0], part) for part in warmup.parts(find(names[0]), tools=True)]
    with (
        WorkerPool(min(len(jobs), len(processors())), prefetch=1) as pool,
        tqdm(total=len(jobs), unit="job", disable=not sys.stderr.isatty()) as bar,
    ):
        bar.set_description(f"compiling {', '.join(names)}")
        for (name, part), _ in pool.run(compile_job, jobs):
            bar.set_description(f"{' '.join(filter(None, (name, part)))} ready")
            bar.update()


def compile_job(job: Job) -> None:
    """Compile all of a game, or a part of it, in this process."""
    from tengen.engine.games import find
    from tengen.search import warmup

    name, part = job
    parts = warmup.parts(find(name), tools=True)
    warmup.run_parts(find(name), {part: parts[part]} if part else parts)
