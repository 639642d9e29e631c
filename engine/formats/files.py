"""Records in files; the suffix of the name tells the format."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from tengen.engine import game as games
from tengen.engine import sgf
from tengen.engine.errors import OptionError, located, quoted
from tengen.engine.formats import psq, pysgf, renju, renlib, ugf
from tengen.engine.game import Game, GameSpec
from tengen.engine.storage.files import open_regular, read_bytes
from tengen.engine.storage.parsing import require_characters

SGF = ".sgf"
PISKVORK = ".psq"
LIBRARY = ".lib"
TEXT = ".txt"  # of several games, which the contents tell apart
SERVERS = (*pysgf.SUFFIXES, *ugf.SUFFIXES)  # of Go servers
FOREIGN = (LIBRARY, PISKVORK, TEXT, *SERVERS)
READABLE = (SGF, *FOREIGN)
WRITABLE = (SGF, LIBRARY, PISKVORK, TEXT)
TRANSCRIPT = "transcript"  # the module of games whose records may be texts of their own
DEFAULT_GAME = "gomoku"  # what formats of five in a row hold when nobody says it
MAX_LIBRARY = 64 << 20  # bytes
MAX_SERVER = 1 << 20  # bytes of a record of a Go server
BEGINNING = 4096  # bytes of a text that tell whether it is a record


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


def read_file(path: Path, game: str | None = None, variations: bool = True) -> sgf.Record:
    """Return the record in a file, which is SGF if its suffix is none of `FOREIGN`.

    Parameters
    ----------
    path : Path
    game : str, optional
        A game spec: what was played, for formats that do not say it. Texts that can only be of another game
        than five in a row are taken for it by themselves.
    variations : bool
        Whether those of SGF are read.

    Raises
    ------
    TengenError
        If the record cannot be read.
    OSError
        If the file cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix not in FOREIGN:
        return sgf.read_file(path, variations=variations)
    with located(quoted(str(path), limit=200), besides=(OptionError,)):
        if suffix in SERVERS:
            data = read_bytes(path, MAX_SERVER)
            return pysgf.read(data, suffix) if suffix in pysgf.SUFFIXES else ugf.read(data)
        spec = GameSpec.parse(game or DEFAULT_GAME)
        if suffix != TEXT and not spec.game.five_in_a_row:
            raise OptionError(f"--game: expected five in a row for {suffix}, got {quoted(str(game))}")
        if suffix == LIBRARY:
            return renlib.read(read_bytes(path, MAX_LIBRARY), spec)
        text = read_bytes(path, sgf.MAX_BYTES).decode("utf-8", "replace")
        if suffix == PISKVORK:
            return psq.read(text, spec)
        spec = spec if game else _recognized(text[:BEGINNING]) or spec
        record: sgf.Record = _text_module(spec.game).read(text, spec)
        return record


def write(record: sgf.Record, path: Path) -> bytes:
    """Return `record` in the format of the file name `path`.

    Raises
    ------
    TengenError
        If the format is unknown, or cannot hold the record.
    """
    suffix = path.suffix.lower()
    require_suffix(path, WRITABLE)
    if suffix == LIBRARY:
        return renlib.write(record)
    if suffix == TEXT:
        text: str = _text_module(record.spec.game).write(record)
    else:
        text = sgf.write(record) if suffix == SGF else psq.write(record)
    return require_characters(text, "record").encode()


def _recognized(text: str) -> GameSpec | None:
    """Return the game that `text`, perhaps cut off, is a record of; None if it is none."""
    for game in games.known():
        if game.offers(TRANSCRIPT):
            spec: GameSpec | None = game.module(TRANSCRIPT).recognize(text)
            if spec is not None:
                return spec
    return GameSpec.parse(DEFAULT_GAME) if renju.begins(text) else None


def _text_module(game: Game) -> ModuleType:
    """Return what reads and writes records of `game` as texts.

    Raises
    ------
    OptionError
        If nothing does.
    """
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
