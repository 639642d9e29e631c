"""Translating Boardspace's records of DVONN into the form of `engine.sgf`; see docs/dvonn.md."""

from collections.abc import Sequence
from dataclasses import dataclass

from tengen.engine.dvonn.state import NAMES
from tengen.engine.play.position import Position
from tengen.engine.sgf import archive
from tengen.engine.sgf.archive import PLACE, RACK, BadGesture, Dialect, setup_of
from tengen.engine.sgf.node import Properties
from tengen.engine.sgf.syntax import Notes

FORMS = {
    "pick": RACK,
    "drop": RACK,
    "pickb": rf"{PLACE}(?:\s+[0-9]{{1,3}})?",
    "dropb": PLACE,
    "move": rf"{PLACE}\s+{PLACE}",
    "pass": "",
}


def translate(nodes: Sequence[Properties], notes: Notes) -> list[Properties]:
    """Return the record in `nodes`, the first one its root, in the form of `engine.sgf`.

    Raise NotationError, with the move, when SU is not Dvonn, or a gesture is unknown or makes no sense.
    """
    spec = setup_of(nodes[0], {"dvonn": "dvonn"})
    return archive.translate(nodes, spec, Dialect(PendingTurn, FORMS, NAMES, "cell", "Dropb C 3"), notes)


@dataclass
class PendingTurn:
    """The turn that results from the gestures so far, see `archive.Gestures`."""

    source: str = ""  # where a stack was picked up; empty for a piece of the rack
    target: str = ""  # where it was put down; empty before that
    held: bool = False  # whether a piece or a stack is in the hand
    passes: bool = False  # whether the player passes

    def add(self, word: str, values: Sequence[str]) -> None:
        """Add a gesture."""
        match word, values:
            case "pick", _:
                self.source, self.target, self.held = "", "", True
            case "drop", _:
                self.source, self.target, self.held = "", "", False
            case "pickb", [cell]:
                self._pick(cell)
            case "dropb", [cell]:
                self._drop(cell)
            case "move", [source, target]:
                self._pick(source)
                self._drop(target)
            case "pass", _:
                self.passes = True

    def is_turn(self) -> bool:
        """Return whether something was put down, or the player passes."""
        return self.passes or bool(self.target)

    def text(self, position: Position, player: int) -> str:
        """Return the text of the turn."""
        return "pass" if self.passes else self.source + self.target

    def begins_a_turn(self, position: Position) -> bool:
        """Return False: what was put down is a whole turn."""
        return False

    def _pick(self, cell: str) -> None:
        """Pick up a stack; what was put down in this turn is in the hand again."""
        if self.target not in ("", cell) or self.held:
            raise BadGesture(f"one stack moved in a turn, got the one on {cell} as well")
        if not self.target:
            self.source = cell
        self.target, self.held = "", True

    def _drop(self, cell: str) -> None:
        """Put down what is in the hand, or a piece of the rack; a stack may go back to where it was."""
        if self.target:
            raise BadGesture(f"one piece put down in a turn, got another one on {cell}")
        self.source, self.target = ("", "") if cell == self.source else (self.source, cell)
        self.held = False
