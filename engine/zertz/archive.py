"""Records of the public archive of ZÈRTZ games, translated into records as `engine.sgf` writes them.

The archive logs what the players did on the screen: marbles put on the board, moved and taken back, rings
removed and put back, until ``Done`` ends the turn. What such gestures come to is told in docs/zertz.md.
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

SETUPS = {"zertz": 37, "zertz+11": 48, "zertz+24": 61}  # what SU says, and the rings of the board
BUILT = "zertz+xx"
HANDED_ON = ("GN", "DT", "EV", "RO", "PC", "US", "SO", "AN", "CP", "GC")  # from the root, as they are
# Names of a player's properties; those of nobody, P-1, are taken for P0's, as the archive's own viewer does.
PLAYER = re.compile("P(?:-1|([01]))")
ENTRY = re.compile(r"(?:([0-9]{1,9})\s+)?(\S+)\s*(.*)", re.DOTALL)  # number, word, the rest

POOL = "2"  # 0 and 1 are the captures of the players
_RING, _DIGIT = r"([A-Za-z]\s+[0-9]{1,3})", "([012])"
GESTURES = {  # words, and what follows them
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
    """Return the record in `nodes`, the first one its root, as nodes that `engine.sgf` reads as its own.

    Left out are turns that follow the end of the game, and a last turn that was not finished. A turn that the
    rules refuse is kept: who replays the record is told.

    Raises
    ------
    NotationError
        When the board is none of this game's, or a gesture is unknown or makes no sense; names the move. When
        a marble comes from a place that has none to give; names the turn.
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
    """Return the game that SU names: its board; marbles and claims are the same everywhere in the archive."""
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
    """Return what the record says of players, place and date, and the comments before the first turn.

    `letters` are those of the players, by their number in the archive.
    """
    names = {f"P{letter}": log.about(player, "id") for player, letter in letters.items()}
    ranks = {f"{letter}R": log.about(player, "ranking") for player, letter in letters.items()}
    header = {name: [value] for name, value in {**names, **ranks}.items() if value}
    header |= {name: root[name] for name in HANDED_ON if any(root.get(name, []))}
    return {**header, "C": log.preface} if log.preface else header


# -------------------------------------------------------------------------------------------------- gestures


@dataclass
class PendingTurn:
    """What the gestures of a turn come to so far.

    Attributes
    ----------
    marble, ring, source : str
        The letter of the marble put on the board, where, and whence: `POOL` or a player; empty without one.
    removed : str
        The ring removed.
    path : list of str
        The rings of a marble that jumps, from the one where it began.
    passes : bool
        Whether the player passes.
    lifted : bool
        Whether the marble has been picked up from the board again.
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
        """Whether nothing was done, or all of it taken back."""
        return self == PendingTurn()

    def text(self) -> str:
        """Return the turn; empty when it is none, as a ring without a marble."""
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
        """Move the marble that was put on the board in this turn, or else jump, or jump back."""
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
        """Pick a marble up: one of this turn to put it elsewhere, any other one to jump with it."""
        self.lifted = ring == self.ring

    def take_back(self, ring: str) -> None:
        """Take the marble back that was put on the board in this turn."""
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
        """Put the ring back that was removed in this turn."""
        if self.removed != ring:
            raise _BadGesture(f"only a ring of this turn to be put back, got {ring}")
        self.removed = ""


class _BadGesture(Exception):
    """What was expected of a gesture, and what came."""


@dataclass
class Turn:
    """A turn on record.

    Attributes
    ----------
    player : int
        Its number in the archive, 0 or 1.
    text : str
    source : str
        Where the marble came from, as in `PendingTurn`.
    done : bool
        Whether something shows that the player had finished.
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
    """What the entries of a record come to, read one after the other.

    Attributes
    ----------
    turns : list of Turn
    preface : list of str
        Comments before the first turn.
    beginner : int
        The player who was said to begin.
    resigned : int or None
        The player who has resigned.
    drawn, overtime : bool
        Whether a draw was agreed, and whether a win on time was claimed.
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
        self._hand = PendingTurn()
        self._comments: list[str] = []  # on the turn in hand
        self._undone = 0  # how many turns are said to be taken back
        self._arranging = self._arranged = False

    def about(self, player: int, what: str) -> str:
        """Return what a player's properties say outside the game: ``id``, ``ranking``; empty without it."""
        return self._about[player].get(what, "")

    def read(self, node: Node) -> None:
        """Read all entries of a node."""
        for name, values in node.items():
            if match := PLAYER.fullmatch(name):
                for value in values:
                    self._entry(int(match[1] or 0), value.strip())
        self._comment(node.get("C", []))

    def _comment(self, comments: list[str]) -> None:
        if not self._hand.empty:
            self._comments += comments
        elif self.turns:
            self.turns[-1].comments += comments
        else:
            self.preface += comments

    def _entry(self, player: int, text: str) -> None:
        """Read what stands in a property of `player`."""
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
        """Take a gesture on the board into the turn in hand."""
        if self._arranging:
            self._arranged = True
            return
        if player != self._player:
            self._finish()  # records of 2005 do without Done
        self._player = player
        self._take_turns_back()
        self.resigned = None  # who plays on has thought better of it
        values = [argument if argument.isdigit() else self._ring(argument, where) for argument in arguments]
        hand = self._hand
        try:
            match word, values:
                case "rtob", [source, colour, ring]:
                    hand.put(source, colour, ring)
                case "btob", [source, target]:
                    hand.move(source, target)
                case "btor", [ring]:
                    hand.take_back(ring)
                case "pickb", [ring]:
                    hand.lift(ring)
                case "r-", [ring]:
                    hand.remove(ring)
                case "r+", [ring]:
                    hand.restore(ring)
                case "rtor", [source, target] if source != target:
                    raise _BadGesture("marbles to be moved within a pool, got one moved to another")
                case "pass", _:
                    hand.passes = True
        except _BadGesture as refusal:
            raise NotationError(f"record: {where}: expected {refusal}") from None

    def _ring(self, text: str, where: str) -> str:
        """Return the name of the ring ``D 7``: columns and rows of the archive are those of this house."""
        column, row = text.split()
        name = f"{column.lower()}{int(row)}"
        if name not in self._rings:
            *_, last = self._rings
            raise NotationError(
                f"record: {where}: expected a ring of the board, A 1 to {last}, got {quoted(text)}"
            )
        return name

    def _control(self, player: int, word: str, rest: str, where: str) -> None:
        """Take an entry that is about the course of the game."""
        if word == "edit":
            self._arranging, self._arranged = True, not self._hand.empty
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
        elif not self._hand.empty:  # undo or reset
            self._hand = PendingTurn()
        elif word != "reset":
            self._undone += 1

    def _finish(self, done: bool = True) -> None:
        """Make what is in hand a turn, if there is anything in it."""
        text = self._hand.text()
        if text:
            self.turns.append(Turn(self._player, text, self._hand.source, done, self._comments))
            self._comments = []
        elif done and self._hand.removed:
            expected = f"expected a marble besides the ring {self._hand.removed}"
            raise NotationError(f"record: turn {len(self.turns) + 1}: {expected}, got none")
        self._hand = PendingTurn()

    def _take_turns_back(self) -> None:
        """Drop the turns that were taken back: as many as are said to be, or one fewer.

        Which, is told by who plays now: turns alternate.
        """
        if self._undone and self.turns:
            again = self._player == self.turns[-1].player
            back = self._undone if self._undone % 2 == again else self._undone - 1
            del self.turns[max(0, len(self.turns) - back) :]
        self._undone = 0

    def end(self) -> None:
        """Take the end of the record into account: a turn in hand may be finished."""
        self._finish(done=False)
        self._comment(self._comments)


# --------------------------------------------------------------------------------------------------- results


def _replayed(spec: GameSpec, turns: Sequence[Turn], first: int) -> tuple[Position, Sequence[Turn]]:
    """Return the last position that `turns` lead to, and the turns without those that do not count.

    These are turns after the end, and a last one that was not finished. Where a turn is illegal the position
    is the one before it.
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
    """Refuse turn `number` (from 1) if its marble does not come from where it must [Z-6].

    Turns have no place for this: they would be played as if it did.
    """
    expected = POOL if position.state.pool.any() else str(turn.player)
    if turn.source not in ("", expected):
        places = {POOL: "the pool", "0": "the captures of P0", "1": "the captures of P1"}
        wanted, given = places[expected], places[turn.source]
        raise NotationError(f"record: turn {number}: expected a marble from {wanted}, got one from {given}")


def _begins_a_turn(position: Position, text: str) -> bool:
    """Return whether there are legal turns that begin with `text`, in which captures have no colours."""
    legal = map(position.format, position.turn_actions())
    return any(re.sub("(?<=[0-9])[WGB]", "", turn).startswith(text) for turn in legal)


def _result(said: str, letters: dict[int, str], log: Log, position: Position) -> str:
    """Return the result as SGF writes it; what the record says in words if it tells no more; or nothing.

    Parameters
    ----------
    said : str
        Such as ``Game won by NAME``, in any language.
    letters : dict of int to str
        Of the players, by their number in the archive.
    log : Log
    position : Position
        The last one.
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
    """Return the index of the only name that stands in `text` as a word; None when there is none, or two."""
    found = [
        index
        for index, name in enumerate(names)
        if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    ]
    return found[0] if len(found) == 1 else None
