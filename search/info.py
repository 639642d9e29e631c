"""Search reports: scores, lines of play, results."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import total_ordering
from typing import TYPE_CHECKING

from tengen.engine.errors import EngineError, argument_error
from tengen.engine.game import Side

if TYPE_CHECKING:
    from tengen.engine.game import Game
    from tengen.engine.play.position import Position

WIN = 500_000  # score of a won game; less one for every turn until the end
PROVEN = WIN - 1_000  # scores beyond are proven results
TO_MOVE = Side("side to move", 0)  # whose view all scores within a search have
INFINITE = 2**19 - 1  # beyond all scores; a transposition table can hold no greater one


@total_ordering
@dataclass(frozen=True)
class Score:
    """The value of a position from the point of view of one side, within a search the side to move.

    Scores of one side are ordered, the worst for it first: by value, win rate, and proven margin. To compare
    those of two sides is a TypeError; `pov` turns one.

    Attributes
    ----------
    value : int
        Centi-points of the game's evaluation, or ``±(WIN - turns)`` for a proven win or loss; 0 for a proven
        draw.
    margin : int or None
        Proven final margin under best play, in the game's points.
    win_rate : float
        Expected result of the side in [0, 1]; a draw counts a half. It and the following are known where an
        engine of the library has reported the score (`Info.of`).
    side : Side
        Whose view it is.
    game : Game or None
        The game that was searched; `pov` needs it.
    """

    value: int
    margin: int | None = None
    win_rate: float = 0.5
    side: Side = TO_MOVE
    game: Game | None = field(default=None, repr=False, compare=False)

    def pov(self, side: int | str) -> Score:
        """Return this score from the point of view of a side.

        Parameters
        ----------
        side : int or str
            0, 1, a name or a letter.

        Raises
        ------
        ArgumentError, OptionError
            If it is no side of the game, or the score is of no game.
        """
        if self.game is None:
            raise argument_error(self, "score", "one of a game")
        chosen = self.game.side(side)
        if chosen == self.side:
            return self
        return replace(-self, win_rate=1.0 - self.win_rate, side=chosen, game=self.game)

    def __lt__(self, other: Score) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        if self.side != other.side:
            raise argument_error(other, "score", f"one of {self.side}, as by pov({str(self.side)!r})")
        return self._rank < other._rank

    @property
    def _rank(self) -> tuple[int, float, float]:
        return self.value, self.win_rate, -math.inf if self.margin is None else self.margin

    def __neg__(self) -> Score:
        """Return the same value for the other side."""
        return Score(-self.value, None if self.margin is None else -self.margin)

    @classmethod
    def of_rate(cls, rate: float, scale: float, sure: float = 0.01) -> Score:
        """Return the score of a win rate, for the same side; the inverse of `rate_on`.

        Parameters
        ----------
        rate : float
            In [0, 1], a draw counting a half.
        scale
            As for `rate_on`.
        sure : float
            Rates are clamped to [`sure`, 1 - `sure`].
        """
        rate = min(max(rate, sure), 1 - sure)
        return cls(round(scale * math.log(rate / (1 - rate))))

    @property
    def points(self) -> float:
        """The value in points of the game's evaluation; infinite for a proven win."""
        return self.value / 100 if self.turns_to_win is None else math.copysign(math.inf, self.turns_to_win)

    @property
    def turns_to_win(self) -> int | None:
        """Turns until the side wins; negative, until it loses; None if neither is proven."""
        if abs(self.value) < PROVEN:
            return None
        return WIN - self.value if self.value > 0 else -(WIN + self.value)

    @property
    def is_proven(self) -> bool:
        """Whether this is a proven result, not an estimate."""
        return self.turns_to_win is not None or self.margin is not None

    def rate_on(self, scale: float) -> float:
        """Return the expected result of the side in [0, 1], a draw counting a half.

        Parameters
        ----------
        scale : float
            Logistic scale of scores, centi-points, such as `Position.scale`.
        """
        if self.turns_to_win is not None:
            return 1.0 if self.value > 0 else 0.0
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, self.value / scale))))

    def __str__(self) -> str:
        """Return ``+1.25`` (points), ``win in 3`` or ``loss in 2`` (turns), ``win by 7 in 3``, ``draw``."""
        if self.turns_to_win is None:
            return f"{self.value / 100:+.2f}" if self.margin is None else "draw"
        by = "" if self.margin is None else f" by {abs(self.margin)}"
        return f"{'win' if self.value > 0 else 'loss'}{by} in {abs(self.turns_to_win)}"


@dataclass(frozen=True)
class Info:
    """One line of play, reported during a search.

    Attributes
    ----------
    rank : int
        1 for the best turn, 2 for the second best... (multi-PV).
    depth, seldepth : int
        Iteration, and the deepest ply reached, in actions.
    score : Score
        For the side to move at the root.
    bound : str
        ``lower`` or ``upper`` when the score is only a bound, else empty.
    nodes : int
        Positions visited so far, by all threads.
    seconds : float
        Since the search began.
    hashfull : int
        Entries of the table written by this search, per mille.
    pv : tuple of str
        The expected turns, whole and canonical, the first for the side to move.
    visits : int or None
        Simulations that began with this turn; None for a search that does not count them.
    rate : float or None
        Win rate in [0, 1] for the side to move, where the search knows it more exactly than the score.
    low : float or None
        Lower confidence bound of `rate`.
    prior : float or None
        Prior of the turn in [0, 1].
    lead : float or None
        Expected margin at the end of the game, points, for the side to move.
    ownership : tuple of float
        Of every point of a square board, rows from the top, from -1 (theirs) to 1 (ours); empty when unknown.
    pv_visits : tuple of int
        Simulations that reached each turn of `pv`; empty when unknown.
    """

    rank: int
    depth: int
    seldepth: int
    score: Score
    bound: str
    nodes: int
    seconds: float
    hashfull: int
    pv: tuple[str, ...]
    visits: int | None = None
    rate: float | None = None
    low: float | None = None
    prior: float | None = None
    lead: float | None = None
    ownership: tuple[float, ...] = ()
    pv_visits: tuple[int, ...] = ()

    def win_rate(self, scale: float) -> float:
        """Return the expected result of the side to move at the root in [0, 1], a draw counting a half.

        Parameters
        ----------
        scale
            As for `Score.rate_on`.
        """
        return self.score.rate_on(scale) if self.rate is None else self.rate

    def of(self, position: Position) -> Info:
        """Return this report with the point of view in its score.

        Parameters
        ----------
        position : Position
            The root of the search.
        """
        rate, side = self.win_rate(position.scale), position.side
        return replace(self, score=replace(self.score, win_rate=rate, side=side, game=position.spec.game))

    @property
    def turn(self) -> str:
        """The first turn of the line."""
        return self.pv[0]

    @property
    def nps(self) -> int:
        """Positions visited a second."""
        return int(self.nodes / self.seconds) if self.seconds > 0 else 0


@dataclass(frozen=True)
class Result:
    """How a search ended.

    Attributes
    ----------
    choice : str or None
        The turn to play, canonical, as `turn` returns it; None when the game was over already, another
        program resigns, or a trial outside the game has to be told.
    ponder : str or None
        The expected reply.
    lines : tuple of Info
        The last complete report of every rank, best first; empty when nothing was searched.
    nodes : int
        Positions visited, by all threads.
    seconds : float
        Duration.
    notice : str
        Why the search ended before its limits, in words (an error, a limit reached before the search was
        compiled); empty when all went as asked.
    resigned : bool
        Whether another program resigns.
    rank : int or None
        Rank of the turn among those that the search has scored, 1 for the best; weak levels choose others,
        which come first in `lines` all the same. None without a search, and from other programs.
    """

    choice: str | None
    ponder: str | None = None
    lines: tuple[Info, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    notice: str = ""
    resigned: bool = False
    rank: int | None = None

    def of(self, position: Position) -> Result:
        """Return this result with the point of view in its scores.

        Parameters
        ----------
        position : Position
            The root of the search.
        """
        return replace(self, lines=tuple(info.of(position) for info in self.lines))

    @property
    def turn(self) -> str:
        """The turn to play, canonical.

        Raises
        ------
        EngineError
            If there is none.
        """
        if self.choice is None:
            reason = "the engine resigns" if self.resigned else self.notice
            raise EngineError(f"engine: there is no turn to play ({reason})")
        return self.choice

    @property
    def info(self) -> Info | None:
        """What the search says about the turn; None from most other programs, and without a search."""
        return next((info for info in self.lines if info.pv and info.pv[0] == self.choice), None)


PlayResult = Result  # its name in the library
