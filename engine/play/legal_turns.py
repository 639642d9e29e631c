"""The legal turns of a position, as a sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from tengen.engine.errors import TengenError
from tengen.engine.game import Outcome

if TYPE_CHECKING:
    from tengen.engine.play.position import Position


class LegalTurns(Sequence[str]):
    """The legal turns of a position at the moment of asking, in a fixed order; worked out when needed.

    The index of a turn here is its number as a single action, if a turn has several (`docs/python.md`).
    """

    def __init__(self, position: Position) -> None:
        self._position = position
        self._texts: list[str] | None = None

    def _listed(self) -> list[str]:
        if self._texts is None:
            over = self._position.outcome() != Outcome.ONGOING
            self._texts = [] if over else self._position.turns()
        return self._texts

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        return self._listed()[index]

    def __len__(self) -> int:
        return len(self._listed())

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed())

    def __contains__(self, turn: object) -> bool:
        """Return whether `turn` is legal, in any spelling; faster than to list all turns."""
        return isinstance(turn, str) and is_playable(self._position, turn)

    def index(self, turn: str, start: int = 0, stop: int | None = None) -> int:
        """Return the place of `turn`, in any spelling, in the list.

        Raises
        ------
        NotationError, IllegalTurnError
            If the turn is not legal.
        """
        canonical = self._position.format(self._position.parse_turn(turn))
        return self._listed().index(canonical, start, len(self) if stop is None else stop)

    def __repr__(self) -> str:
        return f"<LegalTurns {' '.join(self)}>"


def is_playable(position: Position, turn: str) -> bool:
    """Return whether `turn` can be played in `position`."""
    try:
        if position.outcome() != Outcome.ONGOING:
            return False
        position.parse_turn(turn)
    except TengenError:
        return False
    return True
