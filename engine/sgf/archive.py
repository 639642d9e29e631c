"""Records of the public archive of Boardspace in the form of `engine.sgf`, for any game.

The archive logs what the players did on the screen, one gesture after the other: pieces picked up, put down
and taken back, until ``Done`` ends the turn. Here stands what all games have in common: who acts, turns taken
back, comments, results. What the gestures of a turn come to is the game's `Gestures`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from tengen.engine.errors import NotationError, TengenError, quoted
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.sgf.node import Properties
from tengen.engine.sgf.record import head
from tengen.engine.sgf.syntax import Notes
from tengen.engine.spec import GameSpec

# Properties of a root that are part of the dialect, or written anew
OF_THE_DIALECT = set(re.findall("[A-Z]+", "GM VV SU CM TC FF CA AP SZ PW PB WR BR RE"))
# Names of a player's properties; like the archive's viewer, take P-1 (nobody) for P0.
PLAYER = re.compile("P(?:-1|([01]))")
ENTRY = re.compile(r"(?:([0-9]{1,9})\s+)?(\S+)\s*(.*)", re.DOTALL)  # number, word, the rest
PLACE = r"([A-Za-z]\s+[0-9]{1,3})"  # in the form of a gesture: column and row
RACK = r"[a-z]{2}(?:\s+[0-9]{1,3})?"  # in the form of a gesture: a player's, and what lies there
Arranged = tuple[str, list[str]]  # word and values of a gesture before the start
WITHOUT_EFFECT = {"swap", "offerdraw", "declinedraw", "pleaseundo", "dontundo", "nullmove", "peek", "pick"}
CONTROLS = {"start", "edit", "done", "resign", "undo", "allowundo", "reset", "acceptdraw", "winontime"}


class BadGesture(Exception):
    """What was expected of a gesture, and what came instead."""


class Gestures(Protocol):
    """What a player has done so far in a turn; equal to others that come to the same."""

    def add(self, word: str, values: Sequence[str]) -> None:
        """Add the gesture `word`, in lower case; raise BadGesture if it makes no sense.

        `values` are the groups of its form; places are names such as ``d7``, other groups as they are.
        """

    def is_turn(self) -> bool:
        """Return whether the gestures come to a turn; raise BadGesture if only a part is missing."""

    def text(self, position: Position, player: int) -> str:
        """Return the text of the turn of `player` (0 or 1, as in the archive) in `position`.

        Raises BadGesture if the gestures cannot have been made there, though the text would not show it.
        """

    def begins_a_turn(self, position: Position) -> bool:
        """Return whether these gestures, which are no legal turn, are the beginning of one."""


@dataclass(frozen=True)
class Dialect:
    """How the archive logs a game."""

    begin: Callable[[], Gestures]  # returns `Gestures` without any
    # words in lower case, and patterns of their arguments; groups may be places, see `PLACE`
    forms: Mapping[str, str]
    places: Collection[str]  # names of all places, the last one the greatest
    place: str  # what a place is called
    example: str  # of a gesture
    # only for games that begin with a handicap: returns the spec and the text of the position to which
    # gestures before the start come; the last argument is the player who begins
    arrange: Callable[[GameSpec, list[Arranged], int], tuple[GameSpec, str]] | None = None


def translate(
    nodes: Sequence[Properties], spec: GameSpec, dialect: Dialect, notes: Notes
) -> list[Properties]:
    """Return the record in `nodes`, the first one its root, in the form of `engine.sgf`: a node a turn.

    A turn has the other properties of the nodes in which it was played, a root those that are not of the
    dialect. Turns after the end of the game and an unfinished last turn are left out, which is noted. The
    first illegal turn is kept, so that replaying the record reports it. Raises NotationError when a gesture
    is unknown or makes no sense; names the move, or the turn.
    """
    log = Log(dialect)
    for node in nodes:
        log.read(node, node is nodes[0])
    log.end()
    first = log.turns[0].player if log.turns else log.beginner
    letters = {player: spec.game.letters[player ^ first].upper() for player in (0, 1)}
    start = None
    if dialect.arrange and log.arranged:
        spec, start = dialect.arrange(spec, log.arranged, first)
    position, turns = _replayed(Position(spec, start), log.turns, first)
    if left := len(log.turns) - len(turns):
        notes.add("turns after the end, or unfinished, are left out", f"{left:,} after turn {len(turns):,}")
    root = {**head(spec), **({"TP": [start]} if start else {}), **_header(nodes[0], log, letters)}
    for turn in log.turns[len(turns) :]:
        for name, values in turn.notes.items():
            (turns[-1].notes if turns else root).setdefault(name, []).extend(values)
    if result := _result(" ".join(nodes[0].get("RE", [])), letters, log, position):
        root["RE"] = [result]
    return [root, *(turn.node(letters) for turn in turns)]


def setup_of(
    root: Properties, setups: Mapping[str, str], refused: Mapping[str, tuple[str, str]] = MappingProxyType({})
) -> GameSpec:
    """Return the game that SU, a property of the `root`, names.

    Both mappings are by the first word of SU, in lower case: `setups` has game specs, `refused` what is
    expected in place of others, and what these are. Raises NotationError if SU names no game of `setups`.
    """
    text = " ".join(root.get("SU", [])).strip()
    name = text.lower().split(" ")[0]
    if name in setups:
        return GameSpec.parse(setups[name])
    if name in refused:
        expected, reason = refused[name]
        raise NotationError(f"record: expected {expected}, got SU[{text}], {reason}")
    expected = ", ".join(f"SU[{each.capitalize()}]" for each in setups)
    raise NotationError(f"record: expected {expected}, got {quoted(text)}")


def _header(root: Properties, log: Log, letters: dict[int, str]) -> Properties:
    """Return the properties for players, place and date, and all others before the first turn.

    `letters` are the letters of the players, by their number in the archive.
    """
    names = {f"P{letter}": log.about[player].get("id") for player, letter in letters.items()}
    ranks = {f"{letter}R": log.about[player].get("ranking") for player, letter in letters.items()}
    header = {name: [value] for name, value in {**names, **ranks}.items() if value}
    return header | {name: values for name, values in log.preface.items() if name not in OF_THE_DIALECT}


# -------------------------------------------------------------------------------------------------- the log


@dataclass
class Turn:
    """A turn of the record."""

    player: int  # its number in the archive, 0 or 1
    gestures: Gestures
    done: bool = True  # whether the record shows that the player finished the turn
    notes: Properties = field(default_factory=dict)  # the other properties of its nodes
    text: str = ""  # empty until it is played

    def node(self, letters: dict[int, str]) -> Properties:
        """Return this turn as a node; `letters` are the properties of the players' turns."""
        joined = {"C": ["\n".join(self.notes["C"])]} if "C" in self.notes else {}
        return {letters[self.player]: [self.text], **self.notes, **joined}


class Log:
    """The state of a record while its entries are read one by one."""

    def __init__(self, dialect: Dialect) -> None:
        self.turns: list[Turn] = []
        self.preface: Properties = {}  # other properties before the first turn
        self.beginner = 0  # the player who begins according to the record
        self.resigned: int | None = None  # the player who has resigned
        self.drawn = self.overtime = False  # whether a draw was agreed; whether a win on time was claimed
        self._dialect = dialect
        self.about: list[dict[str, str]] = [{}, {}]  # of each player: ``id``, ``ranking``
        self._player = 0
        self._pending = dialect.begin()
        self._notes: Properties = {}  # on the turn in hand
        self._undone = 0  # number of undo requests
        self.arranged: list[Arranged] = []  # before the start
        self._arranging = dialect.arrange is not None

    def read(self, node: Properties, is_root: bool) -> None:
        """Read all entries of a node."""
        for name, values in node.items():
            if match := PLAYER.fullmatch(name):
                for value in values:
                    self._entry(int(match[1] or 0), value.strip())
        others = {name: node[name] for name in node if not PLAYER.fullmatch(name) and any(node[name])}
        self._note(others, is_root)

    @property
    def _acting(self) -> bool:
        """Whether something was done in this turn that was not taken back."""
        return self._pending != self._dialect.begin()

    def _note(self, notes: Properties, is_root: bool = False) -> None:
        """Keep other properties with the turn in hand, else with the last one."""
        target = self.turns[-1].notes if self.turns else self.preface
        target = self._notes if self._acting and not is_root else target
        for name, values in notes.items():
            target.setdefault(name, []).extend(values)

    def _entry(self, player: int, text: str) -> None:
        """Read an entry of `player`."""
        match = ENTRY.fullmatch(text)
        if not match:
            return
        number, word, rest = match[1], match[2].lower(), match[3]
        where = f"move {number}" if number else f"the move {quoted(text)}"
        if word in self._dialect.forms:
            arguments = re.fullmatch(self._dialect.forms[word], rest.strip(), re.IGNORECASE)
            if not arguments:
                expected = f"{match[2]} as in the archive"
                raise NotationError(f"record: {where}: expected {expected}, got {quoted(text)}")
            self._gesture(player, word, [value or "" for value in arguments.groups()], where)
        elif word in CONTROLS:
            self._control(player, word, rest, where)
        elif number and word not in WITHOUT_EFFECT:
            expected = f"a move such as {self._dialect.example}"
            raise NotationError(f"record: {where}: expected {expected}, got {quoted(text)}")
        elif not number:
            self.about[player].setdefault(word, rest.strip('"'))

    def _gesture(self, player: int, word: str, arguments: list[str], where: str) -> None:
        """Apply a gesture on the board to the pending turn."""
        values = [self._place(value, where) if re.fullmatch(PLACE, value) else value for value in arguments]
        if self._arranging:
            self.arranged.append((word, values))
            return
        if player != self._player:
            self._finish()  # records of 2005 have no Done
        self._player = player
        # As many turns are taken back as there were undo requests, or one fewer: as turns alternate, the
        # player who moves now decides which
        if self._undone and self.turns:
            again = player == self.turns[-1].player
            back = self._undone if self._undone % 2 == again else self._undone - 1
            del self.turns[max(0, len(self.turns) - back) :]
        self._undone = 0
        self.resigned = None  # playing on withdraws a resignation
        try:
            self._pending.add(word, values)
        except BadGesture as refusal:
            raise NotationError(f"record: {where}: expected {refusal}") from None

    def _place(self, text: str, where: str) -> str:
        """Return the name of the place ``D 7``; columns and rows of the archive are the same as ours."""
        column, row = text.split()
        name = f"{column.lower()}{int(row)}"
        if name not in self._dialect.places:
            *_, last = self._dialect.places
            expected = f"expected a {self._dialect.place} of the board, A 1 to {last}"
            raise NotationError(f"record: {where}: {expected}, got {quoted(text)}")
        return name

    def _control(self, player: int, word: str, rest: str, where: str) -> None:
        """Read an entry about the course of the game."""
        if word == "edit":
            self._arranging = True
            self.arranged += [(word, [])] if self._acting else []
        elif word == "start":
            if self._arranging and self.arranged and (self.turns or not self._dialect.arrange):
                expected = "expected a game played from the start"
                raise NotationError(f"record: {where}: {expected}, got a position arranged by hand")
            self._arranging = False
            if rest.strip().lower() in ("p1", "1"):
                self.beginner = 1
        elif word == "done":
            self._finish(done=self.resigned is None)
        elif word == "resign":
            self.resigned = None if self.resigned == player else player
        elif word == "acceptdraw":
            self.drawn = True
        elif word == "winontime":
            self.overtime = True
        elif self._acting:  # undo or reset
            self._pending = self._dialect.begin()
        elif word != "reset":
            self._undone += 1

    def _finish(self, done: bool = True) -> None:
        """Append the pending turn, unless it is empty."""
        try:
            if self._pending.is_turn():
                self.turns.append(Turn(self._player, self._pending, done, self._notes))
                self._notes = {}
        except BadGesture as refusal:
            if done:
                raise NotationError(f"record: turn {len(self.turns) + 1}: expected {refusal}") from None
        self._pending = self._dialect.begin()

    def end(self) -> None:
        """Finish the record: the pending turn may be complete."""
        self._finish(done=False)
        self._note(self._notes)


# --------------------------------------------------------------------------------------------------- results


def _replayed(position: Position, turns: Sequence[Turn], first: int) -> tuple[Position, Sequence[Turn]]:
    """Return the position after `turns` from `position`, and the turns that count, with their texts.

    Turns after the end of the game and an unfinished last turn do not count, nor does what follows the first
    illegal turn. If there is one, the position is the one before it.
    """
    for index, turn in enumerate(turns):
        if position.outcome() != Outcome.ONGOING:
            return position, turns[:index]
        try:
            turn.text = turn.gestures.text(position, turn.player)
        except BadGesture as refusal:
            raise NotationError(f"record: turn {index + 1}: expected {refusal}") from None
        try:
            position.push(turn.text, turn.player ^ first)
        except TengenError:
            unfinished = turn is turns[-1] and not turn.done and turn.gestures.begins_a_turn(position)
            return position, turns[:index] if unfinished else turns[: index + 1]
    return position, turns


def _result(said: str, letters: dict[int, str], log: Log, position: Position) -> str:
    """Return the result in SGF notation if it is known, else as the record has `said` in words.

    Such as ``Game won by NAME``, in any language. `letters` are those of the players, by their number.
    """
    if log.drawn:
        return "0"
    names = [re.escape(log.about[player].get("id", "")) for player in (0, 1)]
    named = [n for n in (0, 1) if names[n] and re.search(rf"(?<!\w){names[n]}(?!\w)", said)]
    winner = named[0] if len(named) == 1 else None
    if winner is None and log.resigned is not None:
        winner = 1 - log.resigned
    if winner is not None:
        how = "R" if log.resigned == 1 - winner else "T" if log.overtime else ""
        return f"{letters[winner]}+{how}"
    return position.result() if position.outcome() != Outcome.ONGOING else said
