"""Levels of play: what a weak opponent looks at, and how it chooses its turn.

A level below `MAX_LEVEL` searches few positions, scores several turns, and plays one of them by chance: the
better it looks, the likelier it is. Effort is counted in positions, never in time, so that a level is as
strong on every machine; a limit of time only ends a search early. A game's module ``levels``
(`engine.contract`) holds the numbers that suit it and the Elo that a tournament has given to each level;
other games use `DEFAULT_ROWS`.

Each turn is drawn with ``softmax(value / temperature)`` over the turns scored. The value is the logarithm of
the odds to win: the score on the game's logistic scale. In a Monte-Carlo search it is the logarithm of a
turn's share of the visits, averaged with its prior.

The weakest levels err like people: they overlook. A share of the legal turns is noticed, by chance, those
near the last turns sooner, and only these are searched.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import TYPE_CHECKING, TypeVar

from tengen.engine.errors import OptionError
from tengen.engine.game import Game, Outcome
from tengen.search.info import Info, Score
from tengen.search.limits.limit import MAX_LEVEL, Limit

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

NO_SOLVER, LEAF_SOLVER, ALL_SOLVERS = range(3)  # values of `Level.solvers`
MAX_SEED = 10**9
FIRST_ELO, ELO_STEP = 600, 100  # of a game that has not been calibrated: of level 1, and per level

# Levels with a name for people, spread over the Elo of a game from the weakest level to full strength
NAMES = ("first game", "beginner", "casual", "club", "strong", "full")

LEAST = -100.0  # exponent of the least likely turn
MIN_NOTICED = 2  # turns that every level looks at
NEAR_TURNS = 2  # the last ones: turns near them are noticed sooner
AWAY = 3  # as how far a pass counts
Candidate = TypeVar("Candidate")

# Depth in actions (0: no limit), positions or simulations, turns scored, temperature, solvers, share noticed.
Row = tuple[int, int, int, float, int] | tuple[int, int, int, float, int, float]
DEFAULT_ROWS: tuple[Row, ...] = (
    (1, 4_000, 20, 3.0, NO_SOLVER),
    (1, 4_000, 20, 2.0, NO_SOLVER),
    (1, 4_000, 16, 1.4, NO_SOLVER),
    (1, 4_000, 12, 1.0, NO_SOLVER),
    (1, 4_000, 10, 0.7, NO_SOLVER),
    (2, 8_000, 8, 0.6, NO_SOLVER),
    (2, 8_000, 8, 0.35, NO_SOLVER),
    (3, 12_000, 6, 0.4, NO_SOLVER),
    (3, 12_000, 6, 0.25, LEAF_SOLVER),
    (4, 16_000, 6, 0.2, LEAF_SOLVER),
    (4, 16_000, 5, 0.12, LEAF_SOLVER),
    (5, 20_000, 4, 0.1, LEAF_SOLVER),
    (6, 30_000, 4, 0.07, ALL_SOLVERS),
    (0, 30_000, 4, 0.06, ALL_SOLVERS),
    (0, 40_000, 3, 0.05, ALL_SOLVERS),
    (0, 60_000, 3, 0.04, ALL_SOLVERS),
    (0, 80_000, 3, 0.03, ALL_SOLVERS),
    (0, 120_000, 2, 0.03, ALL_SOLVERS),
    (0, 200_000, 2, 0.02, ALL_SOLVERS),
)


@dataclass(frozen=True)
class Level:
    """What one level of a game does."""

    number: int  # 1 to `MAX_LEVEL` - 1
    depth: int  # of the search in actions, at most; 0 for no limit
    nodes: int  # positions, or simulations, that a turn may take
    lines: int  # turns that are scored
    temperature: float  # of the choice among them; see the head of this file
    # Which forced wins are seen beyond the depth of the search: `NO_SOLVER`, those by threats at its
    # `LEAF_SOLVER`, or also what the `ALL_SOLVERS` find, of endgames and of wins by threats
    solvers: int
    # Share of the legal turns that are looked at, drawn by chance: the others are overlooked
    noticed: float = 1.0


def level_of(game: Game, number: int) -> Level:
    """Return the level `number` of `game`, less than `MAX_LEVEL`."""
    rows: Sequence[Row] = game.module("levels").LEVELS if game.offers("levels") else DEFAULT_ROWS
    return Level(number, *rows[number - 1])


def ratings(game: Game) -> tuple[int, ...]:
    """Return the Elo of all levels of `game`, the weakest first; games cannot be compared."""
    measured = getattr(game.module("levels"), "ELO", None) if game.offers("levels") else None
    return tuple(measured or (FIRST_ELO + ELO_STEP * step for step in range(MAX_LEVEL)))


def level_of_elo(game: Game, elo: int) -> int:
    """Return the number of the level of `game` that is nearest to `elo`, the weaker of two."""
    known = ratings(game)
    return 1 + min(range(MAX_LEVEL), key=lambda index: abs(known[index] - elo))


def named_levels(game: Game) -> dict[str, int]:
    """Return the levels of `game` that have a name, from level 1 to full strength."""
    weakest, *_, full = ratings(game)
    step = (full - weakest) // (len(NAMES) - 1)
    return {name: level_of_elo(game, weakest + number * step) for number, name in enumerate(NAMES)}


def require_level(number: int) -> None:
    """Raise OptionError unless `number` is a level."""
    if not 1 <= number <= MAX_LEVEL:
        raise OptionError(f"level: expected 1 to {MAX_LEVEL}, got {number}")


def next_level(level: int, won: bool) -> int:
    """Return the level to offer a person after a game against `level`: one up after a win, else one down."""
    return min(MAX_LEVEL, max(1, level + (1 if won else -1)))


class Handicap:
    """A level at work: the limits of its search, and the choice of its turn.

    With the same seed, the same turn is chosen in the same game; with 0, another one every time.
    """

    def __init__(self, level: Level, seed: int = 0) -> None:
        self.level = level
        self._seed = seed
        self.rank = 1  # of the candidate that was chosen, 1 for the best

    def limits(self, limits: Limit) -> Limit:
        """Return `limits` for the search of the level: no more effort than its own."""
        depths = [depth for depth in (self.level.depth, limits.depth) if depth]
        return replace(
            limits,
            depth=min(depths, default=None),
            nodes=min(self.level.nodes, limits.nodes or self.level.nodes),
            multipv=max(self.level.lines, limits.multipv),
        )

    def searchmoves(self, position: Position, lines: int = 1) -> tuple[str, ...]:
        """Return the turns that the level notices; empty if these are all, as at the start of a game.

        They are `lines` at least. A turn that wins at once is never overlooked.
        """
        if self.level.noticed == 1 or not (position.turns_played or position.start_text):
            return ()
        if win := next((actions for actions in position.turn_actions() if _wins(position, actions)), None):
            return (position.format(win),)
        turns = position.turns()
        count = max(MIN_NOTICED, lines, round(self.level.noticed * len(turns)))
        if count >= len(turns):
            return ()
        chance = self._random("noticed", position.turns_played)
        last = [_places(turn) for turn in position.turns_played[-NEAR_TURNS:]]
        away = AWAY if last and last[-1] else 0  # a pass is noticed after a pass
        around = list(chain(*last))
        drawn = {turn: chance.random() ** (1 + _distance(turn, around, away)) ** 2 for turn in turns}
        return tuple(sorted(turns, key=lambda turn: -drawn[turn])[:count])

    def choose(
        self, played: Sequence[str], candidates: Sequence[Candidate], values: Sequence[float], sure: bool
    ) -> list[Candidate]:
        """Return the candidates with the one to play in front; the others stay in their order, best first.

        The head of this file tells of their `values`. The turns `played` so far and the seed determine the
        choice. If `sure`, the best one is played whatever the temperature, such as a proven win: games that
        are won get finished.
        """
        if sure:
            return list(candidates)
        top = max(values)
        weights = [math.exp(max(LEAST, (value - top) / self.level.temperature)) for value in values]
        (index,) = self._random("", played).choices(range(len(candidates)), weights)
        self.rank = index + 1
        return [candidates[index], *candidates[:index], *candidates[index + 1 :]]

    def _random(self, purpose: str, played: Sequence[str]) -> random.Random:
        """Return what decides after the turns `played`: the seed if there is one, else chance."""
        return random.Random(f"{purpose}{self._seed} {' '.join(played)}" if self._seed else None)


def _wins(position: Position, actions: Sequence[int]) -> bool:
    """Return whether a turn wins the game at once."""
    from tengen.search.binding import bound  # not before a search: it takes long

    rules, state = bound(position.spec.game), position.state.copy()
    for action in actions:
        rules.do_move(state, action)
    return int(rules.outcome(state)) == Outcome.FIRST_WINS + position.side_to_move


def _places(turn: str) -> list[tuple[int, int]]:
    """Return the columns and rows that a turn names: in all games a letter and a number are a place."""
    return [(ord(column.upper()), int(row)) for column, row in re.findall(r"([A-Za-z])(\d+)", turn)]


def _distance(turn: str, around: Sequence[tuple[int, int]], away: int) -> int:
    """Return how far a turn is from the nearest of `around`, 0 without any; `away` if it names no place."""
    places = _places(turn)
    steps = (max(abs(x - column), abs(y - row)) for (x, y), (column, row) in product(places, around))
    return min(steps, default=0) if places else away


def log_odds(score: Score, scale: float) -> float:
    """Return the logarithm of the odds to win by `score`, on the game's logistic `scale`."""
    return score.value / scale


def log_shares(infos: Sequence[Info]) -> list[float]:
    """Return the logarithms of the candidates' shares of the visits, averaged with their priors."""
    visits = max(1, sum(info.visits or 0 for info in infos))
    return [math.log(max(1e-9, ((info.visits or 0) / visits + (info.prior or 0.0)) / 2)) for info in infos]
