"""Translating records of the public archive of ZÈRTZ games into the form of `engine.sgf`.

The archive logs what the players did on the screen: marbles put on the board, moved and taken back, rings
removed and put back, until ``Done`` ends the turn. docs/zertz.md explains the meaning of these gestures.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tengen.engine.errors import NotationError, quoted
from tengen.engine.play.position import Position
from tengen.engine.sgf import archive
from tengen.engine.sgf.archive import PLACE, BadGesture, Dialect, setup_of
from tengen.engine.sgf.node import Properties
from tengen.engine.sgf.syntax import Notes
from tengen.engine.spec import GameSpec
from tengen.engine.zertz.state import COLOURS, NAMES, RINGS

GAME = "zertz:tournament,isolation=auto,rings={}"
SETUPS = {name: GAME.format(rings) for name, rings in (("zertz", 37), ("zertz+11", 48), ("zertz+24", 61))}
BUILT = (
    f"a board of {', '.join(map(str, RINGS))} rings",
    "a board that the players have built ring by ring",
)

POOL = "2"  # 0 and 1 are the captures of the players
_DIGIT = "([012])"
FORMS = {
    "rtob": rf"{_DIGIT}\s+{_DIGIT}\s+{PLACE}",  # from pool or captures, colour
    "btob": rf"{PLACE}\s+{PLACE}",
    "btor": rf"{PLACE}\s+[012]",
    "rtor": rf"{_DIGIT}\s+{_DIGIT}\s+{_DIGIT}",
    "pickb": PLACE,
    "r-": PLACE,
    "r+": PLACE,
    "pass": "",
}

HANDICAP, HANDICAP_SETUP = "zertz+h", "zertz+11"  # the handicap game, and the board if none is chosen
HANDICAP_FORMS = {**FORMS, "setboard": r"(\S+)"}


def translate(nodes: Sequence[Properties], notes: Notes) -> list[Properties]:
    """Return the record in `nodes`, the first one its root, in the form of `engine.sgf`.

    Raise NotationError, with the move or turn, when the board is unknown, when a gesture is unknown or makes
    no sense, or when a marble comes from the wrong place.
    """
    if nodes[0].get("SU", [""])[0].strip().lower().split(" ")[0] == HANDICAP:
        spec = GameSpec.parse(SETUPS[HANDICAP_SETUP])
        arranged = Dialect(PendingTurn, HANDICAP_FORMS, NAMES[-1], "ring", "RtoB 2 0 D 4", _arrange)
        return archive.translate(nodes, spec, arranged, notes)
    spec = setup_of(nodes[0], SETUPS, {"zertz+xx": BUILT})
    rings = NAMES[RINGS.index(int(spec.values["rings"]))]
    return archive.translate(nodes, spec, Dialect(PendingTurn, FORMS, rings, "ring", "RtoB 2 0 D 4"), notes)


def _arrange(spec: GameSpec, gestures: list[archive.Arranged], first: int) -> tuple[GameSpec, str]:
    """Return the board that was chosen for a handicap game, and the position with the marbles given.

    Raise NotationError when anything else was arranged.
    """
    given: list[list[int]] = [[0] * len(COLOURS), [0] * len(COLOURS)]
    for word, values in gestures:
        match word, values:
            case "setboard", [name]:
                spec = setup_of({"SU": [name]}, SETUPS)
            case "rtor", [source, colour, target] if source != target:
                for rack, number in ((source, -1), (target, 1)):
                    if rack != POOL:
                        given[int(rack) ^ first][int(colour)] += number
            case (("rtor" | "pick" | "pickb"), _):
                pass
            case _:
                expected = "expected marbles given to a player before the start"
                raise NotationError(f"record: {expected}, got {quoted(' '.join([word, *values]))}")
    board, pool, *_, side = Position(spec).text().split()
    left = [
        int(each) - sum(taken) for each, taken in zip(pool.split(","), zip(*given, strict=True), strict=True)
    ]
    counts = [",".join(map(str, each)) for each in (left, *given)]
    return spec, Position(spec, " ".join([board, *counts, side])).text()


@dataclass
class PendingTurn:
    """The turn that results from the gestures so far, see `archive.Gestures`."""

    marble: str = ""  # the letter of the one placed; empty, as is what follows, without one
    ring: str = ""  # where it lies
    source: str = ""  # `POOL` or a player
    removed: str = ""  # the ring removed
    path: list[str] = field(default_factory=list)  # the rings of a jumping marble, from its first one
    passes: bool = False  # whether the player passes
    lifted: bool = False  # whether the placed marble was picked up again

    def add(self, word: str, values: Sequence[str]) -> None:
        """Add a gesture."""
        match word, values:
            case "rtob", [source, colour, ring]:
                if self.path or (self.ring and not self.lifted):
                    raise BadGesture(f"one marble put on the board in a turn, got another one on {ring}")
                self.marble, self.ring, self.source, self.lifted = COLOURS[int(colour)], ring, source, False
            case "btob", [source, target]:
                self._move(source, target)
            case "btor", [ring]:
                if self.ring != ring:
                    raise BadGesture(f"only a marble of this turn to be taken back, got the one on {ring}")
                self.marble = self.ring = self.source = ""
                self.lifted = False
            case "pickb", [ring]:
                self.lifted = ring == self.ring  # to be placed elsewhere; any other one jumps
            case "r-", [ring]:
                if self.removed or self.path:
                    raise BadGesture(f"one ring removed in a turn of placing, got {ring} as well")
                self.removed = ring
            case "r+", [ring]:
                if self.removed != ring:
                    raise BadGesture(f"only a ring of this turn to be put back, got {ring}")
                self.removed = ""
            case "rtor", [source, _, target] if source != target:
                raise BadGesture("marbles to be moved within a pool, got one moved to another")
            case "pass", _:
                self.passes = True

    def is_turn(self) -> bool:
        """Return whether the gestures come to a turn; a ring without a marble does not."""
        if not self._text() and self.removed:
            raise BadGesture(f"a marble besides the ring {self.removed}, got none")
        return bool(self._text())

    def text(self, position: Position, player: int) -> str:
        """Return the text of the turn; the marble must come from the right place [Z-6]."""
        expected = POOL if position.state.pool.any() else str(player)
        if self.source not in ("", expected):
            places = {POOL: "the pool", "0": "the captures of P0", "1": "the captures of P1"}
            raise BadGesture(f"a marble from {places[expected]}, got one from {places[self.source]}")
        return self._text()

    def begins_a_turn(self, position: Position) -> bool:
        """Return whether a legal turn, without the colours of captured marbles, begins so."""
        legal = map(position.format, position.turn_actions())
        return any(re.sub("(?<=[0-9])[WGB]", "", turn).startswith(self._text()) for turn in legal)

    def _text(self) -> str:
        if self.path:
            return "x" + "".join(self.path)
        if self.passes:
            return "pass"
        placed = self.marble + self.ring
        return f"{placed},{self.removed}" if placed and self.removed else placed

    def _move(self, source: str, target: str) -> None:
        """Move the marble placed in this turn; otherwise jump, or jump back."""
        if source == target:
            return
        if self.ring == source:
            self.ring = target
        elif self.ring or self.removed:
            raise BadGesture(f"a placement or a capture, got both with the marble on {source}")
        elif not self.path:
            self.path = [source, target]
        elif self.path[-1] != source:
            raise BadGesture(
                f"one marble to jump in a turn, on from {self.path[-1]}, got the one on {source}"
            )
        elif self.path[-2] == target:
            self.path.pop()
            if len(self.path) == 1:
                self.path.clear()
        else:
            self.path.append(target)
