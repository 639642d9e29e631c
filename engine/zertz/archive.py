"""Translating records of the public archive of ZÈRTZ games into the form of `engine.sgf`.

The archive logs what the players did on the screen: marbles put on the board, moved and taken back, rings
removed and put back, until ``Done`` ends the turn. docs/zertz.md explains the meaning of these gestures.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tengen.engine.errors import NotationError, TengenError, quoted
from tengen.engine.game import GameSpec, Outcome
from tengen.engine.position import Position
from tengen.engine.zertz.state import COLOURS, NAMES, RINGS

Node = dict[str, list[str]]  # the values of its properties, by name

SETUPS = {"zertz": 37, "zertz+11": 48, "zertz+24": 61}  # values of SU, and the rings of the board
BUILT = "zertz+xx"
COPIED = ("GN", "DT", "EV", "RO", "PC", "US", "SO", "AN", "CP", "GC")  # from the root, unchanged
# Names of a player's properties; like the archive's viewer, take P-1 (nobody) for P0.
PLAYER = re.compile("P(?:-1|([01]))")
ENTRY = re.compile(r"(?:([0-9]{1,9})\s+)?(\S+)\s*(.*)", re.DOTALL)  # number, word, the rest

POOL = "2"  # 0 and 1 are the captures of the players
_RING, _DIGIT = r"([A-Za-z]\s+[0-9]{1,3})", "([012])"
GESTURES = {  # words, and the form of their arguments
    "rtob": rf"{_DIGIT}\s+{_DIGIT}\s+{_RING}",  # from pool or captures, colour
    "btob": rf"{_RING}\s+{_RING}",
    "btor": rf"{_RING}\s+[012]",
    "rtor": rf"{_DIGIT}\s+[012]\s+{_DIGIT}",
    "pickb": _RING,
    "r-": _RING,
    "r+": _RING,
    "pass": "",
}
WITHOUT_EFFECT = {"swap", "offerdraw", "declinedraw", "pleaseundo", "dontundo", "nullmove", "peek", "pick"}
CONTROLS = {"start", "edit", "done", "resign", "undo", "allowundo", "reset", "acceptdraw", "winontime"}


def translate(nodes: Sequence[Node]) -> list[Node]:
    """Return the record in `nodes`, the first one its root, in the form of `engine.sgf`.

    Turns after the end of the game and an unfinished last turn are dropped. An illegal turn is kept, so that
    replaying the record reports it.

    Raises
    ------
    NotationError
        When the board is unknown, or a gesture is unknown or makes no sense (names the move), or a marble
        comes from the wrong place (names the turn).
    """
    spec = _spec(nodes[0])
    log = Log(NAMES[RINGS.index(int(spec.values["rings"]))])
    for node in nodes:
        log.read(node)
    log.end()
    first = log.turns[0].player if log.turns else log.beginner
    letters = {player: spec.game.letters[player ^ first].upper() for player in (0, 1)}
    position, turns = _replayed(spec, log.turns, first)
    root = {"TG": [str(spec)], **_header(nodes[0], log, letters)}
    if result := _result(" ".join(nodes[0].get("RE", [])), letters, log, position):
        root["RE"] = [result]
    return [root, *(turn.node(letters) for turn in turns)]


def _spec(root: Node) -> GameSpec:
    """Return the game that SU names; only the board varies in the archive."""
    setup = " ".join(root.get("SU", [])).strip()
    if setup.lower() in SETUPS:
        return GameSpec.parse(f"zertz:tournament,isolation=auto,rings={SETUPS[setup.lower()]}")
    if setup.lower() == BUILT:
        boards = ", ".join(map(str, RINGS))
        reason = "a board that the players have built ring by ring"
        raise NotationError(f"record: expected a board of {boards} rings, got SU[{setup}], {reason}")
    expected = ", ".join(f"SU[{name.capitalize()}]" for name in SETUPS)
    raise NotationError(f"record: expected {expected}, got {quoted(setup)}")


def _header(root: Node, log: Log, letters: dict[int, str]) -> Node:
    """Return the properties for players, place and date, and the comments before the first turn.

    `letters` are the letters of the players, by their number in the archive.
    """
    names = {f"P{letter}": log.about(player, "id") for player, letter in letters.items()}
    ranks = {f"{letter}R": log.about(player, "ranking") for player, letter in letters.items()}
    header = {name: [value] for name, value in {**names, **ranks}.items() if value}
    header |= {name: root[name] for name in COPIED if any(root.get(name, []))}
    return {**header, "C": log.preface} if log.preface else header


# -------------------------------------------------------------------------------------------------- gestures


@dataclass
class PendingTurn:
    """The turn that results from the gestures so far.

    Attributes
    ----------
    marble, ring, source : str
        The letter of the marble placed, its ring, and its source (`POOL` or a player); empty without one.
    removed : str
        The ring removed.
    path : list of str
        The rings of a jumping marble, from its first one.
    passes : bool
        Whether the player passes.
    lifted : bool
        Whether the placed marble was picked up again.
    """

    marble: str = ""
    ring: str = ""
    source: str = ""
    removed: str = ""
    path: list[str] = field(default_factory=list)
    passes: bool = False
    lifted: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing was done, or everything was taken back."""
        return self == PendingTurn()

    def text(self) -> str:
        """Return the text of the turn; empty if it is not a turn, as a ring without a marble."""
        if self.path:
            return "x" + "".join(self.path)
        if self.passes:
            return "pass"
        placed = self.marble + self.ring
        return f"{placed},{self.removed}" if placed and self.removed else placed

    def put(self, source: str, colour: str, ring: str) -> None:
        """Put a marble on the board."""
        if self.path or (self.ring and not self.lifted):
            raise _BadGesture(f"one marble put on the board in a turn, got another one on {ring}")
        self.marble, self.ring, self.source, self.lifted = COLOURS[int(colour)], ring, source, False

    def move(self, source: str, target: str) -> None:
        """Move the marble placed in this turn; otherwise jump, or jump back."""
        if source == target:
            return
        if self.ring == source:
            self.ring = target
        elif self.ring or self.removed:
            raise _BadGesture(f"a placement or a capture, got both with the marble on {source}")
        elif not self.path:
            self.path = [source, target]
        elif self.path[-1] != source:
            raise _BadGesture(
                f"one marble to jump in a turn, on from {self.path[-1]}, got the one on {source}"
            )
        elif self.path[-2] == target:
            self.path.pop()
            if len(self.path) == 1:
                self.path.clear()
        else:
            self.path.append(target)

    def lift(self, ring: str) -> None:
        """Pick up a marble: the one of this turn to place it elsewhere, any other one to jump."""
        self.lifted = ring == self.ring

    def take_back(self, ring: str) -> None:
        """Take back the marble placed in this turn."""
        if self.ring != ring:
            raise _BadGesture(f"only a marble of this turn to be taken back, got the one on {ring}")
        self.marble = self.ring = self.source = ""
        self.lifted = False

    def remove(self, ring: str) -> None:
        """Remove a ring."""
        if self.removed or self.path:
            raise _BadGesture(f"one ring removed in a turn of placing, got {ring} as well")
        self.removed = ring

    def restore(self, ring: str) -> None:
        """Put back the ring removed in this turn."""
        if self.removed != ring:
            raise _BadGesture(f"only a ring of this turn to be put back, got {ring}")
        self.removed = ""


class _BadGesture(Exception):
    """What was expected of a gesture, and what came instead."""


@dataclass
class Turn:
    """A turn of the record.

    Attributes
    ----------
    player : int
        Its number in the archive, 0 or 1.
    text : str
    source : str
        The source of the marble, as in `PendingTurn`.
    done : bool
        Whether the record shows that the player finished the turn.
    comments : list of str
    """

    player: int
    text: str
    source: str = ""
    done: bool = True
    comments: list[str] = field(default_factory=list)

    def node(self, letters: dict[int, str]) -> Node:
        """Return this turn as a node; `letters` are the properties of the players' turns."""
        return {letters[self.player]: [self.text], **({"C": self.comments} if self.comments else {})}


class Log:
    """The state of a record while its entries are read one by one.

    Attributes
    ----------
    turns : list of Turn
    preface : list of str
        Comments before the first turn.
    beginner : int
        The player who begins according to the record.
    resigned : int or None
        The player who has resigned.
    drawn, overtime : bool
        Whether a draw was agreed; whether a win on time was claimed.
    """

    def __init__(self, rings: Collection[str]) -> None:
        self.turns: list[Turn] = []
        self.preface: list[str] = []
        self.beginner = 0
        self.resigned: int | None = None
        self.drawn = self.overtime = False
        self._rings = rings
        self._about: list[dict[str, str]] = [{}, {}]
        self._player = 0
        self._pending = PendingTurn()
        self._comments: list[str] = []  # on the turn in hand
        self._undone = 0  # number of undo requests
        self._arranging = self._arranged = False

    def about(self, player: int, what: str) -> str:
        """Return a property of a player (``id``, ``ranking``); empty without it."""
        return self._about[player].get(what, "")

    def read(self, node: Node) -> None:
        """Read all entries of a node."""
        for name, values in node.items():
            if match := PLAYER.fullmatch(name):
                for value in values:
                    self._entry(int(match[1] or 0), value.strip())
        self._comment(node.get("C", []))

    def _comment(self, comments: list[str]) -> None:
        if not self._pending.empty:
            self._comments += comments
        elif self.turns:
            self.turns[-1].comments += comments
        else:
            self.preface += comments

    def _entry(self, player: int, text: str) -> None:
        """Read an entry of `player`."""
        match = ENTRY.fullmatch(text)
        if not match:
            return
        number, word, rest = match[1], match[2].lower(), match[3]
        where = f"move {number}" if number else f"the move {quoted(text)}"
        if word in GESTURES:
            arguments = re.fullmatch(GESTURES[word], rest)
            if not arguments:
                raise NotationError(
                    f"record: {where}: expected {match[2]} as in the archive, got {quoted(text)}"
                )
            self._gesture(player, word, arguments.groups(), where)
        elif word in CONTROLS:
            self._control(player, word, rest, where)
        elif number and word not in WITHOUT_EFFECT:
            raise NotationError(f"record: {where}: expected a move such as RtoB 2 0 D 4, got {quoted(text)}")
        elif not number:
            self._about[player].setdefault(word, rest.strip('"'))

    def _gesture(self, player: int, word: str, arguments: tuple[str, ...], where: str) -> None:
        """Apply a gesture on the board to the pending turn."""
        if self._arranging:
            self._arranged = True
            return
        if player != self._player:
            self._finish()  # records of 2005 have no Done
        self._player = player
        self._take_turns_back()
        self.resigned = None  # playing on withdraws a resignation
        values = [argument if argument.isdigit() else self._ring(argument, where) for argument in arguments]
        pending = self._pending
        try:
            match word, values:
                case "rtob", [source, colour, ring]:
                    pending.put(source, colour, ring)
                case "btob", [source, target]:
                    pending.move(source, target)
                case "btor", [ring]:
                    pending.take_back(ring)
                case "pickb", [ring]:
                    pending.lift(ring)
                case "r-", [ring]:
                    pending.remove(ring)
                case "r+", [ring]:
                    pending.restore(ring)
                case "rtor", [source, target] if source != target:
                    raise _BadGesture("marbles to be moved within a pool, got one moved to another")
                case "pass", _:
                    pending.passes = True
        except _BadGesture as refusal:
            raise NotationError(f"record: {where}: expected {refusal}") from None

    def _ring(self, text: str, where: str) -> str:
        """Return the name of the ring ``D 7``; columns and rows of the archive are the same as ours."""
        column, row = text.split()
        name = f"{column.lower()}{int(row)}"
        if name not in self._rings:
            *_, last = self._rings
            raise NotationError(
                f"record: {where}: expected a ring of the board, A 1 to {last}, got {quoted(text)}"
            )
        return name

    def _control(self, player: int, word: str, rest: str, where: str) -> None:
        """Read an entry about the course of the game."""
        if word == "edit":
            self._arranging, self._arranged = True, not self._pending.empty
        elif word == "start":
            if self._arranging and self._arranged:
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
        elif not self._pending.empty:  # undo or reset
            self._pending = PendingTurn()
        elif word != "reset":
            self._undone += 1

    def _finish(self, done: bool = True) -> None:
        """Append the pending turn, unless it is empty."""
        text = self._pending.text()
        if text:
            self.turns.append(Turn(self._player, text, self._pending.source, done, self._comments))
            self._comments = []
        elif done and self._pending.removed:
            expected = f"expected a marble besides the ring {self._pending.removed}"
            raise NotationError(f"record: turn {len(self.turns) + 1}: {expected}, got none")
        self._pending = PendingTurn()

    def _take_turns_back(self) -> None:
        """Drop the turns taken back: as many as there were undo requests, or one fewer.

        As turns alternate, the player who moves now decides which.
        """
        if self._undone and self.turns:
            again = self._player == self.turns[-1].player
            back = self._undone if self._undone % 2 == again else self._undone - 1
            del self.turns[max(0, len(self.turns) - back) :]
        self._undone = 0

    def end(self) -> None:
        """Finish the record: the pending turn may be complete."""
        self._finish(done=False)
        self._comment(self._comments)


# --------------------------------------------------------------------------------------------------- results


def _replayed(spec: GameSpec, turns: Sequence[Turn], first: int) -> tuple[Position, Sequence[Turn]]:
    """Return the position after `turns`, and the turns that count.

    Turns after the end of the game and an unfinished last turn do not count. If a turn is illegal, the
    position is the one before it.
    """
    position = Position.start(spec)
    for index, turn in enumerate(turns):
        if position.outcome() != Outcome.ONGOING:
            return position, turns[:index]
        _require_source(position, turn, index + 1)
        try:
            position.play(turn.text, turn.player ^ first)
        except TengenError:
            unfinished = turn is turns[-1] and not turn.done and _begins_a_turn(position, turn.text)
            return position, turns[:index] if unfinished else turns
    return position, turns


def _require_source(position: Position, turn: Turn, number: int) -> None:
    """Raise NotationError if the marble of turn `number` (from 1) comes from the wrong place [Z-6].

    The text of a turn does not name the source, so playing it would not detect this.
    """
    expected = POOL if position.state.pool.any() else str(turn.player)
    if turn.source not in ("", expected):
        places = {POOL: "the pool", "0": "the captures of P0", "1": "the captures of P1"}
        wanted, given = places[expected], places[turn.source]
        raise NotationError(f"record: turn {number}: expected a marble from {wanted}, got one from {given}")


def _begins_a_turn(position: Position, text: str) -> bool:
    """Return whether a legal turn, without the colours of captured marbles, begins with `text`."""
    legal = map(position.format, position.turn_actions())
    return any(re.sub("(?<=[0-9])[WGB]", "", turn).startswith(text) for turn in legal)


def _result(said: str, letters: dict[int, str], log: Log, position: Position) -> str:
    """Return the result in SGF notation if it is known, else as the record says.

    Parameters
    ----------
    said : str
        The result in words, such as ``Game won by NAME``, in any language.
    letters : dict of int to str
        Letters of the players, by their number in the archive.
    log : Log
    position : Position
        The last position.
    """
    if log.drawn:
        return "0"
    winner = _named(said, [log.about(player, "id") for player in letters])
    if winner is None and log.resigned is not None:
        winner = 1 - log.resigned
    if winner is not None:
        how = "R" if log.resigned == 1 - winner else "T" if log.overtime else ""
        return f"{letters[winner]}+{how}"
    return position.result() if position.outcome() != Outcome.ONGOING else said


def _named(text: str, names: Sequence[str]) -> int | None:
    """Return the index of the only one of `names` in `text`; None if there are none or several."""
    found = [
        index
        for index, name in enumerate(names)
        if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    ]
    return found[0] if len(found) == 1 else None
