"""Training data of a convolutional net, read from shards with visits: planes and targets of positions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.game import Game, GameSpec, Outcome
from tengen.search import warmup
from tengen.tuning.learn.samples import Draw, SamplesError, SampleSources, files_of
from tengen.tuning.learn.visits.shards import VisitShard, read

DRAWN = {False: "to learn from", True: "held out"}  # by whether the game is held out
HUNDRED = 100  # of margins, for a point, and of ownership


@dataclass(frozen=True, eq=False)
class BoardSamples:
    """Positions on boards of one size; all targets are for the side to move.

    Attributes
    ----------
    planes : ndarray
        uint8, shape (positions, points, planes); points by rows from the bottom.
    about : ndarray
        float32, shape (positions, numbers about a position).
    policy : ndarray
        float32, shape (positions, points + 1): the share of the visits of each point, and of a pass.
    rates : ndarray
        float32: win rate of the search.
    results : ndarray
        float32: 1 if the side to move won the game, 0 if it lost, 0.5 for a draw.
    margins : ndarray
        float32, in points.
    owners : ndarray
        float32, shape (positions, points): from -1 to 1.
    playouts : ndarray
        float32: mean value of some playouts from the position; 0 where none were asked for.
    """

    planes: NDArray[np.uint8]
    about: NDArray[np.float32]
    policy: NDArray[np.float32]
    rates: NDArray[np.float32]
    results: NDArray[np.float32]
    margins: NDArray[np.float32]
    owners: NDArray[np.float32]
    playouts: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.rates)

    @property
    def size(self) -> int:
        """Points on a side of the board."""
        return math.isqrt(self.owners.shape[1])


@dataclass(frozen=True, eq=False)
class BoardData:
    """The data of a convolutional net.

    Attributes
    ----------
    train, held_out : list of BoardSamples
        Positions of the games to learn from, and of the games that only judge, by size of the board.
    komis : ndarray
        The lowest and the highest komi, as `ConvolutionShape.numbers` has them.
    sources : list of dict
        Descriptions of the games.
    """

    train: list[BoardSamples]
    held_out: list[BoardSamples]
    komis: NDArray[np.int32]
    sources: list[dict[str, Any]]

    @property
    def positions(self) -> dict[str, int]:
        """Number of positions to learn from, and held out."""
        return {"learned": sum(map(len, self.train)), "held_out": sum(map(len, self.held_out))}


def load(
    spec: GameSpec,
    paths: Sequence[Path],
    draw: Draw,
    playouts: int,
    on_shard: Callable[[int, int], None] | None = None,
) -> BoardData:
    """Return the positions of shards that were searched.

    Parameters
    ----------
    spec : GameSpec
        The game; positions of all its variants are read.
    paths : sequence of Path
        Shards, and folders of shards.
    draw : Draw
        Decides which games are held out.
    playouts : int
        How many playouts go on from each position that is held out.
    on_shard : callable, optional
        Called with the number of files read and the number of all files.

    Raises
    ------
    TengenError
        If a file is not a complete shard of this game, if a turn is illegal, if a game occurs twice, or
        without positions to learn from or to judge by.
    """
    files, sources = list(files_of(paths)), SampleSources()
    parts: dict[bool, dict[int, list[BoardSamples]]] = {False: {}, True: {}}
    replay = _Replay(spec.game)
    for number, path in enumerate(files):
        shard = read(path, spec, variants=True)
        name = sources.add(shard, path)
        for game, held_out in enumerate(draw.games(name, shard)):
            found = replay.samples(path, shard, game, playouts if held_out else 0)
            if len(found):
                parts[held_out].setdefault(found.size, []).append(found)
        if on_shard:
            on_shard(number + 1, len(files))
    for part, what in DRAWN.items():
        if not parts[part]:
            raise SamplesError(f"data: expected positions {what} that were searched, got none")
    train, held_out_parts = ([_joined(found) for _, found in sorted(parts[part].items())] for part in DRAWN)
    return BoardData(train, held_out_parts, replay.komis(), sources.describe())


def _joined(parts: list[BoardSamples]) -> BoardSamples:
    """Return the positions of all `parts`, whose boards have the same size."""
    return BoardSamples(
        *(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(BoardSamples))
    )


class _Replay:
    """Replays games, and notes what a net sees of them."""

    def __init__(self, game: Game) -> None:
        self._game, self._module = game, game.module("planes")
        self._states, self._playout, self._net = self._module.scratch()
        self._starts: dict[str, Any] = {}
        self._ready = False

    def samples(self, path: Path, shard: VisitShard, game: int, playouts: int) -> BoardSamples:
        """Return the positions of a game of a shard that were searched."""
        begin = int(shard.lengths[:game].sum())
        end = begin + int(shard.lengths[game])
        turns, rates = shard.turns[begin:end], shard.rates[begin:end]
        wanted = ~np.isnan(rates)
        start = self._start(shard.game)
        size, count = int(start.board.width), int(wanted.sum())
        shape = self._module.SHAPE
        planes = np.zeros((count, size * size, shape.planes), np.uint8)
        about, values = np.zeros((count, shape.globals), np.float32), np.zeros(count, np.float32)
        arguments = turns, wanted, np.int64(playouts), planes, about, values
        played = self._run(start, arguments)
        if played < len(turns):
            which = f"game {shard.first + game}, turn {played + 1}"
            raise SamplesError(f"{path}: {which}: expected a legal turn, got {turns[played]}")
        sign = np.where(np.flatnonzero(wanted) % 2 == int(start.side_to_move), 1.0, -1.0).astype(np.float32)
        result = {Outcome.FIRST_WINS: 1.0, Outcome.SECOND_WINS: -1.0}.get(Outcome(shard.results[game]), 0.0)
        owners = np.zeros(size * size, np.float32)
        points = self._game.module("simulation").points(start)
        owners[self._module.owner_indices(points, size)] = shard.owners[game] / HUNDRED
        return BoardSamples(
            planes,
            about,
            self._policy(path, shard, (begin, end), wanted, size),
            rates[wanted],
            0.5 + 0.5 * sign * np.float32(result),
            sign * np.float32(shard.margins[game] / HUNDRED),
            sign[:, None] * owners,
            values,
        )

    def komis(self) -> NDArray[np.int32]:
        """Return the lowest and the highest komi of all games so far."""
        ranges: NDArray[np.int32] = self._module.komi_ranges(self._starts.values())
        return ranges

    def _start(self, spec: GameSpec) -> Any:
        """Return the start position of games of `spec`."""
        name = str(spec)
        if name not in self._starts:
            self._starts[name] = self._game.rules.start(spec.values)
        return self._starts[name]

    def _run(self, start: Any, arguments: tuple[Any, ...]) -> int:
        """Replay a game; return how many of its turns were legal."""

        def replay() -> int:
            self._states[0] = start
            return int(self._module.replay_planes(self._states, self._playout, self._net, *arguments))

        if not self._ready:
            warmup.run_step(self._game, replay)
            self._ready = True
        return replay()

    def _policy(
        self, path: Path, shard: VisitShard, game: tuple[int, int], wanted: NDArray[np.bool_], size: int
    ) -> NDArray[np.float32]:
        """Return the shares of visits in the searched positions of a game, its turns from and to a number."""
        first, last = np.searchsorted(shard.visit_turns, game)
        rows = (np.cumsum(wanted) - 1)[shard.visit_turns[first:last] - game[0]]
        columns = self._module.policy_indices(size)[shard.visit_actions[first:last]]
        policy = np.zeros((int(wanted.sum()), size * size + 1), np.float32)
        if np.any(columns < 0) or np.any(rows < 0):
            raise SamplesError(f"{path}: expected visits of points of the board, got others")
        np.add.at(policy, (rows, columns), shard.visit_counts[first:last])
        totals = policy.sum(1, keepdims=True)
        if np.any(totals <= 0):
            raise SamplesError(f"{path}: expected visits for each search, got a search without")
        shares: NDArray[np.float32] = policy / totals
        return shares
