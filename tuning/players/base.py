"""What a player is to a match: somebody who is asked for turns and may fail to give one."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from dataclasses import dataclass

from tengen.engine.position import Position
from tengen.search.limits import Clock, Limits


class EndReason(enum.StrEnum):
    """Why a game ended; all but the first three are the fault of the one who lost."""

    RULES = "rules"  # decided by the rules of the game
    LENGTH = "length"  # longer than the match allows: a draw
    ADJUDICATION = "adjudication"  # by the referee, who has proved the outcome
    ILLEGAL = "illegal turn"
    TIME = "time"
    CRASH = "crash"
    PROTOCOL = "protocol"  # an error reply to a sound command
    RESIGNATION = "resignation"


FORFEITS = (EndReason.ILLEGAL, EndReason.TIME, EndReason.CRASH, EndReason.PROTOCOL)


class PlayerFailure(Exception):
    """A player has no turn to offer, which loses the game.

    Parameters
    ----------
    reason : Reason
    detail : str
        What happened, in words.
    """

    def __init__(self, reason: EndReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True)
class TurnTime:
    """What may be used for one turn. All times are in seconds.

    Attributes
    ----------
    limits : Limits
        As the side to move sees them.
    clocks : tuple of Clock, or None
        Both sides' clocks, the first side's first, when the match is played with clocks.
    patience : float
        When to give up waiting.
    """

    limits: Limits
    clocks: tuple[Clock, Clock] | None
    patience: float


class Player(ABC):
    """A player of one game. The methods are called by one thread, except `interrupt`."""

    @abstractmethod
    def start(self) -> str:
        """Get ready, which may take long, and return the player's name and version.

        Raises
        ------
        PlayerFailure, OptionError
            When that fails.
        """

    @abstractmethod
    def new_game(self, seed: int) -> None:
        """Forget earlier games. A player that plays by chance draws its numbers from `seed`.

        Raises
        ------
        PlayerFailure
            When that fails.
        """

    @abstractmethod
    def play(self, position: Position, allowance: TurnTime) -> str:
        """Return the text of a turn to play in `position`, which has come about by turns since the start.

        Raises
        ------
        PlayerFailure
            When there is no turn.
        """

    @abstractmethod
    def interrupt(self) -> None:
        """Make the call under way return or fail soon; the player is not used again but closed."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything."""
