"""The folder of the games that people have played, how they are kept, and how records name the players.

Games are SGF files in the folder ``games`` of the user's data folder, for which `DATA` names another one. The
person's name is `PERSON`, an engine's begins with `ENGINE_NAME`; its rank (``BR``, ``WR``) is its level.
"""

import errno
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from tengen import __version__
from tengen.engine.errors import TengenError
from tengen.engine.formats import files
from tengen.engine.game import Game
from tengen.engine.sgf import MAX_BYTES, Collection, Properties, Record
from tengen.engine.storage.files import exclusive_lock, read_bytes, replace_file, user_folder
from tengen.search.limits.limit import MAX_LEVEL

DATA = "TENGEN_DATA"
SUFFIX = ".sgf"
REVIEWED = ".analyzed.sgf"  # what a review of a game is called
REVIEW_JOURNALS = (".analyzed.jsonl", ".review.jsonl")  # of `tengen analyze`, and of the page
DATED = "%Y-%m-%d-%H%M%S"  # how the name of a game begins: when it did
SETTINGS = "TW"  # the property of the root that holds what only the page needs, as JSON
PERSON = "person"
ENGINE_NAME = "tengen"
ENGINE_PLAYER = f"{ENGINE_NAME} {__version__}"
PATIENCE = 5.0  # seconds for others to write
UNREADABLE = b""  # in place of a digest: a file that is never the one that was seen
MAX_STEM = 50  # characters of a name that are kept when a number is added


def data_folder() -> Path:
    """Return the folder of what is kept for the user, which need not exist yet."""
    if chosen := os.environ.get(DATA):
        return Path(chosen).expanduser()
    return user_folder("data")


def games_folder() -> Path:
    """Return the folder of the games, which need not exist yet."""
    return data_folder() / "games"


def paths(folder: Path) -> list[Path]:
    """Return the files of all games in `folder`, the one that was played last first; broken links last."""
    files = [path for path in folder.glob(f"*{SUFFIX}") if not path.name.endswith(REVIEWED)]
    return sorted(files, key=lambda path: (changed_at(path), path.name), reverse=True)


def changed_at(path: Path) -> int:
    """Return when a file was changed, in nanoseconds; 0 if nobody can tell: a link that leads nowhere."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def played_at(path: Path) -> str:
    """Return when a game was played last, for people; ``-`` if nobody can tell."""
    try:
        changed = changed_at(path)
        return f"{datetime.fromtimestamp(changed / 1e9):%Y-%m-%d %H:%M}" if changed else "-"
    except (OverflowError, ValueError, OSError):  # a year that no calendar has
        return "-"


def unused(path: Path) -> Path:
    """Return `path`, or one with a number if there is something of that name."""
    number, chosen = 2, path
    while os.path.lexists(chosen):
        chosen, number = path.with_stem(f"{path.stem[:MAX_STEM]}-{number}"), number + 1
    return chosen


class KeptFile:
    """The file of a game, read or new, which is written after every turn, and which others may write as well.

    Only what was read or written here is replaced. If somebody else has gone on with the game meanwhile, the
    file is left to them, and this game goes to another one beside it, from then on: nothing is lost.
    """

    def __init__(self, path: Path) -> None:
        self.path = path  # where the game is kept
        self._seen = _digest(path)

    @property
    def has_changed(self) -> bool:
        """Whether somebody else has written or removed the file."""
        return _digest(self.path) != self._seen

    def write(self, data: bytes) -> bool:
        """Keep `data`, which are on disk when this returns; nothing is written if they were before.

        Returns whether somebody else has gone on with the game, so that `path` is another one now. Raises
        OSError or TengenError when it cannot be written; all files are as they were.
        """
        digest = hashlib.sha256(data).digest()
        if digest == self._seen:
            return False
        if len(data) > MAX_BYTES:
            raise OSError(errno.EFBIG, f"expected at most {MAX_BYTES >> 20} MB, got more", str(self.path))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(self.path.parent, PATIENCE):
            found = _digest(self.path)
            theirs = found not in (None, digest) and (found != self._seen or found == UNREADABLE)
            path = unused(self.path) if theirs else self.path
            if found != digest:
                replace_file(path, data)
        late = theirs and self._seen is not None
        self.path, self._seen = path, digest
        return late


def _digest(path: Path) -> bytes | None:
    """Return what tells the contents of a file from others; None if there is none of this name."""
    try:
        return hashlib.sha256(read_bytes(path, MAX_BYTES)).digest()
    except OSError:
        return UNREADABLE if os.path.lexists(path) else None


def result_path(record: Path, suffix: str) -> Path:
    """Return where a result of the review of `record` is kept, such as `REVIEWED`.

    Files ``game.sgf`` and ``game.psq`` have their own; that of the third game of a file, ``game.sgf#3``, is
    called ``game#3``.
    """
    file, number = files.split_number(record)
    own = "" if file.suffix.lower() == SUFFIX else file.suffix
    return file.with_name(
        f"{file.stem}{files.NUMBER}{number}{own}{suffix}" if number else f"{file.stem}{own}{suffix}"
    )


def players(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the name and the rank of each side's player; empty where the record has none."""
    for letter in map(str.upper, record.spec.game.letters):
        yield record.value(f"P{letter}"), record.value(f"{letter}R")


def game_report(record: Record) -> dict[str, Any]:
    """Return what the list tells about a game."""
    names = [name for name, _ in players(record)]
    return {
        "game": str(record.spec),
        "name": record.value("GN") or record.value("EV"),
        "players": " - ".join(name or "?" for name in names) if any(names) else "",
        "turns": len(record.turns),
        "result": record.value("RE"),
        "date": record.value("DT"),
    }


def game_reports(listed: Collection) -> Iterator[dict[str, Any]]:
    """Yield the number and the report of each game of a record, or why it cannot be read."""
    for number in range(1, len(listed) + 1):
        try:
            yield {"number": number, **game_report(listed.number(number))}
        except TengenError as error:
            yield {"number": number, "error": str(error)}


def name_players(
    properties: Properties, game: Game, seats: Iterable[tuple[str, str]], result: str = ""
) -> None:
    """Write the name and the rank of each side's player, as far as it has one, and the result."""
    for letter, (name, rank) in zip(map(str.upper, game.letters), seats, strict=True):
        properties[f"P{letter}"] = [name]
        if rank:
            properties[f"{letter}R"] = [rank]
    if result:
        properties["RE"] = [result]


def rank_of(level: int) -> str:
    """Return the rank of an engine at `level`."""
    return f"level {level}"


def level_of_rank(rank: str) -> int | None:
    """Return the level that a rank names; None if it is no level."""
    level = re.fullmatch(r"level (\d{1,2})", rank)
    return int(level[1]) if level and 1 <= int(level[1]) <= MAX_LEVEL else None
