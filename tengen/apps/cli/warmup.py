"""Compile the games in advance, so that the first search need not wait.

Compiled kernels are kept in the user's cache directory ($TENGEN_CACHE_DIR names another one). Later processes
load them from there, until the engine or numba changes.
"""

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
    """Compile, and say how long it took."""
    import time

    from tengen.apps.cli.compiling import compile_games
    from tengen.engine import games, jit
    from tengen.engine.spec import GameSpec

    names = (GameSpec.parse(options.game).game.name,) if options.game else games.names()
    if not all(jit.keeps_kernels(games.find(name).kernel_package) for name in names):
        root = jit.cache_root()
        raise CommandError(f"expected a cache folder that can be written, got {root}: set TENGEN_CACHE_DIR")
    began = time.monotonic()
    compile_games(names)
    print(f"{', '.join(names)} ready in {time.monotonic() - began:.1f} s; kernels kept in {jit.cache_root()}")
    return 0
