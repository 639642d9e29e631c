"""Carry compiled kernels to other machines, where nothing has to be compiled then.

`export` compiles the games for a level of processors, all of which can use the kernels, and writes them to a
file. `import` puts them into the cache of compiled kernels. Both sides need the same version of tengen, of
Python (3.11, say) and of numba, and the same operating system. Kernels that were compiled on the machine
itself are preferred.

Kernels are machine code: import only files that come from somebody you trust.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tengen.protocol.arguments import Options, operand, option
from tengen.protocol.errors import CommandError

EXAMPLES = """examples:
  tengen kernels export kernels.zip
  tengen kernels export kernels.zip --game gomoku --level x86-64-v3
  tengen kernels import kernels.zip"""


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen kernels``."""

    what: str = operand("export or import", choices=("export", "import"), metavar="export|import")
    file: Path = operand("the file of kernels, a zip archive", "FILE", Path)
    level: str | None = option(
        "export: the processors, x86-64-v3 for one (default: this one's level)", "LEVEL"
    )
    game: str | None = option("export: only this game (default: all)", "SPEC")


def run(options: Arguments) -> int:
    """Write a file, or take one over."""
    from tengen.engine import games, jit
    from tengen.engine.jit import portable
    from tengen.engine.jit.cache import folder_name
    from tengen.engine.spec import GameSpec

    if not jit.COMPILED:
        raise CommandError("nothing is compiled with NUMBA_DISABLE_JIT=1")
    names = (GameSpec.parse(options.game).game.name,) if options.game else games.names()
    packages = sorted({games.find(name).kernel_package for name in names})
    if options.what == "export":
        return _export(options, names, packages)
    if options.level or options.game:
        raise CommandError("--level and --game belong to export")
    kernels = portable.read_kernels(options.file, packages)
    root = portable.install_kernels(kernels)
    folders = {folder.partition("/")[0] for folder in kernels.folders}
    ready = (name for name in names if folder_name(games.find(name).kernel_package) in folders)
    print(f"{', '.join(ready)} for {kernels.level.name} ready; kernels kept in {root}")
    return 0


def _export(options: Arguments, names: Sequence[str], packages: Sequence[str]) -> int:
    """Compile for a level, by default this processor's, into a cache of its own, and write the kernels."""
    import os
    import tempfile

    from tengen.apps.cli.compiling import compile_games
    from tengen.engine.errors import nearest
    from tengen.engine.jit import levels, portable
    from tengen.engine.storage.files import require_replaceable

    name, here = options.level, levels.target_here()
    level = levels.LEVELS.get(name) if name else levels.level_here()
    if level is None:
        got = f"{name!r}{nearest(name, levels.LEVELS)}" if name else "a processor below all of them"
        raise CommandError(f"--level: expected {' or '.join(levels.LEVELS)}, got {got}")
    if not here.startswith(f"{level.machine}-"):
        raise CommandError(f"--level: expected a level of {here}, got {level.name}")
    require_replaceable(options.file)  # now, as compiling takes minutes
    if not os.access(options.file.parent, os.W_OK):
        raise CommandError(f"{options.file}: expected a folder that can be written to")
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(NUMBA_CPU_NAME=level.name, NUMBA_CPU_FEATURES="", TENGEN_CACHE_DIR=folder)
        try:
            compile_games(names)  # by processes that inherit the variables
        finally:
            os.environ.clear()
            os.environ.update(before)
        portable.write_kernels(options.file, level, Path(folder), packages)
    size = options.file.stat().st_size / 1e6
    print(f"{options.file}: {', '.join(names)} for {level.name}, {size:.1f} MB")
    return 0
