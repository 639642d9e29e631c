"""Positions of self-play as a fit sees them: features, results, and what the search said."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.engine.game import Game, GameSpec, Outcome
from tengen.search.features import features_of
from tengen.search.info import PROVEN
from tengen.tuning.learn.shards import Shard, read
from tengen.tuning.match.records import fingerprint

SYMMETRY_CHECKS = 64  # positions whose images under the board's symmetries are looked at
DIGITS = 16  # of a hash that draws games


class SamplesError(TengenError):
    """Games that cannot be learned from."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Positions, sorted by kind.

    Attributes
    ----------
    features : ndarray
        int32, shape (positions, features), for the side to move.
    phases : ndarray
        int32, ascending: by which row of the evaluation's table each is valued.
    results : ndarray
        float64: 1 for a game that the side to move went on to win, 0 for a loss, 0.5 for a draw.
    scores : ndarray
        int32: what the search said, centi-points for the side to move.
    games : int
        How many games they are from.
    """

    features: NDArray[np.int32]
    phases: NDArray[np.int32]
    results: NDArray[np.float64]
    scores: NDArray[np.int32]
    games: int

    def __len__(self) -> int:
        return len(self.phases)

    def groups(self, most: int = 1 << 16) -> Iterator[tuple[int, slice]]:
        """Yield the kinds and where their positions stand, at most `most` at a time."""
        bounds = np.flatnonzero(np.diff(self.phases)) + 1
        for begin, end in zip([0, *bounds], [*bounds, len(self)], strict=True):
            for first in range(begin, end, most):
                yield int(self.phases[begin]), slice(first, min(first + most, end))


@dataclass
class SampleSource:
    """Games played with the same settings, however many there are to a shard.

    Attributes
    ----------
    settings : dict of str to str
    games : set of int
        Numbers of those that were read.
    digest : hashlib hash
        Of what was read.
    """

    settings: dict[str, str]
    games: set[int] = field(default_factory=set)
    digest: Any = field(default_factory=hashlib.sha256)

    def add(self, shard: Shard, path: Path) -> None:
        """Count the games of a shard.

        Raises
        ------
        SamplesError
            When one of them has been counted before.
        """
        numbers = set(range(shard.first, shard.first + shard.count))
        if twice := numbers & self.games:
            raise SamplesError(f"{path}: expected games that are not there yet, got game {min(twice)} again")
        self.games |= numbers
        for array in (shard.games, shard.plies, shard.scores, shard.results):
            self.digest.update(array.tobytes())

    def describe(self) -> dict[str, Any]:
        """Return what it is, for the record."""
        return {**self.settings, "games": len(self.games), "fingerprint": self.digest.hexdigest()[:16]}


@dataclass(frozen=True, eq=False)
class Data:
    """All that was read.

    Attributes
    ----------
    train, held_out : Samples
        Of games to learn from, and of others to judge by.
    sources : list of dict
        Where they are from.
    forced, proven, even : int
        Positions that were left out: with a threat to be answered; of the others those whose result the
        search had proven; and those that it called exactly even, mostly since it had seen a draw.
    """

    train: Samples
    held_out: Samples
    sources: list[dict[str, Any]]
    forced: int
    proven: int
    even: int


def load(
    spec: GameSpec,
    paths: Sequence[Path],
    share: float,
    seed: int,
    proven: bool = True,
    on_shard: Callable[[int, int], None] | None = None,
) -> Data:
    """Return the positions of shards, one shard after the other in memory.

    Parameters
    ----------
    spec : GameSpec
        What was played.
    paths : sequence of Path
        Shards, and folders of shards.
    share : float
        Of games, chance, to be held out; a game's lot depends on its number, its settings and `seed` alone.
    seed : int
    on_shard : callable, optional
        Called with the number of files read, and that of all.

    Raises
    ------
    TengenError
        When a file is not a whole shard of this game, when games are given twice, or when there are none.
    OSError
        When something cannot be read.
    """
    files = list(_files(paths))
    reader = _ShardReader(spec, share, seed, proven, max(1, len(files) // SYMMETRY_CHECKS))
    for number, path in enumerate(files):
        reader.add(number, path)
        if on_shard:
            on_shard(number + 1, len(files))
    return reader.data()


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the shards that `paths` name."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.glob("*.npz"))
        if not found:
            raise SamplesError(f"{path}: expected files of self-play (*.npz), got a folder without")
        yield from found


class _ShardReader:
    """Collects samples, shard by shard."""

    def __init__(self, spec: GameSpec, share: float, seed: int, proven: bool, step: int) -> None:
        self._spec = spec
        self._share = share
        self._seed = seed
        self._with_proven = proven
        self._step = step  # in every so many shards a position's symmetry is looked at
        self._sources: dict[str, SampleSource] = {}
        self._parts: dict[bool, list[tuple[NDArray[Any], ...]]] = {False: [], True: []}  # by: held out?
        self._games = {False: 0, True: 0}
        self._forced = self._proven = self._even = 0

    def add(self, number: int, path: Path) -> None:
        """Read a shard."""
        shard = read(path, self._spec)
        name = fingerprint({key: value for key, value in shard.settings.items() if key != "shard"})
        self._sources.setdefault(name, SampleSource(dict(shard.settings))).add(shard, path)
        features, phases, quiet = features_of(self._spec.game, shard.states)
        if number % self._step == 0 and len(shard.states):
            check_symmetry(self._spec.game, shard.states[len(shard.states) // 2], path)
        proven, even = np.abs(shard.scores) >= PROVEN, shard.scores == 0
        results = results_of(shard)
        usable = quiet
        if self._with_proven:
            results[proven] = shard.scores[proven] > 0
        else:
            usable = quiet & ~proven & ~even
            self._proven += int((quiet & proven).sum())
            self._even += int((quiet & even).sum())
        self._forced += int((~quiet).sum())
        drawn = [self._draw(name, shard.first + i) for i in range(shard.count)]
        held_out = np.array(drawn, np.bool_)[shard.games - shard.first]
        for held_out_part in (False, True):
            chosen = usable & (held_out == held_out_part)
            self._parts[held_out_part].append(
                (features[chosen], phases[chosen], results[chosen], shard.scores[chosen])
            )
            self._games[held_out_part] += drawn.count(held_out_part)

    def _draw(self, source: str, game: int) -> bool:
        """Return whether a game is held out."""
        digest = hashlib.sha256(f"{self._seed} {source} {game}".encode()).hexdigest()
        return bool(int(digest[:DIGITS], 16) < self._share * 16**DIGITS)

    def data(self) -> Data:
        """Return all that was read."""
        for held_out_part, name in ((False, "to learn from"), (True, "held out")):
            if not sum(len(part[1]) for part in self._parts[held_out_part]):
                games, total = self._games[held_out_part], sum(self._games.values())
                raise SamplesError(
                    f"data: expected quiet positions {name}, got none in {games} of {total} games"
                )
        sources = [self._sources[name].describe() for name in sorted(self._sources)]
        return Data(
            self._samples(False), self._samples(True), sources, self._forced, self._proven, self._even
        )

    def _samples(self, held_out_part: bool) -> Samples:
        """Return what was collected, sorted; the parts are given up."""
        features, phases, results, scores = map(
            np.concatenate, zip(*self._parts.pop(held_out_part), strict=True)
        )
        order = np.argsort(phases, kind="stable")
        return Samples(
            features[order], phases[order], results[order], scores[order], self._games[held_out_part]
        )


def results_of(shard: Shard) -> NDArray[np.float64]:
    """Return what the games came to for the side to move, by position: 1, 0.5 or 0."""
    by_outcome = np.full((len(Outcome), 2), 0.5)
    by_outcome[Outcome.FIRST_WINS] = 1, 0
    by_outcome[Outcome.SECOND_WINS] = 0, 1
    found: NDArray[np.float64] = by_outcome[
        shard.results[shard.games - shard.first], shard.states["side_to_move"]
    ]
    return found


def check_symmetry(game: Game, state: Any, path: Path) -> None:
    """Make sure that the features are the same for all images of a position.

    Raises
    ------
    SamplesError
        When they are not.
    """
    images = game.rules.symmetries(state)
    features, phases, quiet = features_of(game, np.array(images, game.rules.STATE))
    names = game.evaluation.features if game.evaluation else ()
    differing = [name for name, column in zip(names, features.T, strict=True) if np.ptp(column)]
    if differing or np.ptp(phases) or quiet.any() != quiet.all():
        what = ", ".join(differing) or "the kind of position"
        raise SamplesError(f"{path}: {game.name}: expected features without direction, got others: {what}")
