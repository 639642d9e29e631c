"""Convert game records between SGF and the formats of other programs, named by their suffixes.

.sgf   SGF, of every game
.lib   a library of RenLib, of five in a row on 15 by 15 points, with variations and comments
.psq   Piskvork, of five in a row
.txt   turns in one string, such as h8i9g7 (columns with the letter i), of five in a row; a transcript of
       Little Golem or CodeCup, of DVONN; the notation of gipf.com, of GIPF. The contents tell which it is
.gib   Tygem, of Go; as IN it needs the extra `records`
.ngf   WBaduk, of Go; as IN it needs the extra `records`
.ugf   PandaNet, of Go, also named .ugi, with comments

A file may hold several games; IN#3 is the third. All go into one file of SGF. Other formats hold one game a
file: OUT is then a folder. Of a folder all records are converted, into the folder OUT.

What had to be guessed, and what the format of OUT cannot hold, is named on standard error; --strict refuses
both.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.errors import NotationError, OptionError, TengenError, located, quoted
from tengen.engine.storage.files import replace_file
from tengen.protocol.arguments import (
    add_record_arguments,
    numbered,
    require_parent_dir,
    tell_notes,
)
from tengen.protocol.output import print_notice

if TYPE_CHECKING:
    from tengen.engine.sgf import Record

EXAMPLES = """examples:
  tengen convert game.psq game.sgf --game gomoku:renju
  tengen convert problems.sgf#12 problem.sgf
  tengen convert games/ converted/ --to .sgf"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tengen convert``."""
    parser.epilog = EXAMPLES
    parser.add_argument("source", metavar="IN", type=Path, help="the record to read, or a folder of them")
    parser.add_argument("target", metavar="OUT", type=Path, help="the record to write, or a folder")
    parser.add_argument(
        "--game",
        metavar="SPEC",
        help="what was played, as far as the record does not say it (default: as it tells, else gomoku)",
    )
    parser.add_argument("--to", metavar="SUFFIX", default=".sgf", help="format in a folder (default .sgf)")
    add_record_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read the records and write them; return 2 if one in a folder could not be converted."""
    from tengen.engine.formats import files

    source: Path = arguments.source
    if source.is_dir():
        return _convert_folder(arguments)
    arguments.record = source
    file, number = files.split_number(numbered(arguments))
    files.require_suffix(file, files.READABLE)
    into_folder = arguments.target.is_dir()
    files.require_suffix(Path(f"x{arguments.to}") if into_folder else arguments.target, files.READABLE)
    if into_folder:
        _write_into(arguments.target, file, _read(file, number, arguments), arguments)
    else:
        require_parent_dir(arguments.target, "OUT")
        _write(arguments.target, file, _read(file, number, arguments), arguments.strict)
    return 0


def _convert_folder(arguments: argparse.Namespace) -> int:
    """Convert all records in a folder and below."""
    from tengen.apps.review.batch import record_files

    source, target = arguments.source, arguments.target
    if target.exists() and not target.is_dir():
        raise OptionError(f"OUT: expected a folder, as IN is one, got {quoted(str(target), 200)}")
    failed = 0
    for file in record_files([source]):
        place = target / file.relative_to(source).parent
        try:
            records = _read(file, None, arguments)
            place.mkdir(parents=True, exist_ok=True)
            _write_into(place, file, records, arguments)
        except (TengenError, OSError) as error:
            failed += 1
            print_notice(str(error) if str(file) in str(error) else f"{file}: {error}")
    return 2 if failed else 0


def _read(file: Path, number: int | None, arguments: argparse.Namespace) -> list[Record]:
    """Return the games of a file, or only one of them, and say what was guessed."""
    from tengen.engine.formats import files

    listed = files.read_all(file, arguments.game)
    with located(quoted(str(file), limit=200), besides=(OptionError,)):
        records = list(listed) if number is None else [listed.number(number)]
    tell_notes(file, records, arguments.strict)
    return records


def _write_into(folder: Path, file: Path, records: Sequence[Record], arguments: argparse.Namespace) -> None:
    """Write the games of a file into a folder, under its name."""
    from tengen.engine.formats import files

    parts = [records] if arguments.to.lower() == files.SGF else [[record] for record in records]
    for number, part in enumerate(parts, 1):
        name = f"{file.stem}-{number}" if len(parts) > 1 else file.stem
        _write(_unlike(folder / f"{name}{arguments.to}", file), file, part, arguments.strict)


def _unlike(target: Path, file: Path) -> Path:
    """Return `target`, with the suffix of `file` before its own where both suffixes differ and it exists."""
    if target.exists() and target.suffix.lower() != file.suffix.lower():
        return target.with_name(f"{target.stem}{file.suffix}{target.suffix}")
    return target


def _write(target: Path, file: Path, records: Sequence[Record], strict: bool) -> None:
    """Write games to a file, and say what its format cannot hold."""
    from tengen.engine.formats import files

    data, lost = files.write(records, target)
    if lost and strict:
        raise NotationError(f"{quoted(str(file), 200)}: {target.suffix} cannot hold {lost}")
    if lost:
        print_notice(f"{file}: {target.suffix} cannot hold {lost}")
    replace_file(target, data)
