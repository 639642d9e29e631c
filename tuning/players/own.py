"""Players of one's own."""

from __future__ import annotations

import inspect
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable

from tengen.engine.errors import printable
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit
from tengen.tuning.players import base

MAX_NAME = 200  # characters
Function = Callable[[Position], str] | Callable[[Position, Limit], str]


class Player(ABC):
    """A player of one's own, for `match`: subclass it, and define `play`.

    Attributes
    ----------
    name : str
        Its name in reports and records; if empty, that of the class.
    """

    name: str = ""

    @abstractmethod
    def play(self, position: Position, limit: Limit) -> str:
        """Return the turn to play, in any spelling.

        Parameters
        ----------
        position : Position
            With all turns of the game; a copy, to do anything with.
        limit : Limit
            Of this turn; its clock is that of the side to move.
        """

    def new_game(self) -> None:  # noqa: B027 - some remember nothing
        """Forget earlier games; called before each."""


class Seat(base.Player):
    """A player of one's own in a match; what it raises loses the game."""

    def __init__(self, own: Player | Function) -> None:
        kind = type(own) if isinstance(own, Player) else own
        word = str(getattr(kind, "__qualname__", type(own).__name__))
        self.name = printable(getattr(own, "name", "") or word.rpartition(".")[2], MAX_NAME)
        self._version = f"{getattr(kind, '__module__', None)}.{word}"
        self._new_game = own.new_game if isinstance(own, Player) else None
        self._play: Callable[..., object] = own.play if isinstance(own, Player) else own
        self._takes_limit = _needs_two(self._play)

    def start(self) -> str:
        """Return where it is defined."""
        return self._version

    def processor_time(self) -> float:
        """Return the processor time of this process, in which nothing else runs during a turn."""
        return time.process_time()

    def new_game(self, seed: int) -> None:
        """Let it forget earlier games; `seed` is not for it."""
        if self._new_game:
            _guarded(self._new_game)

    def play(self, position: Position, turn_time: base.TurnTime) -> str:
        """Return its turn."""
        limit = (turn_time.limits,) if self._takes_limit else ()
        turn = _guarded(self._play, position.copy(), *limit)
        if not isinstance(turn, str):
            detail = f"expected a turn as text, got {printable(repr(turn), MAX_NAME)}"
            raise base.PlayerFailure(base.EndReason.ILLEGAL, detail)
        return turn


def _guarded(function: Callable[..., object], *arguments: object) -> object:
    """Return what a function returns; its exception is the failure of the player."""
    try:
        return function(*arguments)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"
        raise base.PlayerFailure(base.EndReason.CRASH, detail) from error


def _needs_two(function: Callable[..., object]) -> bool:
    """Return whether a function needs two arguments."""
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return True
    except ValueError:  # it is not written in Python
        return False
    return False
