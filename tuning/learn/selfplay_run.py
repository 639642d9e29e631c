"""A run of self-play: games by their numbers, kept in shards, whoever plays them.

Games are played and stored in shards; a game counts once its shard is on disk. The files are byte-identical
regardless of workers and interruptions.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np

from tengen.engine.errors import OptionError, TengenError
from tengen.engine.game import Outcome
from tengen.engine.storage.files import exclusive_lock, read_bytes, remove_unfinished, replace_file
from tengen.engine.storage.parsing import parse_json
from tengen.search import warmup
from tengen.tuning.learn.selfplay import AlphaBetaPlayer, SelfplaySettings, TreePlayer
from tengen.tuning.learn.shards import DamagedShardError, PositionShard, Shard, VisitShard
from tengen.tuning.learn.taught import TaughtPlayer
from tengen.tuning.version import engine_version, settings_diff
from tengen.tuning.workers.pool import WorkerPool

SETTINGS = "selfplay.json"
MAX_SETTINGS = 1 << 20  # bytes of it
MAX_GAMES = 10**8  # numbers of games have eight digits in file names
_own_version = cache(engine_version)  # of this process


class SelfPlayError(TengenError):
    """A run of self-play that cannot continue: a folder of another run, or a worker with another engine."""


@dataclass(frozen=True)
class Batch:
    """The games of one shard, as a job for a worker: the number of the first, and how many."""

    settings: SelfplaySettings
    first: int
    count: int

    def __repr__(self) -> str:
        """Return its name in error messages."""
        return f"games {self.first} to {self.first + self.count - 1} of {self.settings.game}"


def play_batch(batch: Batch) -> Shard:
    """Play the games of a shard, in a worker.

    Raises SelfPlayError if the worker has another version of the engine.
    """
    if (found := _own_version(batch.settings.game)) != batch.settings.version:
        raise SelfPlayError(f"worker: expected {batch.settings.version}, got {found}")
    kind = TreePlayer if batch.settings.by_simulations else AlphaBetaPlayer
    player = (TaughtPlayer if batch.settings.teacher else kind)(batch.settings)
    return player.shard(batch.first, player.games(batch.first, batch.count))


def prepare(settings: SelfplaySettings) -> None:
    """Load the kernels in a worker; compile them first if its machine has not done so."""
    game = settings.game.game
    warmup.compile_kernels(game, game.search)
    if not settings.by_simulations:
        warmup.run_step(game, AlphaBetaPlayer(settings).compile_kernels)


def totals(shard: Shard) -> Counter[str]:
    """Return the numbers of games, positions, turns, files and results of a shard, by what is counted."""
    outcomes = np.bincount(shard.results, minlength=len(Outcome)).tolist()
    return Counter(
        games=shard.count,
        positions=shard.positions,
        turns=shard.length,
        files=1,
        first_wins=outcomes[Outcome.FIRST_WINS],
        draws=outcomes[Outcome.DRAW],
        second_wins=outcomes[Outcome.SECOND_WINS],
    )


def play_and_pack(batch: Batch) -> tuple[bytes, Counter[str]]:
    """Play the games of a shard; return the bytes of its file and its totals."""
    shard = play_batch(batch)
    return shard.pack(), totals(shard)


class SelfplayRun:
    """A run of self-play in a folder, which it creates and locks. A context manager.

    A greater number of games than before extends the run. The folder's file `SETTINGS` holds the settings.
    `on_notice` is called with one line about every damaged file, whose games are played again. `counts` are
    the totals of all games on disk, `played` those of games that were played since the run was opened. Raises
    OptionError if the number of games is out of range; TengenError if the folder is in use, or holds games of
    other settings; the message names the differences.
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
        self.settings, self.games, self._folder = settings, games, folder
        self.counts, self.played = Counter[str](), Counter[str]()
        self._on_notice = on_notice or (lambda line: None)
        self._pending: list[Batch] = []

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as stack:
            stack.enter_context(exclusive_lock(self._folder))
            remove_unfinished(self._folder)
            self._check_settings()
            size = self.settings.shard
            for first in range(0, self.games, size):
                batch = Batch(self.settings, first, min(size, self.games - first))
                if counts := self._load_counts(batch):
                    self.counts.update(counts)
                else:
                    self._pending.append(batch)
            self._lock = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.close()

    def play(self, pool: WorkerPool, on_shard: Callable[[Counter[str]], None] | None = None) -> None:
        """Play the games that are not on disk yet. Each shard is on disk before `on_shard` gets its totals.

        The pool's initializer is `prepare` with the settings.
        """
        for batch, (data, counts) in pool.run(play_and_pack, self._pending):
            replace_file(self._path(batch.first), data)
            self.counts.update(counts)
            self.played.update(counts)
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

    def _load_counts(self, batch: Batch) -> Counter[str] | None:
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
        return totals(shard) if shard.count >= batch.count else None
