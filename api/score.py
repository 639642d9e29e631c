"""What a search says about a position: scores with a point of view, lines of play, the turn to play."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tengen.api.arguments import side_number
from tengen.engine.game import Game
from tengen.search import info as reports

if TYPE_CHECKING:
    from tengen.engine.play.position import Position as GamePosition


@dataclass(frozen=True)
class Score:
    """The value of a position from the point of view of one side.

    Attributes
    ----------
    value : int
        Centi-points of the game's evaluation; of a proven win or loss ``±(500,000 - turns)``.
    win_rate : float
        Expected result of the side in [0, 1]; a draw counts a half.
    margin : int or None
        Proven final margin under best play, in the game's points.
    side : int
        Whose view it is: 0 the first side's, 1 the second's.
    """

    value: int
    win_rate: float
    margin: int | None
    side: int
    _game: Game = field(repr=False, compare=False)

    def pov(self, side: int | str) -> Score:
        """Return this score from the point of view of `side`: 0, 1, a name or a letter."""
        if side_number(self._game, side) == self.side:
            return self
        margin = None if self.margin is None else -self.margin
        return replace(
            self, value=-self.value, win_rate=1.0 - self.win_rate, margin=margin, side=1 - self.side
        )

    @property
    def turns_to_win(self) -> int | None:
        """Turns until the side wins; negative, until it loses; None if neither is proven."""
        return self._plain.end_in

    @property
    def is_proven(self) -> bool:
        """Whether this is a proven result, not an estimate."""
        return self._plain.proven

    @property
    def points(self) -> float:
        """The value in points of the game's evaluation; infinite for a proven win."""
        ends = self.turns_to_win
        return self.value / 100 if ends is None else float("inf") if ends > 0 else float("-inf")

    @property
    def _plain(self) -> reports.Score:
        return reports.Score(self.value, self.margin)

    def __str__(self) -> str:
        """Return ``+1.25`` (points), ``win in 3`` or ``loss in 2`` (turns), ``win by 7 in 3``, ``draw``."""
        return str(self._plain)


@dataclass(frozen=True)
class Info:
    """One line of play, as a search reports it.

    Attributes
    ----------
    rank : int
        1 for the best turn, 2 for the second best...
    depth, seldepth : int
        Iteration, and the deepest ply reached, in actions.
    score : Score
        For the side to move; see `Score.pov`.
    bound : str
        ``lower`` or ``upper`` if the score is only a bound, else empty.
    nodes : int
        Positions visited so far.
    seconds : float
        Since the search began.
    pv : tuple of str
        The expected turns, the first for the side to move.
    visits : int or None
        Simulations that began with this turn, in a Monte-Carlo search.
    prior : float or None
        Prior of the turn in [0, 1].
    lead : float or None
        Expected final margin for the side to move, in points.
    ownership : tuple of float
        Of every point of a square board, rows from the top, 1 for the side to move to -1; empty if unknown.
    """

    rank: int
    depth: int
    seldepth: int
    score: Score
    bound: str
    nodes: int
    seconds: float
    pv: tuple[str, ...]
    visits: int | None = None
    prior: float | None = None
    lead: float | None = None
    ownership: tuple[float, ...] = ()

    @property
    def turn(self) -> str:
        """The first turn of the line."""
        return self.pv[0]

    @property
    def nps(self) -> int:
        """Positions visited a second."""
        return int(self.nodes / self.seconds) if self.seconds > 0 else 0

    @classmethod
    def of(cls, info: reports.Info, position: GamePosition) -> Info:
        """Return a search's report on `position`."""
        scale = position.scale
        game = position.spec.game
        margin = info.score.margin
        score = Score(info.score.value, info.win_rate(scale), margin, position.side_to_move, game)
        return cls(
            info.rank,
            info.depth,
            info.seldepth,
            score,
            info.bound,
            info.nodes,
            info.seconds,
            info.pv,
            info.visits,
            info.prior,
            info.lead,
            info.ownership,
        )


@dataclass(frozen=True)
class PlayResult:
    """The turn that an engine plays.

    Attributes
    ----------
    turn : str or None
        None if there is none to play: the game is over, or a trial outside the game has to be told.
    ponder : str or None
        The expected reply.
    info : Info or None
        What the search says about the turn; None from other programs, and without a search.
    nodes : int
        Positions visited.
    seconds : float
        Duration.
    notice : str
        Why the search ended before its limits, in words; empty when all went as asked.
    resigned : bool
        Whether another program resigns.
    """

    turn: str | None
    ponder: str | None = None
    info: Info | None = None
    nodes: int = 0
    seconds: float = 0.0
    notice: str = ""
    resigned: bool = False

    @classmethod
    def of(cls, result: reports.Result, position: GamePosition) -> PlayResult:
        """Return the result of a search of `position`."""
        line = next((info for info in result.lines if info.pv and info.pv[0] == result.turn), None)
        info = Info.of(line, position) if line else None
        return cls(result.turn, result.ponder, info, result.nodes, result.seconds, result.notice)
