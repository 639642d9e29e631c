"""The interface of players: a match asks them for turns, and they may fail."""

from __future__ import annotations

import enum
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from tengen.engine.play.position import Position
from tengen.search.info import Info
from tengen.search.limits.limit import Clock, Limit

Notice = Callable[[str], None]  # prints what a player is waiting for, such as a compilation


class EndReason(enum.StrEnum):
    """Why a game ended; all but the first three are the fault of the loser."""

    RULES = "rules"  # decided by the rules of the game
    LENGTH = "length"  # as long as the match allows: a draw
    ADJUDICATION = "adjudication"  # the adjudicator proved the outcome
    ILLEGAL = "illegal turn"
    TIME = "time"
    CRASH = "crash"
    PROTOCOL = "protocol"  # an error response to a valid command
    RESIGNATION = "resignation"


FORFEITS = (EndReason.ILLEGAL, EndReason.TIME, EndReason.CRASH, EndReason.PROTOCOL)


class PlayerFailure(Exception):
    """A player does not make a turn, and so loses the game; `detail` says what happened."""

    def __init__(self, reason: EndReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class TurnTime:
    """The time and effort allowed for one turn. All times are in seconds."""

    limits: Limit  # from the point of view of the side to move
    clocks: tuple[Clock, Clock] | None  # the first side's and the second's; None in a match without clocks
    timeout: float  # when to give up waiting


@dataclass(frozen=True)
class SearchReport:
    """What a player says of its turn.

    The score is in centi-points for the player; ``±(WIN - turns)`` for a proven end, see `search.info.Score`.
    """

    score: int | None = None
    depth: int | None = None

    @classmethod
    def of(cls, info: Info) -> SearchReport | None:
        """Return the report in a line of play; None if it is not the best one, or its score is a bound."""
        return None if info.rank > 1 or info.bound else cls(info.score.value, info.depth or None)

    def __str__(self) -> str:
        return f"{'-' if self.score is None else self.score}/{'-' if self.depth is None else self.depth}"


class Player(ABC):
    """A player. One thread calls its methods, except `interrupt`."""

    report: SearchReport | None = None  # of the last turn; None if the player said nothing

    @abstractmethod
    def start(self) -> str:
        """Get ready, which may take long; return the player's name and version.

        Raises PlayerFailure or OptionError if that fails.
        """

    def count_processor_time(self) -> None:  # noqa: B027 - some measure no time
        """Plan processor time from now on, not wall-clock time; called before `start`."""

    def processor_time(self) -> float:
        """Return the seconds of processor time that the player, by default this process, has used so far.

        Nothing else runs in this process during a turn. Raises PlayerFailure if the player has ended.
        """
        return time.process_time()

    @abstractmethod
    def new_game(self, seed: int, start: str | None = None) -> None:
        """Forget earlier games. A player that plays at random uses `seed`.

        The game begins with the position of the text `start`, None for its own. Raises PlayerFailure if that
        fails; OptionError if the player cannot be told of that position.
        """

    @abstractmethod
    def play(self, position: Position, turn_time: TurnTime) -> str:
        """Return the turn to play, as text; `position` knows all turns since the start of the game.

        Raises PlayerFailure if the player makes no turn.
        """

    def interrupt(self) -> None:  # noqa: B027 - some take no time for a turn
        """Make the running call return or fail soon; afterwards the player is only closed."""

    def close(self) -> None:  # noqa: B027 - some have nothing to release
        """Release all resources."""
