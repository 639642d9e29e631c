"""Records of Go servers, GIB (Tygem) and NGF (WBaduk): read by the library pysgf, the extra `records`.

Both hold the turns of a game from the first one, or from fixed handicap stones, and nothing about its rules.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from typing import ClassVar

from tengen.engine import sgf
from tengen.engine.errors import NotationError
from tengen.engine.extras import missing
from tengen.engine.formats.plain import plain_line, require_go
from tengen.engine.sgf.encoding import decoded
from tengen.engine.sgf.node import PASS_BOARD, Node, format_turn
from tengen.engine.sgf.syntax import Notes

DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
OTHERWISE = 3  # handicap stones that these servers place in another corner

Points = Sequence[tuple[str, str]]  # colours, and points of SGF; a pass is empty


class Server(ABC):
    """The format of a server."""

    SUFFIX: ClassVar[str]  # of its files
    SIZES: ClassVar[Container[int]]  # of boards
    # properties of the root that it can hold, if their values match
    HELD: ClassVar[Mapping[str, re.Pattern[str]]]
    # finds a komi of 0, which the library takes for an unknown one
    NO_KOMI: ClassVar[re.Pattern[str] | None] = None

    def read(self, data: bytes) -> sgf.Record:
        """Return the record in `data`.

        Raises OptionError if the library is not installed; NotationError if it cannot read the record, or a
        turn cannot be played.
        """
        try:
            from pysgf import GoGame
        except ImportError:
            raise missing(f"record: {self.SUFFIX} needs pysgf", "records") from None
        notes = Notes()
        text = decoded(data, notes)
        try:
            root = GoGame.from_string(text, ext=self.SUFFIX[1:]).root
        except Exception as error:  # whatever foreign code makes of hostile text
            raise NotationError(f"record: pysgf cannot read it: {error}") from None
        root.set_property("GM", 1)
        root.set_property("SZ", root.get_property("SZ", PASS_BOARD))
        if self.NO_KOMI and root.get_property("KM") is None and self.NO_KOMI.search(text):
            root.set_property("KM", 0)
        record = sgf.parse(root.sgf())
        record.notes[:0] = notes
        return record

    def holds(self, node: Node, name: str) -> bool:
        """Return whether the format can hold a property of a node."""
        pattern = None if node.parent else self.HELD.get(name)
        return pattern is not None and pattern.fullmatch(" ".join(node.properties.get(name, ()))) is not None

    def write(self, record: sgf.Record) -> str:
        """Return the main line of `record`.

        Raises NotationError if the format has no place for the board, the komi, the handicap or a pass.
        """
        require_go(record)
        values = record.spec.values
        size, handicap, komi = int(values["size"]), int(values["handicap"]), float(values["komi"])
        if size not in self.SIZES:
            board = f"a board of {PASS_BOARD} points a side"
            raise NotationError(f"record: expected {board} for {self.SUFFIX}, got {size}")
        if handicap == OTHERWISE or len(record.properties.get("AB", ())) == OTHERWISE:
            raise NotationError(f"record: expected another handicap than {OTHERWISE} for {self.SUFFIX}")
        if komi < 0 or not self._has_komi(komi, handicap):
            raise NotationError(f"record: expected a komi that {self.SUFFIX} can hold, got {komi:g}")
        points = [(node.colour, format_turn(record.spec, node.turn or "")) for node in plain_line(record)]
        return "\n".join(self._lines(record, points, handicap, komi)) + "\n"

    def _value(self, record: sgf.Record, name: str) -> str:
        """Return a property of the root that can be held; empty without it."""
        return record.value(name) if name in record.properties and self.holds(record.root, name) else ""

    @abstractmethod
    def _has_komi(self, komi: float, handicap: int) -> bool:
        """Return whether a komi that is not below zero can be told."""

    @abstractmethod
    def _lines(self, record: sgf.Record, points: Points, handicap: int, komi: float) -> list[str]:
        """Return the lines of a record."""


class Tygem(Server):
    """GIB. Passes at the end are left out; others have no place."""

    SUFFIX = ".gib"
    SIZES: ClassVar = (PASS_BOARD,)
    HELD: ClassVar = {
        **dict.fromkeys(("PB", "PW", "BR", "WR"), re.compile(r"[^()\\\n]+")),
        "DT": DATE,
        "RE": re.compile(r"([BW])\+(R|T|Resign|Time|[0-9]{1,3}(?:\.[0-9])?)"),
    }
    NO_KOMI = re.compile(r"(?:GONGJE:|,G)0,")
    ENDS: ClassVar = {"R": (3, 4), "T": (7, 8)}  # codes of how Black has won, and White; by points: 0 and 1

    def _has_komi(self, komi: float, handicap: int) -> bool:
        return (10 * komi).is_integer()

    def _lines(self, record: sgf.Record, points: Points, handicap: int, komi: float) -> list[str]:
        turns = [point for _, point in points]
        while turns and not turns[-1]:
            turns.pop()
        if "" in turns:
            raise NotationError(f"record: expected no pass before the end for {self.SUFFIX}, got one")
        told = f",G{round(10 * komi)},"
        if found := self.HELD["RE"].fullmatch(self._value(record, "RE")):
            how, loser = found[2][0], found[1] == "W"
            margin = 0 if how in self.ENDS else round(10 * float(found[2]))
            told += f"W{self.ENDS.get(how, (0, 1))[loser]},Z{margin},"
        if date := DATE.fullmatch(self._value(record, "DT")):
            told += f"C{':'.join(date.groups())},"
        lines = ["\\HS"]
        for name, letter in (("BLACK", "B"), ("WHITE", "W")):
            player, rank = self._value(record, f"P{letter}"), self._value(record, f"{letter}R")
            lines.append(f"\\[GAME{name}NAME={player}{f' ({rank})' if rank else ''}\\]")
        lines += [f"\\[GAMETAG={told}\\]", "\\HE", "\\GS", f"INI 0 1 {handicap} &4"]
        for number, (colour, point) in enumerate(points[: len(turns)], 2):
            x, y = (ord(letter) - ord("a") for letter in point)
            lines.append(f"STO 0 {number} {'BW'.index(colour) + 1} {x} {y}")
        return [*lines, "\\GE"]


class Wbaduk(Server):
    """NGF. Without a handicap the komi ends in a half. A player without a name is ``?``."""

    SUFFIX = ".ngf"
    SIZES: ClassVar = range(PASS_BOARD + 1)
    HELD: ClassVar = {
        **dict.fromkeys(("PB", "PW"), re.compile(r"\S+")),
        "DT": DATE,
        "RE": re.compile(r"[BW]\+"),
    }

    def _has_komi(self, komi: float, handicap: int) -> bool:
        return (komi if handicap else komi + 0.5).is_integer()

    def _lines(self, record: sgf.Record, points: Points, handicap: int, komi: float) -> list[str]:
        white, black = ("".join(record.value(name).split()) or "?" for name in ("PW", "PB"))
        date = self._value(record, "DT").replace("-", "")
        winner = {"B": "Black wins", "W": "White wins"}.get(record.value("RE")[:1], "")
        size = record.spec.values["size"]
        lines = ["tengen", f"{size}", white, black, "", f"{handicap}", "0", f"{int(komi)}", date, "", winner]
        lines.append(f"{len(points)}")
        for number, (colour, point) in enumerate(points, 1):
            place = "".join(chr(ord(letter) + 1) for letter in point).upper() or "AA"
            counted = chr(ord("A") + number // 26 % 26) + chr(ord("A") + number % 26)
            lines.append(f"PM{counted}{colour}{place}{place}")
        return lines


SERVERS = {server.SUFFIX: server for server in (Tygem(), Wbaduk())}
