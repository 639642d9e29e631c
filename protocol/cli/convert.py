"""Convert a game record between SGF and the formats of other programs, named by their suffixes.

.sgf   SGF, of every game
.lib   a library of RenLib, of five in a row on 15 by 15 points, with variations and comments
.psq   Piskvork, of five in a row
.txt   turns in one string, such as h8i9g7 (columns with the letter i), of five in a row; a transcript of
       Little Golem or CodeCup, of DVONN; the notation of gipf.com, of GIPF. The contents tell which it is
.gib   Tygem, of Go; only as IN, needs the extra `records`
.ngf   WBaduk, of Go; only as IN, needs the extra `records`
.ugf   PandaNet, of Go, also named .ugi; only as IN
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tengen.engine.storage.files import replace_file
from tengen.protocol.common.options.arguments import require_parent_dir


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tengen convert``."""
    parser.epilog = "examples:\n  tengen convert game.psq game.sgf --game gomoku:renju"
    parser.add_argument("source", metavar="IN", type=Path, help="the record to read")
    parser.add_argument("target", metavar="OUT", type=Path, help="the record to write")
    parser.add_argument(
        "--game",
        metavar="SPEC",
        help="what was played, for formats that do not say it (default: as the contents tell, else gomoku)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read one record and write the other."""
    from tengen.engine.formats import files

    files.require_suffix(arguments.source, files.READABLE)
    require_parent_dir(arguments.target, "OUT")
    data = files.write(files.read_file(arguments.source, arguments.game), arguments.target)
    replace_file(arguments.target, data)
    return 0
