"""Training data of fits, read from shards: what weights or a net see of positions, and what they learn.

Weights are learned from features, results and search scores; nets from active inputs and linear values, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.engine.game import Game, Outcome
from tengen.engine.spec import GameSpec
from tengen.engine.weights import Weights
from tengen.search.info import PROVEN
from tengen.tuning.identity import fingerprint
from tengen.tuning.learn.features import features_of, inputs_of
from tengen.tuning.learn.shards import PositionShard, Shard

PROVEN_BASES = 4  # one in so many proven positions is among the bases
SYMMETRY_CHECKS = 64  # number of positions whose mirror images are checked
DIGITS = 16  # of the hash that decides whether a game is held out
PURPOSES = {False: "to learn from", True: "held out"}  # of games, by whether they are held out

ShardT = TypeVar("ShardT", bound=Shard)
OnShard = Callable[[int, int], None]


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


@dataclass(frozen=True)
class Split:
    """Divides games by a hash of seed, settings and number into those to learn from and those held out.

    Attributes
    ----------
    share : float
        Probability that a game is held out.
    seed : int
    """

    share: float
    seed: int

    def held_out(self, source: str, shard: Shard) -> list[bool]:
        """Return for each game of a shard of `source` whether it is held out, and its branches with it."""
        group = 1 + int(shard.settings.get("branches", "0"))
        numbers = range(shard.first, shard.first + shard.count)
        texts = (f"{self.seed} {source} {number - number % group}" for number in numbers)
        digests = (hashlib.sha256(text.encode()).hexdigest() for text in texts)
        return [int(digest[:DIGITS], 16) < self.share * 16**DIGITS for digest in digests]


@dataclass
class _Source:
    """Games played with the same settings, whatever the size of the shards; and a hash of their arrays."""

    settings: Mapping[str, str]
    games: set[int] = field(default_factory=set)
    digest: Any = field(default_factory=hashlib.sha256)


class Games(Generic[ShardT]):
    """The games of shards, whose files are read one after the other.

    Parameters
    ----------
    kind : type of Shard
    spec : GameSpec
        The game that was played.
    paths : sequence of Path
        Shards, and folders of shards.
    split : Split
    on_shard : callable, optional
        Called with the number of files read and the number of all files.
    variants : bool
        Whether they may be of any variant of the game.

    Attributes
    ----------
    files : list of Path
    """

    def __init__(
        self,
        kind: type[ShardT],
        spec: GameSpec,
        paths: Sequence[Path],
        split: Split,
        on_shard: OnShard | None = None,
        variants: bool = False,
    ) -> None:
        self.files = list(files_of(paths, "*.npz", "files of self-play"))
        self._kind, self._spec, self._split = kind, spec, split
        self._on_shard, self._variants = on_shard, variants
        self._sources: dict[str, _Source] = {}

    def __iter__(self) -> Iterator[tuple[Path, ShardT, list[bool]]]:
        """Yield the path of each shard, the shard, and for each of its games whether it is held out.

        Raises
        ------
        TengenError
            If a file is not a complete shard of this kind and game, or if a game occurs twice.
        """
        for number, path in enumerate(self.files, 1):
            shard = self._kind.read(path, self._spec, self._variants)
            name = fingerprint({key: value for key, value in shard.settings.items() if key != "shard"})
            source = self._sources.setdefault(name, _Source(shard.settings))
            games = set(range(shard.first, shard.first + shard.count))
            if twice := games & source.games:
                raise SamplesError(
                    f"{path}: expected games that are not there yet, got game {min(twice)} again"
                )
            source.games |= games
            for column in shard.DIGESTED:
                source.digest.update(getattr(shard, column).tobytes())
            yield path, shard, self._split.held_out(name, shard)
            if self._on_shard:
                self._on_shard(number, len(self.files))

    def describe(self) -> list[dict[str, Any]]:
        """Return what was read, for the origin of the weights."""
        return [
            {
                **source.settings,
                "games": len(source.games),
                "fingerprint": source.digest.hexdigest()[:16],
            }
            for _, source in sorted(self._sources.items())
        ]


DataT = TypeVar("DataT")


@dataclass(frozen=True, eq=False)
class LearnData(Generic[DataT]):
    """The data of a fit.

    Attributes
    ----------
    train, held_out : samples, or a list of them
        Positions of the games to learn from, and of the games that only judge.
    sources : list of dict
        Descriptions of the sources.
    """

    train: DataT
    held_out: DataT
    sources: list[dict[str, Any]]

    @property
    def positions(self) -> dict[str, int]:
        """Number of positions to learn from, and held out."""
        parts = {"learned": self.train, "held_out": self.held_out}
        return {n: sum(map(len, p)) if isinstance(p, list) else len(p) for n, p in parts.items()}  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Data(LearnData[Samples]):
    """The data of a fit of weights.

    Attributes
    ----------
    noisy, proven, even : int
        Number of positions left out: noisy ones, with a threat to answer; of the others those with a proven
        result, and those with score 0, mostly because the search saw a draw.
    """

    noisy: int
    proven: int
    even: int

    @property
    def positions(self) -> dict[str, int]:
        """Number of positions to learn from, held out, and left out for each reason."""
        return {**super().positions, "tense": self.noisy, "proven": self.proven, "even": self.even}


def load(
    spec: GameSpec,
    paths: Sequence[Path],
    share: float,
    seed: int,
    proven: bool = True,
    on_shard: OnShard | None = None,
) -> Data:
    """Return the positions of shards. Only one shard is in memory at a time.

    Parameters
    ----------
    spec, paths, on_shard
        See `Games`.
    share, seed
        See `Split`.
    proven : bool
        Whether positions with a proven result are used.

    Raises
    ------
    TengenError
        If a file is not a complete shard of this game, if a game occurs twice, or without any games.
    OSError
        If something cannot be read.
    """
    games = Games(PositionShard, spec, paths, Split(share, seed), on_shard)
    step = max(1, len(games.files) // SYMMETRY_CHECKS)  # every how many shards one position is checked
    parts: dict[bool, list[tuple[NDArray[Any], ...]]] = {False: [], True: []}  # by whether held out
    counts, left_out = {False: 0, True: 0}, np.zeros(3, np.int64)
    for number, (path, shard, held_out_games) in enumerate(games):
        features, phases, quiet = features_of(spec.game, shard.states)
        if number % step == 0 and len(shard.states):
            check_symmetry(spec.game, shard.states[len(shard.states) // 2], path)
        sure, even = np.abs(shard.scores) >= PROVEN, shard.scores == 0
        results = results_of(shard)
        usable = quiet & ~shard.inner
        left_out[0] += (~quiet & ~shard.inner).sum()
        if proven:
            results[sure] = shard.scores[sure] > 0
        else:
            left_out[1:] += (usable & sure).sum(), (usable & even).sum()
            usable &= ~sure & ~even
        held_out = by_position(shard, held_out_games)
        for part, found in parts.items():
            chosen = usable & (held_out == part)
            found.append((features[chosen], phases[chosen], results[chosen], shard.scores[chosen]))
            counts[part] += held_out_games.count(part)
    for part, found in parts.items():
        where = f" in {counts[part]} of {sum(counts.values())} games"
        require_some(sum(len(columns[1]) for columns in found), "quiet positions {}", part, where)
    train, judged = (_sorted(parts.pop(part), counts[part]) for part in (False, True))
    return Data(train, judged, games.describe(), *left_out.tolist())


def _sorted(parts: list[tuple[NDArray[Any], ...]], games: int) -> Samples:
    """Return the positions of all `parts`, sorted by phase."""
    features, phases, results, scores = map(np.concatenate, zip(*parts, strict=True))
    order = np.argsort(phases, kind="stable")
    return Samples(features[order], phases[order], results[order], scores[order], games)


def files_of(paths: Sequence[Path], pattern: str, what: str) -> Iterator[Path]:
    """Yield the files that `paths` name, and those in folders that match `pattern`, in a fixed order.

    Raises
    ------
    SamplesError
        If a folder has none; `what` says what is missing there.
    """
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.glob(pattern))
        if not found:
            raise SamplesError(f"{path}: expected {what} (*{Path(pattern).suffix}), got a folder without")
        yield from found


def require_some(count: int, what: str, held_out: bool, where: str = "") -> None:
    """Raise SamplesError if there is nothing to learn from, or nothing held out."""
    if not count:
        raise SamplesError(f"data: expected {what.format(PURPOSES[held_out])}, got none{where}")


def by_position(shard: PositionShard, by_game: Any) -> NDArray[Any]:
    """Return for each position of a shard what `by_game` has for its game."""
    found: NDArray[Any] = np.array(by_game)[shard.games - shard.first]
    return found


def results_of(shard: PositionShard) -> NDArray[np.float64]:
    """Return the result of the game for the side to move, by position: 1, 0.5 or 0."""
    by_outcome = np.full((len(Outcome), 2), 0.5)
    by_outcome[Outcome.FIRST_WINS] = 1, 0
    by_outcome[Outcome.SECOND_WINS] = 0, 1
    found: NDArray[np.float64] = by_outcome[by_position(shard, shard.results), shard.states["side_to_move"]]
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


# ------------------------------------------------------------------------------------------------------- nets


@dataclass(frozen=True, eq=False)
class NetSamples:
    """Positions that the net is for.

    Attributes
    ----------
    inputs : ndarray
        Shape (positions, most active inputs); see `tuning.learn.features.inputs_of`.
    linear, scores : ndarray
        int32: the linear evaluation and the score of the search, in centi-points for the side to move.
    buckets : ndarray
        int8.
    results : ndarray
        float64: 1 if the side to move won the game, 0 if it lost, 0.5 for a draw; NaN for inner positions,
        whose result is not known.
    proven : ndarray
        bool: whether the search had proven the result.
    actions : ndarray
        int16: the action that was played; -1 where it is not known, or the net has no policy.
    """

    inputs: NDArray[Any]
    linear: NDArray[np.int32]
    scores: NDArray[np.int32]
    buckets: NDArray[np.int8]
    results: NDArray[np.float64]
    proven: NDArray[np.bool_]
    actions: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.linear)

    def with_results(self, predictions: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Return those of the predictions, by position, for which there is a result, and the results."""
        known = ~np.isnan(self.results)
        return predictions[known], self.results[known]


@dataclass(frozen=True, eq=False)
class NetData(LearnData[NetSamples]):
    """The data of a net; positions held out are without inner ones.

    Attributes
    ----------
    held_out_states : ndarray
        The game's STATE: the positions of `held_out`.
    bases : ndarray
        The game's STATE: positions of `train` that others are made from, if they were asked for.
    """

    held_out_states: NDArray[Any]
    bases: NDArray[Any]


def load_inputs(
    spec: GameSpec,
    weights: Weights,
    paths: Sequence[Path],
    split: Split,
    on_shard: OnShard | None = None,
    with_bases: bool = False,
) -> NetData:
    """Return the positions of shards that the net is for; others, and tense ones, are left out.

    Parameters
    ----------
    spec, paths, split, on_shard
        See `Games`; positions of all variants of the game are read.
    weights : Weights
        Those of the linear evaluation that the net corrects.
    with_bases : bool
        Whether to keep positions that others are made from: all that are not proven, and some that are.

    Raises
    ------
    TengenError
        If a file is not a complete shard of this game, if a game occurs twice, or without positions to learn
        from or to judge by.
    """
    games = Games(PositionShard, spec, paths, split, on_shard, variants=True)
    parts: dict[bool, list[tuple[NDArray[Any], ...]]] = {False: [], True: []}
    bases: list[NDArray[Any]] = []
    for _, shard, held_out_games in games:
        inputs, linear, buckets = inputs_of(spec.game, weights, shard.states)
        proven, results = np.abs(shard.scores) >= PROVEN, results_of(shard)
        results[shard.inner] = np.nan
        results[proven] = shard.scores[proven] > 0
        actions = _actions(spec, shard, inputs)
        found = (inputs, linear, shard.scores, buckets, results, proven, actions, shard.states)
        held_out = by_position(shard, held_out_games)
        if with_bases:
            rare = np.arange(len(proven)) % PROVEN_BASES == 0
            bases.append(shard.states[(buckets >= 0) & ~held_out & (~proven | rare)])
        for part in (False, True):
            chosen = (buckets >= 0) & (held_out == part) & ~(part & shard.inner)
            parts[part].append(tuple(column[chosen] for column in found))
    columns = {
        part: [np.concatenate(column) for column in zip(*found, strict=True)] for part, found in parts.items()
    }
    for part, column in columns.items():
        require_some(len(column[0]), "positions {} that the net is for", part)
    learned, judged = (NetSamples(*found[:-1]) for found in columns.values())
    kept = np.concatenate(bases) if bases else columns[True][-1][:0]
    return NetData(learned, judged, games.describe(), columns[True][-1], kept)


def _actions(spec: GameSpec, shard: PositionShard, inputs: NDArray[Any]) -> NDArray[np.int16]:
    """Return the actions that were played in the positions of a shard; -1 where they are not known."""
    found, roots = np.full(len(inputs), -1, np.int16), np.flatnonzero(~shard.inner)
    before, after = roots[:-1], roots[1:]
    next_ply = shard.plies[after] == shard.plies[before] + 1
    next_ply &= shard.games[after] == shard.games[before]
    before, after = before[next_ply], after[next_ply]
    evaluation = spec.game.evaluation
    assert evaluation
    assert evaluation.net
    found[before] = evaluation.net.played(inputs[before], inputs[after])
    return found
