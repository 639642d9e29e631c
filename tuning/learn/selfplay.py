"""Self-play: games of the engine against itself, by the thousand, kept with what the search said.

Games come in shards, which are what workers are given and what files hold: a game counts once the file of its
shard is on disk. Every game is a function of the settings and its number alone, so that the files are the
same, byte by byte, whoever plays them and however often that is broken off.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from tengen.engine.errors import OptionError, TengenError
from tengen.engine.files import exclusive, replace_file
from tengen.engine.game import GameSpec, Outcome
from tengen.engine.jit import StopFlag
from tengen.engine.position import Position
from tengen.engine.turns import complete
from tengen.engine.weights import Weights
from tengen.search import warmup
from tengen.search.alphabeta.deepening import Thread, deepen
from tengen.search.alphabeta.table import Table
from tengen.search.binding import bound
from tengen.search.limits import Limits
from tengen.search.worker import weights_table
from tengen.tuning.farm import Farm
from tengen.tuning.learn.shards import DamagedShardError, Shard, read
from tengen.tuning.match.records import changes
from tengen.tuning.players.specs import engine_version

SETTINGS = "selfplay.json"
LONGEST = 400  # turns after which a game is a draw
HASH_MB = 1
MOST_GAMES = 10**8  # that the names of files have room for
METHOD = "alphabeta"


class SelfPlayError(TengenError):
    """A run of self-play that cannot go on: another one's folder, or another engine's worker."""


@dataclass(frozen=True)
class Settings:
    """What decides which games are played, and which file they are in.

    Attributes
    ----------
    game : GameSpec
        Of those that are searched by alpha-beta; without challenges.
    depth, nodes : int or None
        Effort of a turn: iterations, in actions, or positions; one of them.
    openings : int
        Greatest number of random turns that a game begins with; each draws its own, from none to this.
    explore : float
        Share of the turns after them that are random, too.
    seed : int
    shard : int
        Games in a file.
    weights : Weights or None
        Of the evaluation; None for those that the game ships with.
    version : str
        Of the engine, see `tuning.players.specs.engine_version`.
    """

    game: GameSpec
    depth: int | None
    nodes: int | None
    openings: int
    explore: float = 0.02
    seed: int = 1
    shard: int = 64
    weights: Weights | None = None
    version: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        game = self.game
        self._require(game.game.search == METHOD, "game", "one that is searched by alpha-beta", game)
        self._require(game.challenge is None, "game", "one without challenges", game)
        efforts = (self.depth, self.nodes)
        self._require((self.depth is None) != (self.nodes is None), "effort", "a depth or nodes", efforts)
        self._require(0 <= self.openings < LONGEST, "openings", f"0 to {LONGEST - 1} turns", self.openings)
        self._require(0 <= self.explore <= 1, "explore", "a share from 0 to 1", self.explore)
        self._require(self.shard >= 1, "shard", "at least 1 game", self.shard)
        object.__setattr__(self, "version", self.version or engine_version(game))

    def _require(self, sound: bool, name: str, expected: str, got: object) -> None:
        if not sound:
            raise OptionError(f"{name}: expected {expected}, got {got}")

    def identity(self) -> dict[str, str]:
        """Return all of them in texts."""
        return {
            "game": str(self.game),
            "depth": str(self.depth),
            "nodes": str(self.nodes),
            "openings": str(self.openings),
            "explore": f"{self.explore:g}",
            "seed": str(self.seed),
            "shard": str(self.shard),
            "weights": self.weights.fingerprint if self.weights else "shipped",
            "engine": self.version,
        }


@dataclass(frozen=True)
class Batch:
    """The games of one shard: what a worker is given.

    Attributes
    ----------
    settings : Settings
    first, count : int
        Number of the first game, and how many there are.
    """

    settings: Settings
    first: int
    count: int

    def __repr__(self) -> str:
        """Return what an error names it by."""
        return f"games {self.first} to {self.first + self.count - 1} of {self.settings.game}"


@dataclass
class Game:
    """One game.

    Attributes
    ----------
    states, scores, plies : list
        Of the positions that were searched.
    outcome : Outcome
    turns : int
        Of all the game, random ones included.
    """

    states: list[Any] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    plies: list[int] = field(default_factory=list)
    outcome: Outcome = Outcome.ONGOING
    turns: int = 0


class Player:
    """Plays games of self-play, one after the other.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rules = bound(settings.game.game)
        self._limits = Limits(depth=settings.depth, nodes=settings.nodes)
        self._weights = weights_table(settings.game.game, settings.weights)
        self._table, self._flag = Table(HASH_MB), StopFlag()
        self._actions = np.zeros(self._rules.MAX_ACTIONS, np.int32)

    def touch(self) -> None:
        """Call the kernels that are called from here, and not by a search."""
        state = self._rules.start(self._settings.game.values)
        self._play_at_random(state, random.Random(0))
        complete(self._rules, state)

    def play(self, number: int, begin: Any = None) -> Game:
        """Return the game with this number, from the position `begin` on, or the start of the game."""
        settings, rules = self._settings, self._rules
        generator = random.Random(f"{settings.seed} {number}")
        self._table.clear()
        game = Game()
        state = rules.start(settings.game.values) if begin is None else begin.copy()
        opening = generator.randint(0, settings.openings)
        while (outcome := rules.outcome(state)) == Outcome.ONGOING and game.turns < LONGEST:
            if game.turns < opening or generator.random() < settings.explore:
                self._play_at_random(state, generator)
            else:
                self._play_best(state, game)
            game.turns += 1
        game.outcome = Outcome(int(outcome)) or Outcome.DRAW
        return game

    def _play_at_random(self, state: Any, generator: random.Random) -> None:
        """Play a turn whose actions are drawn from those that the search would look at."""
        while True:
            count = self._rules.generate_candidates(state, self._actions)
            self._rules.do_move(state, int(self._actions[generator.randrange(count)]))
            if not state["partial"]:
                return

    def _play_best(self, state: Any, game: Game) -> None:
        """Search, keep the position with what the search says, and play the best turn."""
        before = state.copy()
        self._table.new_search()
        nodes = self._settings.nodes or 0
        thread = Thread(
            Position(self._settings.game, before), self._table, self._flag, nodes, None, self._weights
        )
        lines = deepen(thread, self._limits, _ignore, _go_on)
        if not lines:  # too few nodes for a look at any turn
            complete(self._rules, state)
            return
        game.states.append(before)
        game.scores.append(lines[0].score.value)
        game.plies.append(game.turns)
        for action in lines[0].actions:
            self._rules.do_move(state, action)
            if not state["partial"]:
                return


def _ignore(line: object) -> None:
    """Do nothing with a line of a search."""


def _go_on(depth: int) -> bool:
    """Return False: only the limits end a search."""
    return False


def play_batch(batch: Batch) -> Shard:
    """Play the games of a shard. This is what workers do.

    Raises
    ------
    SelfPlayError
        When the worker's engine is not the one that is asked for.
    """
    settings = batch.settings
    check_version(settings.game, settings.version)
    player = Player(settings)
    games = [player.play(batch.first + number) for number in range(batch.count)]
    states = [state for game in games for state in game.states]
    lengths = [len(game.states) for game in games]
    return Shard(
        settings.game,
        settings.identity(),
        batch.first,
        np.array(states, settings.game.game.rules.STATE),
        np.array([score for game in games for score in game.scores], np.int32),
        np.array([ply for game in games for ply in game.plies], np.int32),
        np.repeat(batch.first + np.arange(batch.count, dtype=np.int64), lengths),
        np.array([game.outcome for game in games], np.int8),
        np.array([game.turns for game in games], np.int32),
    )


def prepare(settings: Settings) -> None:
    """Get a worker ready: kernels loaded, or compiled where that has not been done on its machine."""
    game = settings.game.game
    warmup.prepare(game, METHOD)
    warmup.run_step(game, Player(settings).touch)


@cache
def _own_version(game: str) -> str:
    return engine_version(GameSpec.parse(game))


def check_version(game: GameSpec, expected: str) -> None:
    """Refuse to play for another engine than this, by an error: versions as `engine_version` tells them."""
    found = _own_version(str(game))
    if found != expected:
        raise SelfPlayError(f"worker: expected {expected}, got {found}")


@dataclass
class Tally:
    """What games add up to.

    Attributes
    ----------
    games, positions, turns, files : int
    outcomes : list of int
        Games by `Outcome`.
    """

    games: int = 0
    positions: int = 0
    turns: int = 0
    files: int = 0
    outcomes: list[int] = field(default_factory=lambda: [0] * len(Outcome))

    def add(self, other: Tally) -> None:
        """Count what another one has counted."""
        self.games += other.games
        self.positions += other.positions
        self.turns += other.turns
        self.files += other.files
        self.outcomes = [mine + more for mine, more in zip(self.outcomes, other.outcomes, strict=True)]

    @classmethod
    def of(cls, shard: Shard) -> Tally:
        """Return what the games of a shard add up to."""
        outcomes = np.bincount(shard.results, minlength=len(Outcome)).tolist()
        return cls(shard.count, len(shard.states), int(shard.turns.sum()), 1, outcomes)


def play_and_pack(batch: Batch) -> tuple[bytes, Tally]:
    """Return the file of a shard, and what its games add up to."""
    shard = play_batch(batch)
    return shard.pack(), Tally.of(shard)


class Run:
    """A run of self-play in a folder, which is kept from other processes. A context manager.

    Parameters
    ----------
    settings : Settings
    games : int
        How many there are to be; more than before extend a run, to whole shards again.
    folder : Path
        Made if need be; its file `SETTINGS` says what is played in it.
    on_notice : callable, optional
        Called with one line about every file that is damaged, whose games are played again.

    Attributes
    ----------
    settings : Settings
    games : int
    tally : Tally
        Of all games on disk.
    played : Tally
        Of those among them that this run has played.

    Raises
    ------
    OptionError
        For a number of games out of range.
    TengenError
        When the folder is in use, or holds games of other settings, which are named.
    """

    def __init__(
        self, settings: Settings, games: int, folder: Path, on_notice: Callable[[str], None] | None = None
    ) -> None:
        if not 1 <= games <= MOST_GAMES:
            raise OptionError(f"games: expected 1 to {MOST_GAMES}, got {games}")
        self.settings = settings
        self.games = games
        self.tally, self.played = Tally(), Tally()
        self._folder = folder
        self._on_notice = on_notice or (lambda line: None)
        self._lock = contextlib.ExitStack()
        self._pending: list[Batch] = []

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock.enter_context(exclusive(self._folder))
        try:
            self._agree()
            self._take_stock()
        except BaseException:
            self._lock.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.close()

    def play(self, farm: Farm, on_shard: Callable[[Tally], None] | None = None) -> None:
        """Play what is not on disk yet; a shard is there before `on_shard` is called with its tally.

        Parameters
        ----------
        farm : Farm
            Whose workers are prepared by `prepare`, with the settings.
        on_shard : callable, optional
        """
        for batch, (data, tally) in farm.run(play_and_pack, self._pending):
            replace_file(self._path(batch.first), data)
            self.tally.add(tally)
            self.played.add(tally)
            if on_shard:
                on_shard(tally)

    def _path(self, first: int) -> Path:
        """Return the file of the shard that begins with the game `first`."""
        return self._folder / f"{first:08d}.npz"

    def _agree(self) -> None:
        """Note the settings in the folder, or compare them with those that it was begun with."""
        path, settings = self._folder / SETTINGS, self.settings.identity()
        try:
            known = json.loads(path.read_text("utf-8"))
            if not isinstance(known, dict):
                raise ValueError("not an object")
        except FileNotFoundError:
            replace_file(path, json.dumps(settings, ensure_ascii=False, indent=1).encode())
            return
        except ValueError as error:
            raise SelfPlayError(f"{path}: expected the settings of self-play, got others ({error})") from None
        self._compare(path, known)

    def _compare(self, path: Path, known: Mapping[str, str]) -> None:
        """Refuse what was played with other settings."""
        if changed := changes(known, self.settings.identity()):
            raise SelfPlayError(f"{path}: expected the same self-play, got another: {changed}")

    def _take_stock(self) -> None:
        """Count what is on disk, and list what is not."""
        size = self.settings.shard
        for first in range(0, self.games, size):
            batch = Batch(self.settings, first, min(size, self.games - first))
            tally = self._stored(batch)
            if tally:
                self.tally.add(tally)
            else:
                self._pending.append(batch)

    def _stored(self, batch: Batch) -> Tally | None:
        """Return what the games of a shard add up to; None when it is not on disk, or not whole."""
        path = self._path(batch.first)
        if not path.exists():
            return None
        try:
            shard = read(path, self.settings.game)
        except DamagedShardError as error:
            self._on_notice(f"{error}; its games are played again")
            return None
        self._compare(path, shard.settings)
        if shard.first != batch.first:
            raise SelfPlayError(
                f"{path}: expected games from {batch.first} on, got some from {shard.first} on"
            )
        return Tally.of(shard) if shard.count >= batch.count else None
