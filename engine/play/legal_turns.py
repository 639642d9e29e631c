"""The legal turns of a position, as a sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from tengen.engine.errors import TengenError
from tengen.engine.game import Outcome
from tengen.engine.play.turns import without_padding

if TYPE_CHECKING:
    from tengen.engine.play.position import Position


class LegalTurns(Sequence[str]):
    """The legal turns of a position at the moment of asking, in a fixed order.

    They are found when first needed, and each becomes a text when it is asked for. The index of a turn here
    is its number as a single action, if a turn has several (`docs/python.md`).
    """

    __hash__ = None  # type: ignore[assignment]  # equal to a list

    def __init__(self, position: Position) -> None:
        self._position = position
        self._turns: Sequence[Sequence[int]] | None = None  # their actions, and `NO_ACTION` behind them

    def _listed(self) -> Sequence[Sequence[int]]:
        if self._turns is None:
            position, rules = self._position, self._position.game.rules
            if position.outcome() != Outcome.ONGOING:
                self._turns = []
            elif position.awaits_answer or not rules.MULTI_ACTION_TURNS or rules.MERGES_TRANSPOSITIONS:
                self._turns = list(position.turn_actions())
            else:
                from tengen.engine.jit import specialise  # here: it imports numba

                kernels = specialise("tengen.engine.play.turn_table", rules)
                self._turns = kernels.turn_table(position.current.state)[0]
        return self._turns

    def _text(self, turn: Sequence[int]) -> str:
        return self._position.format(without_padding(turn))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return list(map(self._text, self._listed()[index]))
        return self._text(self._listed()[index])

    def __len__(self) -> int:
        return len(self._listed())

    def __iter__(self) -> Iterator[str]:
        return map(self._text, self._listed())

    def __eq__(self, other: object) -> bool:
        """Return whether `other`, perhaps a list, has the same turns in the same order."""
        return list(self) == list(other) if isinstance(other, LegalTurns | list) else NotImplemented

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
        turns = list(map(without_padding, self._listed()))
        return turns.index(self._position.parse_turn(turn), start, len(turns) if stop is None else stop)

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
