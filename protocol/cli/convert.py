"""Convert a game record between SGF and the formats of other programs, named by their suffixes.

.sgf   SGF, of every game
.psq   Piskvork, of five in a row
.txt   turns in one string, such as h8i9g7 (columns with the letter i), of five in a row
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.errors import OptionError, TengenError, quoted
from tengen.protocol.common.arguments import require_parent_dir

if TYPE_CHECKING:
    from tengen.engine.sgf import Record

SUFFIXES = (".sgf", ".psq", ".txt")
DEFAULT_GAME = "gomoku"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tengen convert``."""
    parser.epilog = "examples:\n  tengen convert game.psq game.sgf --game gomoku:renju"
    parser.add_argument("source", metavar="IN", type=Path, help="the record to read")
    parser.add_argument("target", metavar="OUT", type=Path, help="the record to write")
    parser.add_argument(
        "--game",
        metavar="SPEC",
        default=DEFAULT_GAME,
        help=f"what was played, for formats that do not say it (default: {DEFAULT_GAME})",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read one record and write the other."""
    for path in (arguments.source, arguments.target):
        if path.suffix.lower() not in SUFFIXES:
            expected = f"expected a file ending in {', '.join(SUFFIXES)}"
            raise OptionError(f"convert: {expected}, got {quoted(str(path), limit=200)}")
    require_parent_dir(arguments.target, "OUT")
    text = _write(_read(arguments.source, arguments.game), arguments.target.suffix.lower())
    arguments.target.write_text(text, "utf-8")
    return 0


def _read(path: Path, game: str) -> Record:
    """Return the record in the file at `path`."""
    from tengen.engine import sgf
    from tengen.engine.formats import psq, renju
    from tengen.engine.game import GameSpec

    suffix = path.suffix.lower()
    if suffix == ".sgf":
        return sgf.read_file(path, variations=True)
    spec = GameSpec.parse(game)
    if not spec.game.five_in_a_row:
        raise OptionError(f"--game: expected five in a row for {suffix}, got {quoted(game)}")
    data = path.read_bytes()[: sgf.MAX_BYTES].decode("utf-8", "replace")
    try:
        return psq.read(data, spec) if suffix == ".psq" else renju.read(data, spec)
    except TengenError as error:
        error.args = (f"{quoted(str(path), limit=200)}: {error}",)
        raise


def _write(record: Record, suffix: str) -> str:
    """Return the text of `record` in the format of `suffix`."""
    from tengen.engine import sgf
    from tengen.engine.formats import psq, renju

    writers = {".sgf": sgf.write, ".psq": psq.write, ".txt": renju.write}
    return writers[suffix](record)
