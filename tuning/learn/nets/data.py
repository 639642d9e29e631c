"""Training data of a net, read from shards: active inputs, linear values, results and search scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.spec import GameSpec
from tengen.engine.weights import Weights
from tengen.search.info import PROVEN
from tengen.tuning.learn.features import inputs_of
from tengen.tuning.learn.samples import (
    Games,
    LearnData,
    OnShard,
    Split,
    by_position,
    require_some,
    results_of,
)
from tengen.tuning.learn.shards import PositionShard

PROVEN_BASES = 4  # one in so many proven positions is among the bases


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


def load(
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
