"""Training data of fits, read from shards: what weights or a net see of positions, and what they learn.

Weights are learned from features, results and search scores; nets from active inputs and linear values, too.
"""

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
from tengen.tuning.learn.features import features_of, inputs_of
from tengen.tuning.learn.shards import PositionShard, Shard
from tengen.tuning.version import fingerprint

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
    """Positions, sorted by phase; all is told for the side to move."""

    features: NDArray[np.int32]  # shape (positions, features)
    phases: NDArray[np.int32]  # the row of the evaluation's expanded table that applies to each
    results: NDArray[np.float64]  # 1 if it won the game, 0 if it lost, 0.5 for a draw
    scores: NDArray[np.int32]  # of the search, in centi-points
    games: int  # number of games they come from

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
    """Divides games by a hash of seed, settings and number into those to learn from and those held out."""

    share: float  # probability that a game is held out
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
    """The games of shards of one kind, whose files are read one after the other.

    The paths are those of shards, and of folders of shards, of the game `spec`, or of any of its `variants`.
    `on_shard` is called with the number of files read and the number of all files.
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

        Raises TengenError if a file is not a complete shard of this kind and game, or if a game occurs twice.
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
    """The data of a fit."""

    train: DataT  # positions of the games to learn from
    held_out: DataT  # positions of the games that only judge
    sources: list[dict[str, Any]]  # descriptions of them

    @property
    def positions(self) -> dict[str, int]:
        """Number of positions to learn from, and held out."""
        parts = {"learned": self.train, "held_out": self.held_out}
        return {n: sum(map(len, p)) if isinstance(p, list) else len(p) for n, p in parts.items()}  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Data(LearnData[Samples]):
    """The data of a fit of weights, and numbers of positions left out."""

    noisy: int  # with a threat to answer
    proven: int  # of the others, with a proven result
    even: int  # ... with score 0, mostly because the search saw a draw

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
    """Return the positions of shards, read by `Games`. Only one shard is in memory at a time.

    `proven` asks for positions with a proven result, too; for `share` and `seed` see `Split`. Raises
    TengenError if a file is not a complete shard of this game, if a game occurs twice, or without any games;
    OSError if something cannot be read.
    """
    games = Games(PositionShard, spec, paths, Split(share, seed), on_shard)
    step = max(1, len(games.files) // SYMMETRY_CHECKS)  # every how many shards one position is checked
    parts, counts, left_out = Parts(), {False: 0, True: 0}, np.zeros(3, np.int64)
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
        parts.add((features, phases, results, shard.scores), usable, by_position(shard, held_out_games))
        for part in counts:
            counts[part] += held_out_games.count(part)
    found = []
    for part, count in counts.items():
        where = f" in {count} of {sum(counts.values())} games"
        features, phases, results, scores = parts.joined(part, "quiet positions {}", where)
        order = np.argsort(phases, kind="stable")
        found.append(Samples(features[order], phases[order], results[order], scores[order], count))
    train, judged = found
    return Data(train, judged, games.describe(), *left_out.tolist())


class Parts:
    """Columns of positions, those to learn from and those held out apart."""

    def __init__(self) -> None:
        self._parts: dict[bool, list[tuple[NDArray[Any], ...]]] = {False: [], True: []}

    def add(self, columns: tuple[NDArray[Any], ...], usable: NDArray[Any], held_out: NDArray[Any]) -> None:
        """Add the positions that are `usable`."""
        for part, found in self._parts.items():
            chosen = usable & (held_out == part)
            found.append(tuple(column[chosen] for column in columns))

    def joined(self, held_out: bool, what: str, where: str = "") -> list[NDArray[Any]]:
        """Return the columns of one part, which is released; for the other arguments see `require_some`."""
        found = self._parts.pop(held_out)
        require_some(sum(len(columns[0]) for columns in found), what, held_out, where)
        return [np.concatenate(column) for column in zip(*found, strict=True)]


def files_of(paths: Sequence[Path], pattern: str, what: str) -> Iterator[Path]:
    """Yield the files that `paths` name, and those in folders that match `pattern`, in a fixed order.

    Raises SamplesError if a folder has none; `what` says what is missing there.
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

    Raises SamplesError if they are not.
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
    """Positions that the net is for; all is told for the side to move."""

    inputs: NDArray[Any]  # shape (positions, most active inputs); see `tuning.learn.features.inputs_of`
    linear: NDArray[np.int32]  # the linear evaluation, in centi-points
    scores: NDArray[np.int32]  # of the search, in centi-points
    buckets: NDArray[np.int8]
    results: NDArray[np.float64]  # as those of `Samples`; NaN for inner positions, which have none
    proven: NDArray[np.bool_]  # whether the search had proven the result
    actions: NDArray[np.int16]  # that was played; -1 where it is not known, or the net has no policy

    def __len__(self) -> int:
        return len(self.linear)

    def with_results(self, predictions: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Return those of the predictions, by position, for which there is a result, and the results."""
        known = ~np.isnan(self.results)
        return predictions[known], self.results[known]


@dataclass(frozen=True, eq=False)
class NetData(LearnData[NetSamples]):
    """The data of a net; positions held out are without inner ones. States are the game's STATE."""

    held_out_states: NDArray[Any]  # the positions of `held_out`
    bases: NDArray[Any]  # positions of `train` that others are made from, if they were asked for


def load_inputs(
    spec: GameSpec,
    weights: Weights,
    paths: Sequence[Path],
    split: Split,
    on_shard: OnShard | None = None,
    with_bases: bool = False,
) -> NetData:
    """Return the positions of shards that the net is for, of all variants of the game, without tense ones.

    The net corrects the linear evaluation of `weights`. `with_bases` asks for positions that others are made
    from: all that are not proven, and some that are. Raises TengenError if a file is not a complete shard of
    this game, if a game occurs twice, or without positions to learn from or to judge by.
    """
    games = Games(PositionShard, spec, paths, split, on_shard, variants=True)
    parts, bases = Parts(), list[NDArray[Any]]()
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
        parts.add(found, (buckets >= 0) & ~(held_out & shard.inner), held_out)
    what = "positions {} that the net is for"
    *learned, _ = parts.joined(False, what)
    *judged, states = parts.joined(True, what)
    kept = np.concatenate(bases) if bases else states[:0]
    return NetData(NetSamples(*learned), NetSamples(*judged), games.describe(), states, kept)


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
