"""Playing before the rules are compiled: the first game on a machine must not be lost on time for that."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.spec import GameSpec
from tengen.protocol.errors import CommandError
from tengen.protocol.gomocup.stones import (
    alternates,
    format_point,
    parse_point,
    parse_stone,
    side_to_move_of,
)

FALLBACK_COMMANDS = ("BEGIN", "TURN", "PLAY", "DONE")  # commands that can be obeyed without seeing


class UncompiledFallback:
    """A game that is played by what its module ``fallback`` knows.

    Parameters
    ----------
    spec : GameSpec
        What is played.
    """

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self._size = int(spec.values["size"])
        self._game = spec.game.module("fallback").Fallback(spec)

    def turns(self) -> list[tuple[int, str]]:
        """Return the sides and the turns that have been played."""
        turns: list[tuple[int, str]] = self._game.turns()
        return turns

    def answer(self, name: str, arguments: Sequence[str], stones: Sequence[str]) -> str | None:
        """Obey the command `name`, and return the reply; None when that takes rules.

        Parameters
        ----------
        name : str
            One of `FALLBACK_COMMANDS`.
        arguments : sequence of str
        stones : sequence of str
            The lines between BOARD and DONE.

        Raises
        ------
        TengenError
            When the command cannot be obeyed.
        """
        game, before = self._game, self._game.places
        if name == "DONE":
            listed = [stone for line in stones if (stone := parse_stone(line, self._size))]
            places = [stone.place for stone in listed]
            if not alternates(listed, side_to_move_of(listed)) or len({*places}) < len(places):
                return None
            game.begin(places)
            if game.result():  # perhaps before the last stone
                game.begin(before)
                return None
        elif name == "BEGIN":
            if game.places:
                raise CommandError("the board is not empty")
        else:
            self._require_open()
            place = parse_point(arguments[0], self._size)
            if not game.is_free(place):
                raise CommandError("expected a free point, got one with a stone")
            game.put(place)
        if name != "PLAY":
            self._require_open()
            chosen = game.choose()
            if chosen is None:  # as if nothing had been said: the command will be obeyed once there are rules
                game.begin(before)
                return None
            game.put(chosen)
        return format_point(game.places[-1], self._size)

    def _require_open(self) -> None:
        """Raise CommandError if the game is over."""
        if result := self._game.result():
            raise CommandError(f"the game is over: {result}")
