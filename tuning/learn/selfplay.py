"""Self-play: thousands of games of the engine against itself, stored with the scores of its searches.

Games are played and stored in shards; a game counts once its shard is on disk. Every game depends only on the
settings and its number, so the files are byte-identical regardless of workers and interruptions.
"""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from tengen.engine.errors import OptionError, TengenError
from tengen.engine.game import GameSpec, Outcome
from tengen.engine.jit import StopFlag
from tengen.engine.play.position import Position
from tengen.engine.play.turns import finish_turn, first_turn
from tengen.engine.storage.files import exclusive_lock, read_bytes, remove_unfinished, replace_file
from tengen.engine.storage.parsing import parse_json
from tengen.engine.weights import Weights
from tengen.search import warmup
from tengen.search.alphabeta.deepening import iterative_deepening
from tengen.search.alphabeta.line import PvLine
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.alphabeta.thread import SearchOptions, SearchThread
from tengen.search.binding import bound
from tengen.search.limits.limit import MAX_SAMPLE, Limits
from tengen.search.worker import parameters_of
from tengen.tuning.identity import settings_diff
from tengen.tuning.learn.shards import AnyShard, DamagedShardError, Shard, read
from tengen.tuning.openings import BALANCED, BalancedDraw, candidate_turn
from tengen.tuning.version import engine_version
from tengen.tuning.workers.pool import WorkerPool

SETTINGS = "selfplay.json"
MAX_SETTINGS = 1 << 20  # bytes of it
MAX_GAME_TURNS = 400  # turns after which a game is a draw
HASH_MB = 1
MAX_GAMES = 10**8  # numbers of games have eight digits in file names
MAX_BRANCHES = 1000
METHODS = {"alphabeta": "alpha-beta", "mcts": "simulations"}  # and their names in messages


class SelfPlayError(TengenError):
    """A run of self-play that cannot continue: a folder of another run, or a worker with another engine."""


@dataclass(frozen=True)
class SelfplaySettings:
    """The settings that decide which games are played, and in which file they are stored.

    Attributes
    ----------
    METHOD : str
        How the game is searched.
    game : GameSpec
        A game that is searched by alpha-beta, without challenges.
    depth, nodes : int or None
        Effort per turn, a depth in actions or a number of positions; exactly one of them.
    openings : int
        Maximum number of random opening turns; each game draws a number from 0 to this.
    balanced : bool
        Whether games begin with balanced openings instead (see `tuning.openings.BalancedDraw`).
    explore : float
        Probability that a later turn is random.
    seed : int
    shard : int
        Number of games per file.
    inner : int
        How many positions within each search are searched, too, and stored.
    branches : int
        How many games follow each game that begin at positions within its searches.
    weights : Weights or None
        Weights of the evaluation; None for the shipped ones.
    version : str
        Version of the engine (see `tuning.version.engine_version`).
    """

    METHOD: ClassVar[str] = "alphabeta"

    game: GameSpec
    depth: int | None
    nodes: int | None
    openings: int
    explore: float = 0.02
    seed: int = 1
    shard: int = 64
    inner: int = 0
    branches: int = 0
    balanced: bool = False
    weights: Weights | None = None
    version: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        game = self.game
        expected = f"one that is searched by {METHODS[self.METHOD]}"
        self._require(game.game.search == self.METHOD, "game", expected, game)
        self._require(game.challenge is None, "game", "one without challenges", game)
        efforts = (self.depth, self.nodes)
        self._require((self.depth is None) != (self.nodes is None), "effort", "a depth or nodes", efforts)
        self._require(
            0 <= self.openings < MAX_GAME_TURNS, "openings", f"0 to {MAX_GAME_TURNS - 1} turns", self.openings
        )
        self._require(0 <= self.explore <= 1, "explore", "a share from 0 to 1", self.explore)
        self._require(self.shard >= 1, "shard", "at least 1 game", self.shard)
        self._require(0 <= self.inner <= MAX_SAMPLE, "inner", f"0 to {MAX_SAMPLE} positions", self.inner)
        self._require(0 <= self.branches <= MAX_BRANCHES, "branches", f"0 to {MAX_BRANCHES}", self.branches)
        object.__setattr__(self, "version", self.version or engine_version(game))

    def _require(self, sound: bool, name: str, expected: str, got: object) -> None:
        if not sound:
            raise OptionError(f"{name}: expected {expected}, got {got}")

    def player(self) -> Player:
        """Return what plays the games."""
        return SelfplayPlayer(self)

    def read(self, path: Path) -> AnyShard:
        """Return the games in the file at `path`; see `tuning.learn.shards.read`."""
        return read(path, self.game)

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
            "weights": self.weights.fingerprint if self.weights else "shipped",
            "engine": self.version,
        }


@dataclass(frozen=True)
class Batch:
    """The games of one shard, as a job for a worker.

    Attributes
    ----------
    settings : SelfplaySettings
    first, count : int
        Number of the first game, and number of games.
    """

    settings: SelfplaySettings
    first: int
    count: int

    def __repr__(self) -> str:
        """Return its name in error messages."""
        return f"games {self.first} to {self.first + self.count - 1} of {self.settings.game}"


class Player(Protocol):
    """Plays games of self-play with a search."""

    def play(self, number: int) -> Any:
        """Play the game with this number and return it."""

    def shard(self, first: int, games: Sequence[Any]) -> AnyShard:
        """Return games that `play` has returned, the numbers of which count on from `first`."""


@dataclass
class SelfplayGame:
    """One game.

    Attributes
    ----------
    states, scores, plies : list
        Positions that were searched, their scores, and the number of turns before them.
    inner : list of bool
        Whether it did not occur in the game, but in the search of the last position that did.
    samples : list
        Positions within the searches, for branches to begin at.
    outcome : Outcome
    turns : int
        Number of turns, random ones included; a branch counts from where it begins.
    """

    states: list[Any] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    plies: list[int] = field(default_factory=list)
    inner: list[bool] = field(default_factory=list)
    samples: list[Any] = field(default_factory=list)
    outcome: Outcome = Outcome.ONGOING
    turns: int = 0


class SelfplayPlayer:
    """Plays games of self-play, one after the other.

    Parameters
    ----------
    settings : SelfplaySettings
    """

    def __init__(self, settings: SelfplaySettings) -> None:
        self._settings = settings
        self._rules = bound(settings.game.game)
        self._limits = Limits(depth=settings.depth, nodes=settings.nodes)
        self._parameters = parameters_of(settings.game.game, settings.weights)
        self._table, self._flag = TranspositionTable(HASH_MB), StopFlag()
        self._actions = np.zeros(self._rules.MAX_ACTIONS, np.int32)
        self._samples_of: tuple[int, list[Any]] = -1, []

    def compile_kernels(self) -> None:
        """Compile the kernels that self-play calls outside the search."""
        position = Position.start(self._settings.game)
        position.make(candidate_turn(position, random.Random(0), self._actions))
        finish_turn(self._rules, position.state.copy())

    def play(self, number: int) -> SelfplayGame:
        """Play the game with this number and return it."""
        settings, rules = self._settings, self._rules
        rng = random.Random(f"{settings.seed} {number}")
        opening = rng.randint(0, settings.openings)
        branch = number % (settings.branches + 1)
        begin: Any = None
        if branch and (samples := self._samples(number - branch)):
            begin, opening = rng.choice(samples), 0
        elif settings.balanced:
            begin, opening = self._balanced.position(rng).state, 0
        self._table.clear()
        game = SelfplayGame()
        position = Position.of_state(
            settings.game, rules.start(settings.game.values) if begin is None else begin
        )
        while (outcome := rules.outcome(position.state)) == Outcome.ONGOING and game.turns < MAX_GAME_TURNS:
            if game.turns < opening or rng.random() < settings.explore:
                turn: Sequence[int] = candidate_turn(position, rng, self._actions)
            else:
                turn = self._best_turn(position, game)
            position.make(turn)
            game.turns += 1
        game.outcome = Outcome(int(outcome)) or Outcome.DRAW
        if not branch:
            self._samples_of = number, game.samples
        return game

    def _samples(self, number: int) -> list[Any]:
        """Return positions within the searches of the game with this number, which is played if need be."""
        if self._samples_of[0] != number:
            self.play(number)
        return self._samples_of[1]

    @cached_property
    def _balanced(self) -> BalancedDraw:
        return BalancedDraw(self._settings.game)

    def _best_turn(self, position: Position, game: SelfplayGame) -> Sequence[int]:
        """Search, store the position with its score, and return the best turn."""
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
        return first_turn(self._rules, position.state, line.actions)

    def _thread(self, position: Position) -> SearchThread:
        """Return a thread that searches `position`."""
        self._table.new_search()
        nodes = self._settings.nodes or 0
        return SearchThread(position, self._table, self._flag, nodes, SearchOptions(self._parameters))

    def _search(self, thread: SearchThread) -> PvLine | None:
        """Return the best line that the thread finds."""
        lines = iterative_deepening(thread, self._limits, _ignore, _never_stop)
        return lines[0] if lines else None

    def shard(self, first: int, games: Sequence[SelfplayGame]) -> Shard:
        """Return games that `play` has returned, the numbers of which count on from `first`."""
        return Shard(
            self._settings.game,
            self._settings.identity(),
            first,
            np.array([state for game in games for state in game.states], self._rules.STATE),
            np.array([score for game in games for score in game.scores], np.int32),
            np.array([ply for game in games for ply in game.plies], np.int32),
            np.repeat(first + np.arange(len(games), dtype=np.int64), [len(game.states) for game in games]),
            np.array([game.outcome for game in games], np.int8),
            np.array([game.turns for game in games], np.int32),
            np.array([inner for game in games for inner in game.inner], np.bool_),
        )

    @staticmethod
    def _store(game: SelfplayGame, position: Position, line: PvLine, inner: bool) -> None:
        """Store a position that was searched; `inner` if it is one within a search."""
        game.states.append(position.state)
        game.scores.append(line.score.value)
        game.plies.append(game.turns)
        game.inner.append(inner)


def _ignore(line: object) -> None:
    """Ignore a line of the search."""


def _never_stop(depth: int) -> bool:
    """Return False: only the limits end the search."""
    return False


def play_batch(batch: Batch) -> AnyShard:
    """Play the games of a shard, in a worker.

    Raises
    ------
    SelfPlayError
        If the worker has another version of the engine.
    """
    check_version(batch.settings.game, batch.settings.version)
    player = batch.settings.player()
    return player.shard(batch.first, [player.play(batch.first + number) for number in range(batch.count)])


def prepare(settings: SelfplaySettings) -> None:
    """Load the kernels in a worker; compile them first if its machine has not done so."""
    game = settings.game.game
    warmup.compile_kernels(game, settings.METHOD)
    if settings.METHOD == SelfplaySettings.METHOD:
        warmup.run_step(game, SelfplayPlayer(settings).compile_kernels)


@cache
def _own_version(game: str) -> str:
    return engine_version(GameSpec.parse(game))


def check_version(game: GameSpec, expected: str) -> None:
    """Raise SelfPlayError unless the version of the engine (see `engine_version`) is `expected`."""
    found = _own_version(str(game))
    if found != expected:
        raise SelfPlayError(f"worker: expected {expected}, got {found}")


@dataclass
class SelfplayCounts:
    """Totals over games.

    Attributes
    ----------
    games, positions, turns, files : int
    outcomes : list of int
        Number of games by `Outcome`.
    """

    games: int = 0
    positions: int = 0
    turns: int = 0
    files: int = 0
    outcomes: list[int] = field(default_factory=lambda: [0] * len(Outcome))

    def add(self, other: SelfplayCounts) -> None:
        """Add the totals of `other`."""
        self.games += other.games
        self.positions += other.positions
        self.turns += other.turns
        self.files += other.files
        self.outcomes = [mine + more for mine, more in zip(self.outcomes, other.outcomes, strict=True)]

    @classmethod
    def of(cls, shard: AnyShard) -> SelfplayCounts:
        """Return the totals of a shard."""
        outcomes = np.bincount(shard.results, minlength=len(Outcome)).tolist()
        return cls(shard.count, shard.positions, shard.length, 1, outcomes)


def play_and_pack(batch: Batch) -> tuple[bytes, SelfplayCounts]:
    """Play the games of a shard; return the bytes of its file and its totals."""
    shard = play_batch(batch)
    return shard.pack(), SelfplayCounts.of(shard)


class SelfplayRun:
    """A run of self-play in a folder, which it locks. A context manager.

    Parameters
    ----------
    settings : SelfplaySettings
    games : int
        Total number of games. A greater number than before extends the run.
    folder : Path
        Created if necessary; its file `SETTINGS` holds the settings.
    on_notice : callable, optional
        Called with one line about every damaged file, whose games are played again.

    Attributes
    ----------
    settings : SelfplaySettings
    games : int
    counts : SelfplayCounts
        Totals of all games on disk.
    played : SelfplayCounts
        Totals of the games that were played since the run was opened.

    Raises
    ------
    OptionError
        If the number of games is out of range.
    TengenError
        If the folder is in use, or holds games of other settings; the message names the differences.
    """

    def __init__(
        self,
        settings: SelfplaySettings,
        games: int,
        folder: Path,
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        if not 1 <= games <= MAX_GAMES:
            raise OptionError(f"games: expected 1 to {MAX_GAMES}, got {games}")
        self.settings = settings
        self.games = games
        self.counts, self.played = SelfplayCounts(), SelfplayCounts()
        self._folder = folder
        self._on_notice = on_notice or (lambda line: None)
        self._lock = contextlib.ExitStack()
        self._pending: list[Batch] = []

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock.enter_context(exclusive_lock(self._folder))
        try:
            remove_unfinished(self._folder)
            self._check_settings()
            self._scan_shards()
        except BaseException:
            self._lock.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.close()

    def play(self, pool: WorkerPool, on_shard: Callable[[SelfplayCounts], None] | None = None) -> None:
        """Play the games that are not on disk yet. Each shard is on disk before `on_shard` gets its totals.

        Parameters
        ----------
        pool : WorkerPool
            Its initializer is `prepare` with the settings.
        on_shard : callable, optional
        """
        for batch, (data, counts) in pool.run(play_and_pack, self._pending):
            replace_file(self._path(batch.first), data)
            self.counts.add(counts)
            self.played.add(counts)
            if on_shard:
                on_shard(counts)

    def _path(self, first: int) -> Path:
        """Return the path of the shard that begins with the game `first`."""
        return self._folder / f"{first:08d}.npz"

    def _check_settings(self) -> None:
        """Store the settings in a new folder; compare them with the stored ones otherwise."""
        path, settings = self._folder / SETTINGS, self.settings.identity()
        try:
            known = parse_json(read_bytes(path, MAX_SETTINGS))
            if not isinstance(known, dict):
                raise ValueError("not an object")
        except FileNotFoundError:
            replace_file(path, json.dumps(settings, ensure_ascii=False, indent=1).encode())
            return
        except ValueError as error:
            raise SelfPlayError(f"{path}: expected the settings of self-play, got others ({error})") from None
        self._compare(path, known)

    def _compare(self, path: Path, known: Mapping[str, str]) -> None:
        """Raise SelfPlayError if the games of `path` were played with other settings."""
        if changed := settings_diff(known, self.settings.identity()):
            raise SelfPlayError(f"{path}: expected the same self-play, got another: {changed}")

    def _scan_shards(self) -> None:
        """Count the games on disk, and list the shards that are missing."""
        size = self.settings.shard
        for first in range(0, self.games, size):
            batch = Batch(self.settings, first, min(size, self.games - first))
            counts = self._load_counts(batch)
            if counts:
                self.counts.add(counts)
            else:
                self._pending.append(batch)

    def _load_counts(self, batch: Batch) -> SelfplayCounts | None:
        """Return the totals of a shard; None if it is not on disk or not complete."""
        path = self._path(batch.first)
        if not path.exists():
            return None
        try:
            shard = self.settings.read(path)
        except DamagedShardError as error:
            self._on_notice(f"{error}; its games are played again")
            return None
        self._compare(path, shard.settings)
        if shard.first != batch.first:
            raise SelfPlayError(
                f"{path}: expected games from {batch.first} on, got some from {shard.first} on"
            )
        return SelfplayCounts.of(shard) if shard.count >= batch.count else None
