"""Matches on disk: an SQLite file with every finished game, safe even if the playing process is killed.

A file holds one match or tournament, identified by the settings that decide which games are played (see
`tuning.match.settings`). The same settings resume it, others are refused. The versions of the players are
stored among the settings once they have played.
"""

from __future__ import annotations

import contextlib
import math
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tengen.engine import sgf
from tengen.engine.errors import TengenError, file_errors
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import replace_file, require_replaceable
from tengen.search.info import Score
from tengen.tuning.openings import Opening, opening_text, parse_opening, start_and_turns
from tengen.tuning.players.base import FORFEITS, EndReason
from tengen.tuning.version import settings_diff

MAGIC = b"SQLite format 3\0"  # that databases begin with
APPLICATION = 0x54474D31  # "TGM1" in the file's header
SCHEMA = """
CREATE TABLE match (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE game (
    number INTEGER PRIMARY KEY,  -- from 0; games 2k and 2k+1 are a pair
    first_side INTEGER NOT NULL, -- the side of the pairing's first player: 0 or 1
    opening TEXT NOT NULL,       -- turns, separated by blanks; perhaps a position and "; " before them
    turns TEXT NOT NULL,         -- turns after the opening
    seconds TEXT NOT NULL,       -- one number for each of the turns
    outcome INTEGER NOT NULL,    -- tengen.engine.game.Outcome
    result TEXT NOT NULL,        -- as GTP and SGF write it
    reason TEXT NOT NULL,        -- tengen.tuning.players.base.EndReason
    detail TEXT NOT NULL,        -- explains the reason; empty if the board shows it
    reports TEXT NOT NULL DEFAULT '', -- SCORE/DEPTH for each of the turns, - for what is unknown
    sides TEXT NOT NULL DEFAULT ''    -- who played each of the turns: 0, 1, or - for the referee
);
"""
ADDED = ("reports", "sides")  # columns that older files lack
NOTHING = "-"  # a score or a depth that a player did not report
VERSION = " version"  # appended to a player's key among the settings: the version that has played
SETTINGS = ("name", "value")
REFEREE = "-"  # in `sides`
IN_MEMORY = Path(":memory:")


class RecordError(TengenError):
    """A file that is not a match, or is another match."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game of a match: a row of the table `game` (`SCHEMA`)."""

    number: int  # games 2k and 2k + 1 are a pair: the same opening, sides swapped
    first_side: int
    opening: Opening
    turns: tuple[str, ...]  # after the opening
    seconds: tuple[float, ...]  # of each turn: processor time if the match counts that, else wall-clock time
    outcome: Outcome
    result: str  # ``B+5``, ``W+R``, ``W+T``, ``W+F``, ``0``
    reason: EndReason
    detail: str = ""
    reports: tuple[str, ...] = ()  # of each turn, as `SearchReport` writes it; ``-/-`` for nothing
    sides: str = ""  # who played each turn: the side, or `REFEREE`; empty in games of older versions

    def seconds_of(self, player: int) -> list[float]:
        """Return the times of the turns of the pairing's first (0) or second (1) player, where known."""
        side = str(player ^ self.first_side)
        return [seconds for by, seconds in zip(self.sides, self.seconds, strict=False) if by == side]

    @property
    def points(self) -> int:
        """The score of the pairing's first player: 2 for a win, 1 for a draw, 0 for a loss."""
        if self.outcome == Outcome.DRAW:
            return 1
        return 2 if self.outcome - Outcome.FIRST_WINS == self.first_side else 0

    @property
    def loser(self) -> int | None:
        """Which of the pairing's players (0, 1) has forfeited the game; None if neither has."""
        if self.reason not in FORFEITS:
            return None
        return 0 if self.points == 0 else 1

    @classmethod
    def from_row(cls, row: sqlite3.Row) -> FinishedGame:
        """Return the game of a row of the table `game`."""
        return cls(*(CODECS.get(name, PLAIN)[1](row[name]) for name in FIELDS))


def _seconds(text: str) -> float:
    """Return the seconds of a turn; raise ValueError if they are none."""
    seconds = float(text)
    if not 0 <= seconds < math.inf:
        raise ValueError(f"{seconds} seconds")
    return seconds


FIELDS = tuple(field.name for field in fields(FinishedGame))  # as the columns of the table are called
PLAIN: tuple[Callable[[Any], Any], ...] = (lambda value: value, lambda value: value)
CODECS: dict[str, tuple[Callable[[Any], Any], ...]] = {  # how other fields are written and read
    "opening": (opening_text, parse_opening),
    "turns": (" ".join, lambda text: tuple(str.split(text))),
    "seconds": (
        lambda seconds: " ".join(f"{second:.6f}" for second in seconds),
        lambda text: tuple(map(_seconds, text.split())),
    ),
    "outcome": (int, Outcome),
    "reason": (str, EndReason),
    "reports": (" ".join, lambda text: tuple(text.split())),
}


class Store:
    """The file of one match, which `settings` identify, locked by this process and created if necessary.

    Raises RecordError if the file holds something else, is damaged or in use; FileError if it cannot be read
    or created.
    """

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        with file_errors(str(path)):
            require_replaceable(path)
            if path != IN_MEMORY:
                with path.open("a+b") as file:  # SQLite does not say why it cannot, and overwrites a byte
                    file.seek(0)
                    if file.read(len(MAGIC)) not in (b"", MAGIC):
                        raise RecordError(f"{path}: expected a match database, got another file")
        with self._explained():
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=1.0)
            self._connection.row_factory = sqlite3.Row
            self._prepare()
        known = {name: value for name, value in self.settings().items() if not name.endswith(VERSION)}
        if known:  # those of the match, apart from versions, must be the same
            self._compare(known, settings)
        self.set_or_check(settings)

    def _prepare(self) -> None:
        """Lock the file and check that it is a match; create the tables in a new one."""
        self._run("PRAGMA locking_mode = EXCLUSIVE")
        tables = self._run("SELECT count(*) FROM sqlite_master")[0][0]
        if tables and self._run("PRAGMA application_id")[0][0] != APPLICATION:
            raise RecordError(f"{self.path}: expected a match, got a database of something else")
        self._run("PRAGMA journal_mode = WAL")
        self._run("PRAGMA synchronous = FULL")
        with self._transaction():  # takes the lock, which is kept until the file is closed
            if not tables:
                self._run(f"PRAGMA application_id = {APPLICATION}")
                for statement in SCHEMA.strip().split(";\n"):
                    self._run(statement)
            else:
                there = {row["name"] for row in self._run("PRAGMA table_info(game)")}
                for name in (name for name in ADDED if name not in there):
                    self._run(f"ALTER TABLE game ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")
        faults = self._run("PRAGMA quick_check(1)")[0][0]
        if faults != "ok":
            raise RecordError(f"{self.path}: the database is damaged ({faults})")
        for table, expected in (("match", SETTINGS), ("game", FIELDS)):
            found = [row["name"] for row in self._run(f"PRAGMA table_info({table})")]
            if {*found} != {*expected}:
                wanted = f"expected a table {table} with {', '.join(expected)}"
                raise RecordError(f"{self.path}: {wanted}, got {', '.join(found) or 'none'}")

    def set_or_check(self, settings: Mapping[str, str]) -> None:
        """Store the `settings` that the match does not have yet, and compare the others.

        Raises RecordError if one differs from the one the match began with; nothing is changed then.
        """
        known = {name: value for name, value in self.settings().items() if name in settings}
        self._compare(known, {name: settings[name] for name in known})
        with self._explained(), self._transaction():
            for name in settings.keys() - known.keys():
                self._run("INSERT INTO match VALUES (?, ?)", (name, settings[name]))

    def _compare(self, known: Mapping[str, str], settings: Mapping[str, str]) -> None:
        """Raise RecordError and close the file if `settings` are not those of the match."""
        if changed := settings_diff(known, settings):
            self.close()
            raise RecordError(f"{self.path}: expected the same match, got another: {changed}")

    def settings(self) -> dict[str, str]:
        """Return all settings of the match, versions of players included."""
        with self._explained():
            return {row["name"]: row["value"] for row in self._run("SELECT * FROM match")}

    def games(self) -> list[FinishedGame]:
        """Return the finished games by number."""
        with self._explained():
            return [FinishedGame.from_row(row) for row in self._run("SELECT * FROM game ORDER BY number")]

    def add(self, game: FinishedGame) -> None:
        """Store a finished game; it is on disk when this returns."""
        places = ", ".join("?" * len(FIELDS))
        row = tuple(CODECS.get(name, PLAIN)[0](getattr(game, name)) for name in FIELDS)
        with self._explained(), self._transaction():
            self._run(f"INSERT INTO game ({', '.join(FIELDS)}) VALUES ({places})", row)  # noqa: S608 - our own names

    def close(self) -> None:
        """Close the file."""
        if self._connection:
            self._connection.close()
        self._connection = None

    def _run(self, statement: str, values: tuple[object, ...] = ()) -> list[sqlite3.Row]:
        """Execute one statement and return its rows."""
        assert self._connection
        return self._connection.execute(statement, values).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit the statements of the block together, or none of them."""
        self._run("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._run("ROLLBACK")
            raise
        self._run("COMMIT")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of SQLite into a RecordError of one line."""
        try:
            yield
        except RecordError:
            self.close()
            raise
        except sqlite3.Error as error:
            self.close()
            reason = "in use by another process" if "locked" in str(error) else error
            raise RecordError(f"{self.path}: expected a match database, got: {reason}") from None
        except (ValueError, AttributeError, TypeError) as error:  # a row that we did not write
            self.close()
            raise RecordError(f"{self.path}: expected a match, got a strange game ({error})") from None


def write_sgf(folder: Path, spec: GameSpec, names: tuple[str, str], game: FinishedGame) -> None:
    """Write a finished game as an SGF file into `folder`, which is created if necessary. The write is atomic.

    `names` are those of the pairing's first and second player.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{game.number + 1:05d}.sgf"
    replace_file(path, sgf.write(record_of(spec, names, game)).encode())


def record_of(spec: GameSpec, names: tuple[str, str], game: FinishedGame) -> sgf.Record:
    """Return the SGF record of a finished game; for the parameters see `write_sgf`."""
    start, played = start_and_turns(game.opening)
    position = Position(spec, start)
    turns = []
    for turn in played + game.turns:
        side = position.side_to_move
        turns.append((side, position.push(turn)))
    by_side = names if game.first_side == 0 else names[::-1]
    players = {f"P{letter.upper()}": [name] for letter, name in zip(spec.game.letters, by_side, strict=True)}
    ending = {"C": [f"{game.reason}: {game.detail}"]} if game.detail else {}
    properties = {**players, "RO": [str(game.number + 1)], "RE": [game.result], **ending}
    record = sgf.Record(spec, start, turns, properties)
    for number, node in enumerate(record.line[1 + len(played) : 1 + len(played) + len(game.seconds)]):
        node.comment = _comment(game, number)
    return record


def _comment(game: FinishedGame, index: int) -> str:
    """Return the time of a turn that was played, and the score and depth that the player reported."""
    parts = [f"{game.seconds[index]:.3f} s"]
    if index < len(game.reports):
        score, _, depth = game.reports[index].partition("/")
        parts += [f"score {Score(int(score))}"] if score != NOTHING else []
        parts += [f"depth {depth}"] if depth != NOTHING else []
    return ", ".join(parts)
