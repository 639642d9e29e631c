"""Training data of a convolutional net: what it sees of positions and what it learns of them of positions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.game import Game, Outcome
from tengen.engine.spec import GameSpec
from tengen.engine.storage.npz import Archive, pack
from tengen.search import warmup
from tengen.tuning.learn.samples import Games, LearnData, OnShard, SamplesError, Split, require_some
from tengen.tuning.learn.shards import Column, Columns, DamagedShardError, VisitShard

HUNDRED = 100  # of margins, for a point, and of ownership


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardSamples(Columns):
    """Positions that were searched, on boards of one size; all targets are for the side to move."""

    # Shape (positions, points): what the net sees, a bit for each plane; points by rows from the bottom
    bits: Annotated[NDArray[np.int16], Column(np.int16, "position", table=True)]
    # Shape (positions, numbers about a position)
    about: Annotated[NDArray[np.float32], Column(np.float32, "position", table=True)]
    # Shape (positions, points + 1): the improved policy of the search, or the share of its visits, by point
    # and for a pass
    policy: Annotated[NDArray[np.float32], Column(np.float16, "position", table=True)]
    rates: Annotated[NDArray[np.float32], Column(np.float32, "position")]  # win rates of the search
    results: Annotated[NDArray[np.float32], Column(np.float32, "position")]  # 1 won, 0 lost, 0.5 a draw
    margins: Annotated[NDArray[np.float32], Column(np.float32, "position")]  # in points
    # 1 if margin and owners are those of the end of the game, else 0
    known: Annotated[NDArray[np.float32], Column(np.float32, "position")]
    # Shape (positions, points): 1 own, -1 the other side's
    owners: Annotated[NDArray[np.float32], Column(np.int8, "position", table=True)]
    # Mean value of some playouts from the position; 0 where none were asked for
    playouts: Annotated[NDArray[np.float32], Column(np.float32, "position", optional=True)]

    def __len__(self) -> int:
        return len(self.rates)

    @property
    def size(self) -> int:
        """Points on a side of the board."""
        return math.isqrt(self.bits.shape[1])

    @classmethod
    def joined(cls, parts: Sequence[BoardSamples]) -> BoardSamples:
        """Return all positions of `parts`, of which there is at least one, on boards of the same size."""
        return cls(
            **{name: np.concatenate([getattr(part, name) for part in parts]) for name in cls.columns()}
        )

    def pack(self) -> bytes:
        """Return the bytes of a file; policies have half precision, owners are rounded."""
        return pack(self.stored())

    @classmethod
    def read(cls, path: Path, size: int, globals: int) -> BoardSamples:
        """Return the positions in a file that `pack` made, of boards of this size.

        Raises ArchiveError or DamagedShardError if it is not such a file.
        """
        with Archive(path) as archive:
            arrays = cls.read_columns(path, archive, {})
        points = size * size
        for name, width in (("bits", points), ("about", globals), ("policy", points + 1), ("owners", points)):
            if arrays[name].shape[1] != width:
                raise DamagedShardError(f"{path}: {name}: expected numbers of positions of {size}x{size}")
        return cls(**{**arrays, **{name: arrays[name].astype(np.float32) for name in ("policy", "owners")}})


@dataclass(frozen=True, eq=False)
class BoardData(LearnData[list[BoardSamples]]):
    """The data of a convolutional net, whose samples are lists by size of the board."""

    komis: NDArray[np.int32]  # the lowest and the highest, as `ConvolutionShape.numbers` has them


def load(
    spec: GameSpec, paths: Sequence[Path], split: Split, playouts: int, on_shard: OnShard | None = None
) -> BoardData:
    """Return the positions of shards (`Games`), of all variants of the game, that were searched.

    So many `playouts` go on from each position that is held out. Raises TengenError if a file is not a
    complete shard of this game, if a turn is illegal, if a game occurs twice, or without positions to learn
    from or to judge by.
    """
    games = Games(VisitShard, spec, paths, split, on_shard, variants=True)
    parts: dict[bool, dict[int, list[BoardSamples]]] = {False: {}, True: {}}
    replay = _Replay(spec.game)
    for path, shard, held_out_games in games:
        for game, held_out in enumerate(held_out_games):
            found = replay.samples(path, shard, game, playouts if held_out else 0)
            if len(found):
                parts[held_out].setdefault(found.size, []).append(found)
    for part, by_size in parts.items():
        require_some(len(by_size), "positions {} that were searched", part)
    train, held = (
        [BoardSamples.joined(found) for _, found in sorted(part.items())] for part in parts.values()
    )
    return BoardData(train, held, games.describe(), replay.komis())


class _Replay:
    """Replays games, and notes what a net sees of them."""

    def __init__(self, game: Game) -> None:
        self._game, self._module = game, game.module("planes")
        self._states, self._playout = self._module.scratch()
        self._starts: dict[str, Any] = {}
        self._ready = False

    def samples(self, path: Path, shard: VisitShard, game: int, playouts: int) -> BoardSamples:
        """Return the positions of a game of a shard that were searched."""
        begin = int(shard.lengths[:game].sum())
        end = begin + int(shard.lengths[game])
        turns, rates = shard.turns[begin:end], shard.rates[begin:end]
        wanted = ~np.isnan(rates)
        start: Any = self._starts.setdefault(str(shard.game), self._game.rules.start(shard.game.values))
        size, count = int(start.board.width), int(wanted.sum())
        bits = np.zeros((count, size * size), np.int16)
        about = np.zeros((count, self._module.SHAPE.globals), np.float32)
        values = np.zeros(count, np.float32)

        def replay() -> int:  # how many turns were legal
            self._states[0] = start
            arguments = turns, wanted, np.int64(playouts), bits, about, values
            return int(self._module.replay_bits(self._states, self._playout, *arguments))

        if not self._ready:
            warmup.run_step(self._game, replay)
            self._ready = True
        played = replay()
        if played < len(turns):
            which = f"game {shard.first + game}, turn {played + 1}"
            raise SamplesError(f"{path}: {which}: expected a legal turn, got {turns[played]}")
        sign = np.where(np.flatnonzero(wanted) % 2 == int(start.side_to_move), 1.0, -1.0).astype(np.float32)
        result = {Outcome.FIRST_WINS: 1.0, Outcome.SECOND_WINS: -1.0}.get(Outcome(shard.results[game]), 0.0)
        owners = np.zeros(size * size, np.float32)
        points = self._game.module("simulation").points(start)
        owners[self._module.owner_indices(points, size)] = shard.owners[game] / HUNDRED
        return BoardSamples(
            bits=bits,
            about=about,
            policy=self._policy(path, shard, (begin, end), wanted, size),
            rates=rates[wanted],
            results=0.5 + 0.5 * sign * np.float32(result),
            margins=sign * np.float32(shard.margins[game] / HUNDRED),
            known=np.ones(count, np.float32),
            owners=sign[:, None] * owners,
            playouts=values,
        )

    def komis(self) -> NDArray[np.int32]:
        """Return the lowest and the highest komi of all games so far."""
        ranges: NDArray[np.int32] = self._module.komi_ranges(self._starts.values())
        return ranges

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
