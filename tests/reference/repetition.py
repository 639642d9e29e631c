"""Draws by repetition, literally: all positions so far as texts, and a count of the present one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from . import Reference


@dataclass(frozen=True)
class Remembering:
    """A game that is drawn when a position occurs for the third time [R-1].

    The text of a position has the side to move, the captures and the reserves.
    """

    position: Reference  # the game without this rule
    earlier: tuple[str, ...] = ()  # the texts of all positions before, from the start on

    @property
    def turn(self) -> int:
        """Side to move: 0 the first player, 1 the second."""
        return self.position.turn

    def format(self) -> str:
        """Return the canonical position text."""
        return self.position.format()

    def is_drawn(self) -> bool:
        """Tell whether this is the third time."""
        return self.earlier.count(self.format()) == 2

    def turns(self) -> list[str]:
        """Return the canonical texts of all legal turns, empty only when the game is over."""
        return [] if self.is_drawn() else self.position.turns()

    def play(self, turn: str) -> Remembering:
        """Return the position after `turn`; raise `ValueError` if it is not one of `turns()`."""
        if self.is_drawn():
            raise ValueError(f"expected no turn after a draw by repetition [R-1], got {turn!r}")
        return Remembering(self.position.play(turn), (*self.earlier, self.format()))

    def outcome(self) -> Literal["first", "second", "draw"] | None:
        """Return who won, ``"draw"``, or None while the game goes on."""
        return "draw" if self.is_drawn() else self.position.outcome()
