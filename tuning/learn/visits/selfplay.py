"""Self-play by Monte-Carlo tree search: games stored with the visits and win rates of their searches.

Turns of the opening are drawn in proportion to the visits of their searches, so that games differ. Later the
most visited turn is played, but for random ones. A game ends when its searches agree who has won. It depends
only on the settings and its number.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.search.binding import bound
from tengen.search.info import Info
from tengen.search.limits.limit import Limits
from tengen.search.mcts.searcher import MctsSearch
from tengen.search.mcts.tree import Tree, child_range
from tengen.tuning.learn.selfplay import MAX_GAME_TURNS, SelfplaySettings
from tengen.tuning.learn.visits.shards import VisitShard, read
from tengen.tuning.openings import candidate_turn

HASH_MB = 32
DECIDED_RATE, DECIDED_TURNS = 0.97, 4  # a game is over when its winner's rate is so high for so many turns
HUNDRED = 100  # of ownership, for a point that is surely one side's


@dataclass(frozen=True)
class VisitsSettings(SelfplaySettings):
    """The settings of self-play by Monte-Carlo tree search.

    `nodes` is the number of simulations per turn. `openings` is the greatest number of turns at the beginning
    that are drawn in proportion to visits. There are no depths, inner positions, branches or balanced
    openings.
    """

    METHOD: ClassVar[str] = "mcts"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(self.depth is None, "effort", "a number of nodes", f"depth {self.depth}")
        for name in ("inner", "branches", "balanced"):
            value = getattr(self, name)
            self._require(not value, name, "none in games played by simulations", value)

    def player(self) -> VisitsPlayer:
        """Return what plays the games."""
        return VisitsPlayer(self)

    def read(self, path: Path) -> VisitShard:
        """Return the games in the file at `path`; see `tuning.learn.visits.shards.read`."""
        return read(path, self.game)


@dataclass
class VisitsGame:
    """One game.

    Attributes
    ----------
    turns, rates : list
        Actions, and win rates of the searches for the side to move, NaN without a search.
    visits : list of (int, int, int)
        Number of the turn in the game, action, and visits, of all actions that the searches visited.
    outcome : Outcome
    margin : int
        Hundredths, for the first side; 0 if the game was broken off.
    owners : list of int
        Hundredths, by point, for the first side.
    """

    turns: list[int] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    visits: list[tuple[int, int, int]] = field(default_factory=list)
    outcome: Outcome = Outcome.DRAW
    margin: int = 0
    owners: list[int] = field(default_factory=list)


class VisitsPlayer:
    """Plays games of self-play, one after the other.

    Parameters
    ----------
    settings : VisitsSettings
    """

    def __init__(self, settings: VisitsSettings) -> None:
        self._settings = settings
        self._rules = bound(settings.game.game)
        self._limits = Limits(nodes=settings.nodes)
        self._tree = Tree(HASH_MB)
        self._actions = np.zeros(self._rules.MAX_ACTIONS, np.int32)

    def play(self, number: int) -> VisitsGame:
        """Play the game with this number and return it."""
        settings = self._settings
        rng = random.Random(f"{settings.seed} {number}")
        opening = rng.randint(0, settings.openings)
        self._tree.clear()
        game, position = VisitsGame(), Position.start(settings.game)
        while not self._over(position, game):
            if len(game.turns) >= opening and rng.random() < settings.explore:
                (action,) = candidate_turn(position, rng, self._actions)
                game.rates.append(float("nan"))
            else:
                action = self._searched(position, game, rng if len(game.turns) < opening else None)
            position.push(position.format((action,)))
            game.turns.append(action)
        if not game.owners:
            self._judge(position, game)
        return game

    def _over(self, position: Position, game: VisitsGame) -> bool:
        """Return whether the game is over, or broken off."""
        return bool(game.owners or self._rules.outcome(position.state) or len(game.turns) >= MAX_GAME_TURNS)

    def _searched(self, position: Position, game: VisitsGame, rng: random.Random | None) -> int:
        """Search, note what was found, and return an action: drawn by visits, without `rng` the best one."""
        search = MctsSearch(position, self._tree, StopFlag(), self._limits)
        search.run(None, lambda: False)
        (best,) = search.finish()
        first, count = child_range(self._tree.nodes, 0)
        children = self._tree.nodes[first : first + count]
        children = np.sort(children[children["visits"] > 0], order="action")
        actions, visits = children["action"].tolist(), children["visits"].tolist()
        (chosen,) = position.parse_turn(best.pv[0])
        if not actions:  # the game was proven before any simulation
            actions, visits = [chosen], [1]
        game.visits += [(len(game.turns), *pair) for pair in zip(actions, visits, strict=True)]
        game.rates.append(min(max(best.rate or 0.0, 0.0), 1.0))
        self._adjudicate(position, game, best)
        return int(rng.choices(actions, visits)[0]) if rng else chosen

    @staticmethod
    def _adjudicate(position: Position, game: VisitsGame, best: Info) -> None:
        """End a game that is decided with what the search of `position` found."""
        side, rates = position.side_to_move, game.rates[-DECIDED_TURNS:]
        won = [rate if (len(rates) - i) % 2 else 1 - rate for i, rate in enumerate(rates)]
        if len(rates) < DECIDED_TURNS or not (min(won) >= DECIDED_RATE or max(won) <= 1 - DECIDED_RATE):
            return
        sign = 1 if side == 0 else -1
        first_wins = (won[-1] > 0.5) == (side == 0)
        game.outcome = Outcome.FIRST_WINS if first_wins else Outcome.SECOND_WINS
        game.margin = sign * round(HUNDRED * (best.lead or 0.0))
        game.owners = [sign * round(HUNDRED * owned) for owned in best.ownership]

    def _judge(self, position: Position, game: VisitsGame) -> None:
        """Note result, margin and owners of the game that has come to `position`."""
        spec, state = self._settings.game, position.state
        points: Sequence[int] = spec.game.module("simulation").points(state)
        score = spec.game.module("agreement").agreed_score(state)
        game.owners = [HUNDRED * score.owner.get(p, 0) for p in points]
        if self._rules.outcome(state):
            game.outcome, game.margin = Outcome(score.outcome), int(score.margin)

    def shard(self, first: int, games: Sequence[VisitsGame]) -> VisitShard:
        """Return games that `play` has returned, the numbers of which count on from `first`."""
        lengths = np.array([len(game.turns) for game in games], np.int32)
        begins = np.cumsum(lengths) - lengths
        visits = [
            (begin + turn, *rest)
            for begin, game in zip(begins, games, strict=True)
            for turn, *rest in game.visits
        ]
        at, actions, counts = np.ascontiguousarray(np.array(visits, np.int32).reshape(-1, 3).T)
        return VisitShard(
            self._settings.game,
            self._settings.identity(),
            first,
            lengths,
            np.array([game.outcome for game in games], np.int8),
            np.array([game.margin for game in games], np.int32),
            np.array([turn for game in games for turn in game.turns], np.int32),
            np.array([rate for game in games for rate in game.rates], np.float32),
            at,
            actions,
            counts,
            np.array([game.owners for game in games], np.int8),
        )
