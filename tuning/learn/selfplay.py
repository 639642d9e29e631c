"""Self-play: games of the engine against itself by either search, with what their searches found.

A game depends only on the settings and its number. `tuning.learn.selfplay_run` plays thousands of them and
keeps them in files.
"""

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.engine.play.turns import finish_turn, first_turn
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import read_bytes
from tengen.engine.weights import Weights
from tengen.search.alphabeta.deepening import Deepening
from tengen.search.alphabeta.line import PvLine
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchOptions, SearchThread
from tengen.search.binding import bound
from tengen.search.limits.limit import MAX_SAMPLE, Limit
from tengen.search.mcts.searcher import MctsSearch
from tengen.search.mcts.tree import Tree, child_range
from tengen.search.worker import parameters_of
from tengen.tuning.learn.nets.katago import MAX_FILE
from tengen.tuning.learn.shards import PositionShard, Shard, VisitShard
from tengen.tuning.openings import BALANCED, BalancedDraw, candidate_turn
from tengen.tuning.players.specs import Opponent
from tengen.tuning.version import engine_version, require_setting

MAX_GAME_TURNS = 400  # turns after which a game is a draw
TABLE_MB, TREE_MB = 1, 32
MAX_BRANCHES = 1000
DECIDED_RATE, DECIDED_TURNS = 0.97, 4  # a game is over when its winner's rate is so high for so many turns
HUNDRED = 100  # of ownership, for a point that is surely one side's


@dataclass(frozen=True)
class SelfplaySettings:
    """The settings that decide which games are played, and in which file they are stored.

    The effort of a turn is a depth in actions or a number of positions. In games that are searched by
    simulations it is their number, and turns of the opening are drawn in proportion to visits.
    """

    game: GameSpec  # without challenges
    depth: int | None
    nodes: int | None
    openings: int  # random opening turns at most; each game draws a number from 0 to this
    explore: float = 0.02  # probability that a later turn is random
    seed: int = 1
    shard: int = 64  # games in a file
    inner: int = 0  # positions within each search that are searched, too, and stored
    branches: int = 0  # games that follow each game and begin at positions within its searches
    balanced: bool = False  # whether games begin with balanced openings (`tuning.openings.BalancedDraw`)
    teacher: Path | None = None  # a net of another program, which plays in place of a search (`taught`)
    # One of one's own, as `tuning.players.specs.Opponent` names it, that plays the turns after the opening
    player: str = ""
    weights: Weights | None = None  # of the evaluation; None for the shipped ones
    version: str = field(default="", kw_only=True)  # of the engine (`tuning.version.engine_version`)

    def __post_init__(self) -> None:
        game = self.game
        require_setting(game.challenge is None, "game", "one without challenges", game)
        efforts = (self.depth, self.nodes)
        require_setting((self.depth is None) != (self.nodes is None), "effort", "a depth or nodes", efforts)
        require_setting(
            0 <= self.openings < MAX_GAME_TURNS, "openings", f"0 to {MAX_GAME_TURNS - 1} turns", self.openings
        )
        require_setting(0 <= self.explore <= 1, "explore", "a share from 0 to 1", self.explore)
        require_setting(self.shard >= 1, "shard", "at least 1 game", self.shard)
        require_setting(0 <= self.inner <= MAX_SAMPLE, "inner", f"0 to {MAX_SAMPLE} positions", self.inner)
        require_setting(0 <= self.branches <= MAX_BRANCHES, "branches", f"0 to {MAX_BRANCHES}", self.branches)
        if self.by_simulations:
            require_setting(self.depth is None, "effort", "a number of nodes", f"depth {self.depth}")
            for name in ("inner", "branches", "balanced"):
                value = getattr(self, name)
                require_setting(not value, name, "none in games played by simulations", value)
        if self.teacher:
            offers = game.game.offers("teacher")
            require_setting(offers, "--teacher", "a game that such a net can see", game.game.name)
            require_setting(not self.player, "--teacher", "no --player beside it", self.player)
        object.__setattr__(self, "version", self.version or engine_version(game))

    @cached_property
    def _teacher_hash(self) -> str:
        """A hash of the teacher's file, which is large."""
        assert self.teacher
        try:
            return hashlib.sha256(read_bytes(self.teacher, MAX_FILE)).hexdigest()[:16]
        except OSError as error:
            raise OptionError(f"cannot read {self.teacher}: {error.strerror}") from None

    @cached_property
    def player_version(self) -> str:
        """What tells the code of the player from an earlier one."""
        return Opponent(self.player).version

    @property
    def by_simulations(self) -> bool:
        """Whether the game is searched by Monte-Carlo tree search, not by alpha-beta."""
        return self.game.game.search == "mcts"

    def identity(self) -> dict[str, str]:
        """Return all settings as text."""
        return {
            "game": str(self.game),
            "depth": str(self.depth),
            "nodes": str(self.nodes),
            "openings": BALANCED if self.balanced else str(self.openings),
            "explore": f"{self.explore:g}",
            "seed": str(self.seed),
            "shard": str(self.shard),
            **{name: str(value) for name in ("inner", "branches") if (value := getattr(self, name))},
            **({"teacher": self._teacher_hash} if self.teacher else {}),
            **({"player": f"{self.player} {self.player_version}"} if self.player else {}),
            "weights": self.weights.fingerprint if self.weights else "shipped",
            "engine": self.version,
        }


@dataclass
class Game:
    """One game."""

    number: int
    columns: dict[str, list[Any]]  # what a shard has of the game, by its columns
    turns: int = 0  # random ones included; a branch counts from where it begins
    outcome: Outcome = Outcome.DRAW
    samples: list[Any] = field(default_factory=list)  # positions for branches to begin at


class SelfplayPlayer(ABC):
    """Plays games of self-play with a search, one after the other."""

    KIND: ClassVar[type[Shard]]  # what keeps the games
    _memory: TranspositionTable | Tree

    def __init__(self, settings: SelfplaySettings) -> None:
        self._settings = settings
        self._rules = bound(settings.game.game)
        self._limits = Limit(depth=settings.depth, nodes=settings.nodes)
        self._parameters = parameters_of(settings.game.game, settings.weights) if settings.weights else None
        self._flag = StopFlag()
        self._actions = np.zeros(self._rules.MAX_ACTIONS, np.int32)
        self._player = Opponent(settings.player) if settings.player else None
        if self._player and self._player.version != settings.player_version:
            raise OptionError(f"--player: expected {settings.player_version}, got {self._player.version}")

    def play(self, number: int) -> Game:
        """Play the game with this number and return it."""
        rng = random.Random(f"{self._settings.seed} {number}")
        opening = rng.randint(0, self._settings.openings)
        self._memory.clear()
        game, position = Game(number, {name: [] for name in self.KIND.columns()}), self._begin(number, rng)
        if position is None:
            position = Position.start(self._settings.game)
        else:
            opening = 0
        while not self._is_over(position, game):
            if game.turns < opening:
                turn = self._opening_turn(position, game, rng)
            elif rng.random() < self._settings.explore:
                turn = self._random_turn(position, game, rng)
            else:
                turn = self._best_turn(position, game)
                if self._player:
                    turn = position.parse_turn(self._player.turn(position, self._limits))
            self._make(position, game, turn)
        self._finish(position, game)
        game.columns["results"].append(game.outcome)
        return game

    def games(self, first: int, count: int) -> list[Game]:
        """Play `count` games, the numbers of which count on from `first`."""
        return [self.play(first + n) for n in range(count)]

    def _begin(self, number: int, rng: random.Random) -> Position | None:
        """Return where the game with this number begins; None for the game's own position and an opening."""
        return None

    def _is_over(self, position: Position, game: Game) -> bool:
        """Return whether the game has ended at `position`, or is as long as games may be."""
        return bool(self._rules.outcome(position.state)) or game.turns >= MAX_GAME_TURNS

    def _random_turn(self, position: Position, game: Game, rng: random.Random) -> Sequence[int]:
        """Return a random turn."""
        return candidate_turn(position, rng, self._actions)

    _opening_turn = _random_turn  # those of the opening

    def _make(self, position: Position, game: Game, turn: Sequence[int]) -> None:
        """Play a turn; trees and players of one's own follow the turns that were played."""
        if self._player or self._settings.by_simulations:
            position.push(position.format(tuple(turn)))
        else:
            position.make(turn)
        game.turns += 1

    @abstractmethod
    def _best_turn(self, position: Position, game: Game) -> Sequence[int]:
        """Search, note what was found, and return the best turn."""

    @abstractmethod
    def _finish(self, position: Position, game: Game) -> None:
        """Note how the game has ended at `position`."""

    def shard(self, first: int, games: Sequence[Game]) -> Shard:
        """Return games that `play` has returned, the numbers of which count on from `first`."""
        arrays = {}
        for name, column in self.KIND.columns().items():
            kind = self._rules.STATE if column.kind is None else column.kind
            arrays[name] = np.array([value for game in games for value in game.columns[name]], kind)
        return self.KIND(game=self._settings.game, settings=self._settings.identity(), first=first, **arrays)


class AlphaBetaPlayer(SelfplayPlayer):
    """Plays by alpha-beta."""

    KIND = PositionShard

    def __init__(self, settings: SelfplaySettings) -> None:
        super().__init__(settings)
        self._parameters = self._parameters or parameters_of(settings.game.game, None)
        self._memory = self._table = TranspositionTable(TABLE_MB)
        self._samples_of: tuple[int, list[Any]] = -1, []
        self._draw: BalancedDraw | None = None

    def compile_kernels(self) -> None:
        """Compile the kernels that self-play calls outside the search."""
        position = Position.start(self._settings.game)
        position.make(candidate_turn(position, random.Random(0), self._actions))
        finish_turn(self._rules, position.state.copy())

    def _begin(self, number: int, rng: random.Random) -> Position | None:
        settings = self._settings
        branch = number % (settings.branches + 1)
        if branch:
            if self._samples_of[0] != number - branch:
                self.play(number - branch)
            if samples := self._samples_of[1]:  # positions within the searches of the game before
                return Position.of_state(settings.game, rng.choice(samples))
        if settings.balanced:
            self._draw = self._draw or BalancedDraw(settings.game)
            return Position.of_state(settings.game, self._draw.position(rng).state)
        return None

    def _best_turn(self, position: Position, game: Game) -> Sequence[int]:
        thread = self._thread(position)
        if size := self._settings.inner or min(self._settings.branches, 1):
            thread.keep_sample(size)
        line = self._search(thread)
        if not line:  # too few nodes to search any turn
            return finish_turn(self._rules, position.state.copy())
        self._store(game, position, line, False)
        sample = thread.sample()
        game.samples += sample
        for state in sample[: self._settings.inner]:
            inside = Position.of_state(self._settings.game, state)
            if found := self._search(self._thread(inside)):
                self._store(game, inside, found, True)
        return first_turn(self._rules, position.state, line.actions)[0]

    def _thread(self, position: Position) -> SearchThread:
        """Return a thread that searches `position`."""
        self._table.new_search()
        nodes = self._settings.nodes or 0
        return SearchThread(position, self._table, self._flag, nodes, SearchOptions(self._parameters))

    def _search(self, thread: SearchThread) -> PvLine | None:
        """Return the best line that the thread finds."""
        lines = Deepening(thread, self._limits, lambda line: None).run(lambda depth: False)
        return lines[0] if lines else None

    @staticmethod
    def _store(game: Game, position: Position, line: PvLine, inner: bool) -> None:
        """Store a position that was searched; `inner` if it is one within a search."""
        found = position.state, line.score.value, game.turns, game.number, inner
        for name, value in zip(("states", "scores", "plies", "games", "inner"), found, strict=True):
            game.columns[name].append(value)

    def _finish(self, position: Position, game: Game) -> None:
        game.outcome = Outcome(int(self._rules.outcome(position.state))) or Outcome.DRAW
        game.columns["turns"].append(game.turns)
        if not game.number % (self._settings.branches + 1):
            self._samples_of = game.number, game.samples


class TreePlayer(SelfplayPlayer):
    """Plays by Monte-Carlo tree search.

    Turns of the opening are drawn in proportion to the visits of their searches, so that games differ. A game
    ends when its searches agree who has won.
    """

    KIND = VisitShard

    def __init__(self, settings: SelfplaySettings) -> None:
        super().__init__(settings)
        self._memory = self._tree = Tree(TREE_MB)

    def _is_over(self, position: Position, game: Game) -> bool:
        return bool(game.columns["owners"]) or super()._is_over(position, game)

    def _random_turn(self, position: Position, game: Game, rng: random.Random) -> Sequence[int]:
        game.columns["rates"].append(float("nan"))
        return super()._random_turn(position, game, rng)

    def _make(self, position: Position, game: Game, turn: Sequence[int]) -> None:
        game.columns["turns"] += turn
        super()._make(position, game, turn)

    def _best_turn(self, position: Position, game: Game, rng: random.Random | None = None) -> Sequence[int]:
        """Search, note what was found, and return a turn: drawn by visits, without `rng` the best one."""
        parameters = self._parameters
        search = MctsSearch(position, self._tree, self._flag, self._limits, parameters=parameters)
        search.run(None, lambda: False)
        (best,) = search.finish()
        first, count = child_range(self._tree.nodes, 0)
        children = self._tree.nodes[first : first + count]
        children = np.sort(children[children["visits"] > 0], order="action")
        actions, visits = children["action"].tolist(), children["visits"].tolist()
        (chosen,) = position.parse_turn(best.pv[0])
        if not actions:  # the game was proven before any simulation
            actions, visits = [chosen], [1]
        self._note(game, actions, visits, best.rate or 0.0)
        if self._is_decided(game):
            self._decide(position.side_to_move, game, best.rate or 0.0, best.lead or 0.0, best.ownership)
        return rng.choices(actions, visits) if rng else [chosen]

    _opening_turn = _best_turn

    @staticmethod
    def _note(game: Game, actions: list[int], visits: list[int], rate: float) -> None:
        """Note what was found in the position at hand."""
        game.columns["visit_turns"] += [game.turns] * len(actions)
        game.columns["visit_actions"] += actions
        game.columns["visit_counts"] += visits
        game.columns["rates"].append(min(max(rate, 0.0), 1.0))

    @staticmethod
    def _is_decided(game: Game) -> bool:
        """Return whether the last searches agree who has won."""
        rates = game.columns["rates"][-DECIDED_TURNS:]
        won = [rate if (len(rates) - i) % 2 else 1 - rate for i, rate in enumerate(rates)]
        return len(rates) == DECIDED_TURNS and (min(won) >= DECIDED_RATE or max(won) <= 1 - DECIDED_RATE)

    @staticmethod
    def _decide(side: int, game: Game, rate: float, lead: float, ownership: Sequence[float]) -> None:
        """End a game with what was found for the side to move in its last position."""
        sign = 1 if side == 0 else -1
        first_wins = (rate > 0.5) == (side == 0)
        game.outcome = Outcome.FIRST_WINS if first_wins else Outcome.SECOND_WINS
        game.columns["margins"].append(sign * round(HUNDRED * lead))
        game.columns["owners"].append([sign * round(HUNDRED * owned) for owned in ownership])

    def _finish(self, position: Position, game: Game) -> None:
        columns = game.columns
        columns["lengths"].append(game.turns)
        if columns["owners"]:  # adjudicated
            return
        spec, state = self._settings.game, position.state
        points: Sequence[int] = spec.game.module("simulation").points(state)
        score = spec.game.module("agreement").agreed_score(state)
        columns["owners"].append([HUNDRED * score.owner.get(p, 0) for p in points])
        over = bool(self._rules.outcome(state))
        columns["margins"].append(int(score.margin) if over else 0)
        if over:
            game.outcome = Outcome(score.outcome)

    def shard(self, first: int, games: Sequence[Game]) -> Shard:
        """Return games that `play` has returned; turns of visits count on from one game to the next."""
        found = super().shard(first, games)
        assert isinstance(found, VisitShard)
        begins = np.cumsum(found.lengths, dtype=np.int32) - found.lengths
        begun = np.repeat(begins, [len(game.columns["visit_turns"]) for game in games])
        return replace(found, visit_turns=found.visit_turns + begun)
