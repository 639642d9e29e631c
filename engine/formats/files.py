"""Records in files; the suffix of the name tells the format."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from tengen.engine import games, sgf
from tengen.engine.errors import NotationError, OptionError, TengenError, located, quoted
from tengen.engine.formats import plain, psq, renju, renlib, ugf
from tengen.engine.formats.servers import SERVERS
from tengen.engine.game import Game
from tengen.engine.sgf.encoding import decoded
from tengen.engine.sgf.reader import completed
from tengen.engine.sgf.syntax import Notes
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import open_regular, read_bytes
from tengen.engine.storage.parsing import require_characters

SGF = ".sgf"
PISKVORK = ".psq"
LIBRARY = ".lib"
TEXT = ".txt"  # of several games, which the contents tell apart
OF_GO: dict[str, Any] = {**SERVERS, **dict.fromkeys(ugf.SUFFIXES, ugf)}
FORMATS: dict[str, Any] = {LIBRARY: renlib, PISKVORK: psq, **OF_GO}
FOREIGN = (LIBRARY, PISKVORK, TEXT, *OF_GO)
READABLE = (SGF, *FOREIGN)
TRANSCRIPT = "transcript"  # the module of games whose records may be texts of their own
DEFAULT_GAME = "gomoku"  # what formats of five in a row hold when nobody says it
MAX_LIBRARY = 64 << 20  # bytes
MAX_SERVER = 1 << 20  # bytes of a record of a Go server
BEGINNING = 4096  # bytes of a text that tell whether it is a record
NUMBER = "#"  # between the name of a file and the number of a game in it


def is_record(path: Path) -> bool:
    """Return whether the file is a record by its suffix, and a text by how its contents begin."""
    suffix = path.suffix.lower()
    if suffix != TEXT:
        return suffix in READABLE
    try:
        with open_regular(path, sgf.MAX_BYTES) as file:
            beginning = file.read(BEGINNING)
    except OSError:
        return False
    return _recognized(beginning.decode("utf-8", "replace")) is not None


def split_number(path: Path) -> tuple[Path, int | None]:
    """Return the file and the number of the game that ``FILE#3`` names; None without a number."""
    name, mark, number = str(path).rpartition(NUMBER)
    if mark and number.isdecimal() and len(number) < 9 and name and not path.exists():
        return Path(name), int(number)
    return path, None


def numbered(path: Path, number: int) -> Path:
    """Return the name of a game in a file, which `split_number` divides."""
    return path.with_name(f"{path.name}{NUMBER}{number}")


def read_all(path: Path, game: str | None = None) -> sgf.Collection:
    """Return the games in a file, which is SGF if its suffix is none of `FOREIGN`.

    The spec `game` says what was played, as far as the file does not. Texts that can only be of another game
    than five in a row are taken for it by themselves. Raises TengenError if the file makes no sense; OSError
    if it cannot be read, and is not SGF.
    """
    suffix = path.suffix.lower()
    if suffix not in FOREIGN:
        return sgf.read_all(path, game)
    with located(quoted(str(path), limit=200), besides=(OptionError,)):
        limit = MAX_LIBRARY if suffix == LIBRARY else MAX_SERVER if suffix in OF_GO else sgf.MAX_BYTES
        return parse_data(read_bytes(path, limit), suffix, game)


def parse_data(data: bytes, suffix: str, game: str | None = None) -> sgf.Collection:
    """Return the games in the contents of a file whose name ends in `suffix`; see `read_all`."""
    if suffix not in FOREIGN:
        return sgf.parse_data(data, game)
    if suffix in OF_GO:
        record = OF_GO[suffix].read(data)
        if game is not None:
            record.name_game(completed(record.spec, game))
        return sgf.Collection([record])
    spec = GameSpec.parse(game or DEFAULT_GAME)
    if suffix != TEXT and not spec.game.five_in_a_row:
        raise OptionError(f"--game: expected five in a row for {suffix}, got {quoted(str(game))}")
    notes = Notes()
    if suffix == LIBRARY:
        record = renlib.read(data, spec)
    else:
        text = decoded(data, notes)
        spec = _recognized(text[:BEGINNING]) or spec if suffix == TEXT and not game else spec
        record = (psq if suffix == PISKVORK else _text_module(spec.game)).read(text, spec)
    record.notes.extend(notes)
    if game is None and spec.game.five_in_a_row:
        record.assumption = f"the record does not say the rules: read as {record.spec} (--game names others)"
    return sgf.Collection([record])


def read_file(path: Path, game: str | None = None) -> sgf.Record:
    """Return the game in a file that its path names, the first one if it names none; see `read_all`.

    Raises TengenError if the game makes no sense, or there is none of that number; OSError if the file cannot
    be read.
    """
    file, number = split_number(path)
    listed = read_all(file, game)
    with located(quoted(str(file), limit=200), besides=(OptionError,)):
        return listed.number(number or 1)


def write(records: Sequence[sgf.Record], path: Path) -> tuple[bytes, str]:
    """Return `records` in the format of the file name `path`, and what that cannot hold, in words.

    Raises TengenError if the format is unknown, or has no place for such games or for so many.
    """
    suffix = path.suffix.lower()
    require_suffix(path, READABLE)
    if suffix == SGF:
        return sgf.write(*records).encode(), ""
    if len(records) != 1:
        raise NotationError(f"record: expected one game for {suffix}, got {len(records)} (FILE#1 names one)")
    (record,) = records
    form = FORMATS.get(suffix) or _text_module(record.spec.game)
    data: bytes | str = form.write(record)
    if isinstance(data, str):
        data = require_characters(data, "record").encode()
    lost = plain.losses(record, form)
    if not _tells_game(data, suffix, record):
        lost.insert(0, f"the rules ({record.spec})")
    return data, ", ".join(lost)


def _tells_game(data: bytes, suffix: str, record: sgf.Record) -> bool:
    """Return whether `data`, read again without a word about the game, is of the game of `record`."""
    try:
        return parse_data(data, suffix)[0].spec == record.spec
    except TengenError:
        return False  # its turns are none of the game that is assumed


def _recognized(text: str) -> GameSpec | None:
    """Return the game that `text`, perhaps cut off, is a record of; None if it is none."""
    for game in games.known():
        if game.offers(TRANSCRIPT):
            spec: GameSpec | None = game.module(TRANSCRIPT).recognize(text)
            if spec is not None:
                return spec
    return GameSpec.parse(DEFAULT_GAME) if renju.begins(text) else None


def _text_module(game: Game) -> ModuleType:
    """Return what reads and writes records of `game` as texts; raise OptionError if nothing does."""
    if game.five_in_a_row:
        return renju
    if game.offers(TRANSCRIPT):
        return game.module(TRANSCRIPT)
    able = [other.name for other in games.known() if other.five_in_a_row or other.offers(TRANSCRIPT)]
    raise OptionError(f"record: expected one of {', '.join(able)} for {TEXT}, got {game.name}")


def require_suffix(path: Path, suffixes: tuple[str, ...]) -> None:
    """Raise OptionError unless the file name ends in one of `suffixes`."""
    if path.suffix.lower() not in suffixes:
        expected = f"expected a file ending in {', '.join(suffixes)}"
        raise OptionError(f"record: {expected}, got {quoted(str(path), limit=200)}")
