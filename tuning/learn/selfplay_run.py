"""A run of self-play: games by their numbers, kept in shards, whoever plays them.

Games are played and stored in shards; a game counts once its shard is on disk. The files are byte-identical
regardless of workers and interruptions.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np

from tengen.engine.errors import OptionError, TengenError
from tengen.engine.game import Outcome
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import exclusive_lock, read_bytes, remove_unfinished, replace_file
from tengen.engine.storage.parsing import parse_json
from tengen.search import warmup
from tengen.tuning.identity import settings_diff
from tengen.tuning.learn.selfplay import AlphaBetaPlayer, SelfplaySettings, player_of
from tengen.tuning.learn.shards import DamagedShardError, PositionShard, Shard, VisitShard
from tengen.tuning.version import engine_version
from tengen.tuning.workers.pool import WorkerPool

SETTINGS = "selfplay.json"
MAX_SETTINGS = 1 << 20  # bytes of it
MAX_GAMES = 10**8  # numbers of games have eight digits in file names


class SelfPlayError(TengenError):
    """A run of self-play that cannot continue: a folder of another run, or a worker with another engine."""


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


def play_batch(batch: Batch) -> Shard:
    """Play the games of a shard, in a worker.

    Raises
    ------
    SelfPlayError
        If the worker has another version of the engine.
    """
    if (found := _own_version(str(batch.settings.game))) != batch.settings.version:
        raise SelfPlayError(f"worker: expected {batch.settings.version}, got {found}")
    player = player_of(batch.settings)
    return player.shard(batch.first, [player.play(batch.first + n) for n in range(batch.count)])


def prepare(settings: SelfplaySettings) -> None:
    """Load the kernels in a worker; compile them first if its machine has not done so."""
    game = settings.game.game
    warmup.compile_kernels(game, game.search)
    if not settings.by_simulations:
        warmup.run_step(game, AlphaBetaPlayer(settings).compile_kernels)


@cache
def _own_version(game: str) -> str:
    return engine_version(GameSpec.parse(game))


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
    def of(cls, shard: Shard) -> SelfplayCounts:
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
            size = self.settings.shard
            for first in range(0, self.games, size):
                batch = Batch(self.settings, first, min(size, self.games - first))
                if counts := self._load_counts(batch):
                    self.counts.add(counts)
                else:
                    self._pending.append(batch)
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

    def _load_counts(self, batch: Batch) -> SelfplayCounts | None:
        """Return the totals of a shard; None if it is not on disk or not complete."""
        path = self._path(batch.first)
        if not path.exists():
            return None
        try:
            kind: type[Shard] = VisitShard if self.settings.by_simulations else PositionShard
            shard = kind.read(path, self.settings.game)
        except DamagedShardError as error:
            self._on_notice(f"{error}; its games are played again")
            return None
        self._compare(path, shard.settings)
        if shard.first != batch.first:
            raise SelfPlayError(
                f"{path}: expected games from {batch.first} on, got some from {shard.first} on"
            )
        return SelfplayCounts.of(shard) if shard.count >= batch.count else None
