"""Matches on disk: an SQLite file that has every finished game, whatever happens to the process that plays.

A file holds one match or tournament. It is recognised by the settings that decide what is played: the same
settings resume it, others are refused. They also name who has played a game (`tuning.match.settings`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tengen.engine import sgf
from tengen.engine.challenge import begin
from tengen.engine.errors import TengenError
from tengen.engine.files import replace_file
from tengen.engine.game import GameSpec, Outcome
from tengen.tuning.players.base import FORFEITS, EndReason

APPLICATION = 0x54474D31  # "TGM1" in the file's header
SCHEMA = """
CREATE TABLE match (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE game (
    number INTEGER PRIMARY KEY,  -- from 0; games 2k and 2k+1 are a pair
    first_side INTEGER NOT NULL, -- the side of the pairing's first player: 0 or 1
    opening TEXT NOT NULL,       -- turns, separated by blanks
    turns TEXT NOT NULL,         -- turns after the opening
    seconds TEXT NOT NULL,       -- wall clock, one number for each of the turns
    outcome INTEGER NOT NULL,    -- tengen.engine.game.Outcome
    result TEXT NOT NULL,        -- as GTP and SGF write it
    reason TEXT NOT NULL,        -- tengen.tuning.players.base.Reason
    detail TEXT NOT NULL         -- what happened, in words; empty when the rules decided
);
"""
VERSION = " version"  # behind the name of a player's seat: what it has turned out to be, among the settings
UNSET = "none"  # in place of the value of a setting that a match does not have
FIELDS = ("number", "first_side", "opening", "turns", "seconds", "outcome", "result", "reason", "detail")


class RecordError(TengenError):
    """A file that holds no match, or another one, or cannot be written."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game of a match.

    Attributes
    ----------
    number : int
        From 0; games 2k and 2k + 1 are a pair: one opening, sides swapped.
    first_side : int
        The side (0, 1) of the pairing's first player.
    opening, turns : tuple of str
        Turns that were given, and those that were played.
    seconds : tuple of float
        Wall clock of each of `turns`.
    outcome : Outcome
    result : str
        As GTP and SGF write it: ``B+5``, ``W+R``, ``W+T``, ``W+F``, ``0``.
    reason : Reason
    detail : str
        What happened, in words; empty when the rules decided.
    """

    number: int
    first_side: int
    opening: tuple[str, ...]
    turns: tuple[str, ...]
    seconds: tuple[float, ...]
    outcome: Outcome
    result: str
    reason: EndReason
    detail: str = ""

    @property
    def points(self) -> int:
        """What the pairing's first player made of it: 2 for a win, 1 for a draw."""
        if self.outcome == Outcome.DRAW:
            return 1
        return 2 if self.outcome - Outcome.FIRST_WINS == self.first_side else 0

    @property
    def loser(self) -> int | None:
        """Which of the pairing's players (0, 1) has forfeited the game; None when nobody has."""
        if self.reason not in FORFEITS:
            return None
        return 0 if self.points == 0 else 1

    def as_row(self) -> tuple[object, ...]:
        """Return the game as the table `game` has it."""
        return (
            self.number,
            self.first_side,
            " ".join(self.opening),
            " ".join(self.turns),
            " ".join(f"{seconds:.6f}" for seconds in self.seconds),
            int(self.outcome),
            self.result,
            str(self.reason),
            self.detail,
        )

    @classmethod
    def from_row(cls, row: sqlite3.Row) -> FinishedGame:
        """Return the game of a row of the table `game`."""
        return cls(
            row["number"],
            row["first_side"],
            tuple(row["opening"].split()),
            tuple(row["turns"].split()),
            tuple(map(float, row["seconds"].split())),
            Outcome(row["outcome"]),
            row["result"],
            EndReason(row["reason"]),
            row["detail"],
        )


class Store:
    """The file of one match, opened for this process alone.

    Parameters
    ----------
    path : Path
        Made if it does not exist.
    settings : mapping of str to str
        What identifies the match.

    Raises
    ------
    RecordError
        When the file holds something else, is damaged, in use, or cannot be read or made.
    """

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        with self._explained():
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=1.0)
            self._connection.row_factory = sqlite3.Row
            self._prepare()
            self._identify(settings)

    def _prepare(self) -> None:
        """Lock the file and make sure that it is a match."""
        self._run("PRAGMA locking_mode = EXCLUSIVE")
        tables = self._run("SELECT count(*) FROM sqlite_master")[0][0]
        if tables and self._run("PRAGMA application_id")[0][0] != APPLICATION:
            raise RecordError(f"{self.path}: expected a match, got a database of something else")
        self._run("PRAGMA journal_mode = WAL")
        self._run("PRAGMA synchronous = FULL")
        with self._transaction():  # takes the lock that is kept
            if not tables:
                self._run(f"PRAGMA application_id = {APPLICATION}")
                for statement in SCHEMA.strip().split(";\n"):
                    self._run(statement)
        faults = self._run("PRAGMA quick_check")[0][0]
        if faults != "ok":
            raise RecordError(f"{self.path}: the database is damaged ({faults})")

    def _identify(self, settings: Mapping[str, str]) -> None:
        """Make sure that a match that has been begun has these settings and, versions apart, no others."""
        known = {name: value for name, value in self.settings().items() if not name.endswith(VERSION)}
        if known:
            self._compare(known, settings)
        self.set_or_check(settings)

    def set_or_check(self, settings: Mapping[str, str]) -> None:
        """Note `settings` that the match does not have yet, and compare the others.

        Raises
        ------
        RecordError
            When one differs from what the match was begun with; nothing is changed.
        """
        known = {name: value for name, value in self.settings().items() if name in settings}
        self._compare(known, {name: settings[name] for name in known})
        with self._explained(), self._transaction():
            for name in settings.keys() - known.keys():
                self._run("INSERT INTO match VALUES (?, ?)", (name, settings[name]))

    def _compare(self, known: Mapping[str, str], settings: Mapping[str, str]) -> None:
        """Raise RecordError, and let go of the file, when `settings` are not those that the match has."""
        if changed := settings_diff(known, settings):
            self.close()
            raise RecordError(f"{self.path}: expected the same match, got another: {changed}")

    def settings(self) -> dict[str, str]:
        """Return all that the match is known by, versions of players included."""
        with self._explained():
            return {row["name"]: row["value"] for row in self._run("SELECT * FROM match")}

    def games(self) -> list[FinishedGame]:
        """Return the finished games by number."""
        with self._explained():
            return [FinishedGame.from_row(row) for row in self._run("SELECT * FROM game ORDER BY number")]

    def add(self, game: FinishedGame) -> None:
        """Keep a finished game: it is on disk when this returns."""
        places = ", ".join("?" * len(FIELDS))
        with self._explained(), self._transaction():
            self._run(f"INSERT INTO game ({', '.join(FIELDS)}) VALUES ({places})", game.as_row())

    def close(self) -> None:
        """Let go of the file."""
        if self._connection:
            self._connection.close()
        self._connection = None

    def _run(self, statement: str, values: tuple[object, ...] = ()) -> list[sqlite3.Row]:
        """Execute one statement and return its rows."""
        assert self._connection
        return self._connection.execute(statement, values).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Make what is done inside happen as a whole, or not at all."""
        self._run("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._run("ROLLBACK")
            raise
        self._run("COMMIT")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite complains of into one line."""
        try:
            yield
        except RecordError:
            self.close()
            raise
        except sqlite3.Error as error:
            self.close()
            raise RecordError(f"{self.path}: expected a match database, got: {_reason(error)}") from None
        except ValueError as error:  # a row that no match writes
            self.close()
            raise RecordError(f"{self.path}: expected a match, got a strange game ({error})") from None


def _reason(error: sqlite3.Error) -> str:
    """Return SQLite's message, in words where it is known for being obscure."""
    message = str(error)
    if "locked" in message:
        return "in use by another process"
    return message


def settings_diff(known: Mapping[str, str], settings: Mapping[str, str]) -> str:
    """Return in words what differs between the `known` settings and these; empty when nothing does."""
    return "; ".join(
        f"{name} is {known.get(name, UNSET)} there, {settings.get(name, UNSET)} here"
        for name in {**known, **settings}
        if known.get(name) != settings.get(name)
    )


def fingerprint(settings: Mapping[str, str]) -> str:
    """Return eight hexadecimal digits that stand for `settings`."""
    return hashlib.sha256(json.dumps(dict(settings), sort_keys=True).encode()).hexdigest()[:8]


def write_sgf(folder: Path, spec: GameSpec, names: tuple[str, str], game: FinishedGame) -> None:
    """Write a finished game into `folder`, which is made if need be; the file is there whole or not at all.

    Parameters
    ----------
    folder : Path
    spec : GameSpec
        What was played.
    names : tuple of str
        Of the match's first and second player.
    game : FinishedGame
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{game.number + 1:05d}.sgf"
    replace_file(path, sgf.write(record_of(spec, names, game)).encode())


def record_of(spec: GameSpec, names: tuple[str, str], game: FinishedGame) -> sgf.Record:
    """Return the SGF record of a finished game; arguments as `write_sgf` has them."""
    position = begin(spec)
    turns = []
    for turn in game.opening + game.turns:
        turns.append((position.side_to_move, turn))
        position.play(turn)
    seated = names if game.first_side == 0 else names[::-1]
    players = {f"P{letter.upper()}": [name] for letter, name in zip(spec.game.letters, seated, strict=True)}
    ending = {"C": [f"{game.reason}: {game.detail}"]} if game.detail else {}
    return sgf.Record(
        spec,
        turns=turns,
        properties={**players, "RO": [str(game.number + 1)], "RE": [game.result], **ending},
        comments={i: f"{seconds:.3f} s" for i, seconds in enumerate(game.seconds, len(game.opening))},
    )
