"""Playing before the rules are compiled: the first game on a machine must not be lost on time for that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.game import GameSpec
from protocol.gomocup_stones import alternates, format_point, own_side, parse_point, parse_stone
from protocol.session import Refusal

if TYPE_CHECKING:
    from engine.goban import Place

ANSWERED = ("BEGIN", "TURN", "PLAY", "DONE")  # commands that can be obeyed without seeing


class BlindGame:
    """A game of which only the stones are known: one on a free point is answered by one beside it.

    Parameters
    ----------
    spec : GameSpec
        What is played.

    Attributes
    ----------
    places : list of (int, int)
        The stones in the order of the turns.
    """

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.places: list[Place] = []
        self._size = int(spec.values["size"])

    def turns(self) -> list[tuple[int, str]]:
        """Return the sides and the turns that have been played."""
        from engine.grids import vertex

        return [(number % 2, vertex(*place)) for number, place in enumerate(self.places)]

    def answer(self, name: str, arguments: Sequence[str], stones: Sequence[str]) -> str | None:
        """Obey the command `name`, and return the reply; None when that takes rules.

        Parameters
        ----------
        name : str
            One of `ANSWERED`.
        arguments : sequence of str
        stones : sequence of str
            The lines between BOARD and DONE.

        Raises
        ------
        TengenError
            When the command cannot be obeyed.
        """
        if name == "DONE":
            listed = [stone for line in stones if (stone := parse_stone(line, self._size))]
            places = [stone.place for stone in listed]
            if not alternates(listed, own_side(listed)) or len({*places}) < len(places):
                return None
            self.places = places
        elif name == "BEGIN":
            if self.places:
                raise Refusal("expected an empty board to begin on, got one with stones")
        else:
            place = parse_point(arguments[0], self._size)
            if place in self.places:
                raise Refusal("expected a free point, got one with a stone")
            self.places.append(place)
        if name != "PLAY":
            self.places.append(self._choose())
        return format_point(self.places[-1], self._size)

    def _choose(self) -> Place:
        """Return the free point nearest to the last stone, or the middle of an empty board."""
        middle = self._size // 2
        last = self.places[-1] if self.places else (middle, middle)
        free = {(a, b) for a in range(self._size) for b in range(self._size)} - {*self.places}
        if not free:
            raise Refusal("the game is over: draw")
        return min(
            free, key=lambda place: (_distance(place, last), _distance(place, (middle, middle)), place)
        )


def _distance(one: Place, other: Place) -> int:
    """Return the square of the distance of two points."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
