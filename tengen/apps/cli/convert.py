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

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.errors import NotationError, OptionError, TengenError, located, quoted
from tengen.engine.storage.files import replace_file
from tengen.protocol.arguments import operand, option, require_target
from tengen.protocol.output import print_notice
from tengen.protocol.positions import RECORD_GAME, RecordOptions, report_notes

if TYPE_CHECKING:
    from tengen.engine.sgf import Record

EXAMPLES = """examples:
  tengen convert game.psq game.sgf --game gomoku:renju
  tengen convert problems.sgf#12 problem.sgf
  tengen convert games/ converted/ --to .sgf"""


@dataclass(frozen=True, kw_only=True)
class Arguments(RecordOptions):
    """The arguments of ``tengen convert``."""

    source: Path = operand("the record to read, or a folder of them", "IN", Path)
    target: Path = operand("the record to write, or a folder", "OUT", Path)
    game: str | None = option(f"{RECORD_GAME} (default: as it tells, else gomoku)", "SPEC")
    to: str = option("format in a folder (default .sgf)", "SUFFIX", default=".sgf")


def run(options: Arguments) -> int:
    """Read the records and write them; return 2 if one in a folder could not be converted."""
    from tengen.engine.formats import files

    whole = options.source.is_dir()
    into_folder = whole or options.target.is_dir()
    files.require_suffix(Path(f"*{options.to}") if into_folder else options.target, files.READABLE)
    if whole:
        return _convert_folder(options)
    file, number = files.split_number(options.numbered(options.source))
    files.require_suffix(file, files.READABLE)
    if into_folder:
        _write_into(options.target, file, _read(file, number, options), options, set())
    else:
        require_target(options.target, "OUT", [file])
        _write(options.target, file, _read(file, number, options), options.strict)
    return 0


def _convert_folder(options: Arguments) -> int:
    """Convert all records in a folder and below."""
    from tengen.apps.review.batch import record_files

    source, target = options.source, options.target
    if target.exists() and not target.is_dir():
        raise OptionError(f"OUT: expected a folder, as IN is one, got {quoted(str(target), 200)}")
    failed, taken = 0, set[Path]()
    found = sorted(record_files([source]), key=lambda file: file.suffix.lower() != options.to.lower())
    for file in found:  # first those whose names stay
        place = target / file.relative_to(source).parent
        try:
            records = _read(file, None, options)
            place.mkdir(parents=True, exist_ok=True)
            _write_into(place, file, records, options, taken)
        except (TengenError, OSError) as error:
            failed += 1
            print_notice(str(error) if str(file) in str(error) else f"{file}: {error}")
    return 2 if failed else 0


def _read(file: Path, number: int | None, options: Arguments) -> list[Record]:
    """Return the games of a file, or only one of them, and say what was guessed."""
    from tengen.engine.formats import files

    listed = files.read_all(file, options.game)
    with located(quoted(str(file), limit=200), besides=(OptionError,)):
        records = list(listed) if number is None else [listed.number(number)]
    report_notes(file, records, options.strict)
    return records


def _write_into(
    folder: Path, file: Path, records: Sequence[Record], options: Arguments, taken: set[Path]
) -> None:
    """Write the games of a file into a folder, under its name; to no file of those `taken`, but adds some."""
    from tengen.engine.formats import files

    parts = [records] if options.to.lower() == files.SGF else [[record] for record in records]
    for number, part in enumerate(parts, 1):
        name = f"{file.stem}-{number}" if len(parts) > 1 else file.stem
        target = folder / f"{name}{options.to}"
        if target in taken or (target.exists() and target.suffix.lower() != file.suffix.lower()):
            target = target.with_name(f"{target.stem}{file.suffix}{target.suffix}")  # of another file
        taken.add(target)
        require_target(target, "OUT", [file])
        _write(target, file, part, options.strict)


def _write(target: Path, file: Path, records: Sequence[Record], strict: bool) -> None:
    """Write games to a file, and say what its format cannot hold."""
    from tengen.engine.formats import files

    data, lost = files.write(records, target)
    if lost and strict:
        raise NotationError(f"{quoted(str(file), 200)}: {target.suffix} cannot hold {lost}")
    if lost:
        print_notice(f"{file}: {target.suffix} cannot hold {lost}")
    replace_file(target, data)
