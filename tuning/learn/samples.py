"""Training data of a fit, read from shards: features, results and search scores of positions."""

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
from tengen.search.info import PROVEN
from tengen.tuning.identity import fingerprint
from tengen.tuning.learn.features import features_of
from tengen.tuning.learn.shards import AnyShard, Shard, read

SYMMETRY_CHECKS = 64  # number of positions whose mirror images are checked
DIGITS = 16  # of the hash that decides whether a game is held out


class SamplesError(TengenError):
    """Games that a fit cannot use."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Positions, sorted by phase.

    Attributes
    ----------
    features : ndarray
        int32, shape (positions, features), for the side to move.
    phases : ndarray
        int32, ascending: the row of the evaluation's expanded table that applies to each.
    results : ndarray
        float64: 1 if the side to move won the game, 0 if it lost, 0.5 for a draw.
    scores : ndarray
        int32: score of the search in centi-points for the side to move.
    games : int
        Number of games they come from.
    """

    features: NDArray[np.int32]
    phases: NDArray[np.int32]
    results: NDArray[np.float64]
    scores: NDArray[np.int32]
    games: int

    def __len__(self) -> int:
        return len(self.phases)

    def groups(self, most: int = 1 << 16) -> Iterator[tuple[int, slice]]:
        """Yield the phases with slices of their positions, each of at most `most` positions."""
        bounds = np.flatnonzero(np.diff(self.phases)) + 1
        for begin, end in zip([0, *bounds], [*bounds, len(self)], strict=True):
            for first in range(begin, end, most):
                yield int(self.phases[begin]), slice(first, min(first + most, end))


@dataclass
class SampleSource:
    """Games played with the same settings, whatever the size of the shards.

    Attributes
    ----------
    settings : dict of str to str
    games : set of int
        Numbers of the games that were read.
    digest : hashlib hash
        Hash of the arrays that were read.
    """

    settings: dict[str, str]
    games: set[int] = field(default_factory=set)
    digest: Any = field(default_factory=hashlib.sha256)

    def add(self, shard: AnyShard, path: Path) -> None:
        """Add the games of a shard.

        Raises
        ------
        SamplesError
            If one of them has been added before.
        """
        numbers = set(range(shard.first, shard.first + shard.count))
        if twice := numbers & self.games:
            raise SamplesError(f"{path}: expected games that are not there yet, got game {min(twice)} again")
        self.games |= numbers
        for array in shard.digested:
            self.digest.update(array.tobytes())

    def describe(self) -> dict[str, Any]:
        """Return its description for the origin of the weights."""
        return {**self.settings, "games": len(self.games), "fingerprint": self.digest.hexdigest()[:16]}


class SampleSources:
    """All sources of the games that were read."""

    def __init__(self) -> None:
        self._by_name: dict[str, SampleSource] = {}

    def add(self, shard: AnyShard, path: Path) -> str:
        """Add the games of a shard; return the name of their source.

        Raises
        ------
        SamplesError
            If one of them has been added before.
        """
        name = fingerprint({key: value for key, value in shard.settings.items() if key != "shard"})
        self._by_name.setdefault(name, SampleSource(dict(shard.settings))).add(shard, path)
        return name

    def describe(self) -> list[dict[str, Any]]:
        """Return descriptions for the origin of the weights."""
        return [self._by_name[name].describe() for name in sorted(self._by_name)]


@dataclass(frozen=True)
class Draw:
    """Decides by a hash of seed, settings and game number which games are held out.

    Attributes
    ----------
    share : float
        Probability that a game is held out.
    seed : int
    """

    share: float
    seed: int

    def games(self, source: str, shard: AnyShard) -> list[bool]:
        """Return for each game of a shard of `source` whether it is held out, and its branches with it."""
        group = 1 + int(shard.settings.get("branches", "0"))
        numbers = range(shard.first, shard.first + shard.count)
        return [self._draw(source, number - number % group) for number in numbers]

    def held_out(self, source: str, shard: Shard) -> NDArray[np.bool_]:
        """Return for each position of a shard of `source` whether its game is held out."""
        return np.array(self.games(source, shard), np.bool_)[shard.games - shard.first]

    def _draw(self, source: str, game: int) -> bool:
        digest = hashlib.sha256(f"{self.seed} {source} {game}".encode()).hexdigest()
        return bool(int(digest[:DIGITS], 16) < self.share * 16**DIGITS)


@dataclass(frozen=True, eq=False)
class Data:
    """The data of a fit.

    Attributes
    ----------
    train, held_out : Samples
        Positions of the games to learn from, and of the games that only judge.
    sources : list of dict
        Descriptions of the sources.
    noisy, proven, even : int
        Number of positions left out: noisy ones, with a threat to answer; of the others those with a proven
        result, and those with score 0, mostly because the search saw a draw.
    """

    train: Samples
    held_out: Samples
    sources: list[dict[str, Any]]
    noisy: int
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
    """Return the positions of shards. Only one shard is in memory at a time.

    Parameters
    ----------
    spec : GameSpec
        The game that was played.
    paths : sequence of Path
        Shards, and folders of shards.
    share : float
        Probability that a game is held out; decided by a hash of `seed`, settings and game number.
    seed : int
    proven : bool
        Whether positions with a proven result are used.
    on_shard : callable, optional
        Called with the number of files read and the number of all files.

    Raises
    ------
    TengenError
        If a file is not a complete shard of this game, if a game occurs twice, or without any games.
    OSError
        If something cannot be read.
    """
    files = list(files_of(paths))
    reader = _ShardReader(spec, Draw(share, seed), proven, max(1, len(files) // SYMMETRY_CHECKS))
    for number, path in enumerate(files):
        reader.add(number, path)
        if on_shard:
            on_shard(number + 1, len(files))
    return reader.data()


def files_of(paths: Sequence[Path]) -> Iterator[Path]:
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

    def __init__(self, spec: GameSpec, draw: Draw, proven: bool, step: int) -> None:
        self._spec = spec
        self._draw = draw
        self._with_proven = proven
        self._step = step  # every how many shards the symmetry of a position is checked
        self._sources = SampleSources()
        self._parts: dict[bool, list[tuple[NDArray[Any], ...]]] = {False: [], True: []}  # by whether held out
        self._games = {False: 0, True: 0}
        self._noisy = self._proven = self._even = 0

    def add(self, number: int, path: Path) -> None:
        """Read a shard."""
        shard = read(path, self._spec)
        name = self._sources.add(shard, path)
        features, phases, quiet = features_of(self._spec.game, shard.states)
        if number % self._step == 0 and len(shard.states):
            check_symmetry(self._spec.game, shard.states[len(shard.states) // 2], path)
        proven, even = np.abs(shard.scores) >= PROVEN, shard.scores == 0
        results = results_of(shard)
        usable = quiet & ~shard.inner
        if self._with_proven:
            results[proven] = shard.scores[proven] > 0
        else:
            self._proven += int((usable & proven).sum())
            self._even += int((usable & even).sum())
            usable &= ~proven & ~even
        self._noisy += int((~quiet & ~shard.inner).sum())
        drawn, held_out = self._draw.games(name, shard), self._draw.held_out(name, shard)
        for held_out_part in (False, True):
            chosen = usable & (held_out == held_out_part)
            self._parts[held_out_part].append(
                (features[chosen], phases[chosen], results[chosen], shard.scores[chosen])
            )
            self._games[held_out_part] += drawn.count(held_out_part)

    def data(self) -> Data:
        """Return everything that was read."""
        for held_out_part, name in ((False, "to learn from"), (True, "held out")):
            if not sum(len(part[1]) for part in self._parts[held_out_part]):
                games, total = self._games[held_out_part], sum(self._games.values())
                raise SamplesError(
                    f"data: expected quiet positions {name}, got none in {games} of {total} games"
                )
        sources = self._sources.describe()
        return Data(self._samples(False), self._samples(True), sources, self._noisy, self._proven, self._even)

    def _samples(self, held_out_part: bool) -> Samples:
        """Return the collected positions, sorted by phase, and release the parts."""
        features, phases, results, scores = map(
            np.concatenate, zip(*self._parts.pop(held_out_part), strict=True)
        )
        order = np.argsort(phases, kind="stable")
        return Samples(
            features[order], phases[order], results[order], scores[order], self._games[held_out_part]
        )


def results_of(shard: Shard) -> NDArray[np.float64]:
    """Return the result of the game for the side to move, by position: 1, 0.5 or 0."""
    by_outcome = np.full((len(Outcome), 2), 0.5)
    by_outcome[Outcome.FIRST_WINS] = 1, 0
    by_outcome[Outcome.SECOND_WINS] = 0, 1
    found: NDArray[np.float64] = by_outcome[
        shard.results[shard.games - shard.first], shard.states["side_to_move"]
    ]
    return found


def check_symmetry(game: Game, state: Any, path: Path) -> None:
    """Check that the features are the same for all mirror images of a position.

    Raises
    ------
    SamplesError
        If they are not.
    """
    images = game.rules.symmetries(state)
    features, phases, quiet = features_of(game, np.array(images, game.rules.STATE))
    names = game.evaluation.features if game.evaluation else ()
    differing = [name for name, column in zip(names, features.T, strict=True) if np.ptp(column)]
    if differing or np.ptp(phases) or quiet.any() != quiet.all():
        what = ", ".join(differing) or "the kind of position"
        raise SamplesError(f"{path}: {game.name}: expected features without direction, got others: {what}")
