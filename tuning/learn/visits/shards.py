"""Shards of games that were played by Monte-Carlo tree search: turns, visits, win rates and ownership.

The arrays of a shard are

``header``
    JSON text: format, kind, game, settings of the games, number of the first game and of games.
``turns``
    int32: the actions of all games, one game after the other, each from the start position of the game.
``lengths``, ``results``, ``margins``
    int32, int8, int32, by game: number of turns, `engine.game.Outcome`, and the margin of the first side in
    hundredths of a point, 0 for games that were broken off.
``rates``
    float32, by turn: win rate of the search for the side to move; NaN for turns without one.
``visit_turns``, ``visit_actions``, ``visit_counts``
    int32: the visits of every search, as index among the turns, action, and number; ascending by turn.
``owners``
    int8, shape (games, points): how surely a point is the first side's at the end, from -100 to 100; points
    as in ``simulation.points``, rows from the top.

Nothing is pickled, and files with pickles are refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.game import GameSpec, Outcome
from tengen.engine.storage.npz import ONE_TEXT, Archive, ArchiveError, Limit, pack
from tengen.tuning.learn.shards import DamagedShardError, ShardError, array_of, header_of, require, spec_of

FORMAT = 1
KIND = "visits"
BY_GAME = {"lengths": np.int32, "results": np.int8, "margins": np.int32}
BY_TURN = {"turns": np.int32, "rates": np.float32}
BY_VISIT = {"visit_turns": np.int32, "visit_actions": np.int32, "visit_counts": np.int32}
MAX_LENGTH, MAX_WIDTH = 8_000_000, 1_000  # of an array; their size is bounded as well
LIMITS = {
    "header": ONE_TEXT,
    **{
        name: Limit(kind, (MAX_LENGTH,), finite=False)
        for name, kind in (BY_GAME | BY_TURN | BY_VISIT).items()
    },
    "owners": Limit(np.int8, (MAX_LENGTH, MAX_WIDTH)),
}


@dataclass(frozen=True, eq=False)
class VisitShard:
    """Consecutive games with the visits of their searches; see the docstring of this module.

    Attributes
    ----------
    game : GameSpec
    settings : mapping of str to str
        The settings that identify the run of self-play.
    first : int
        Number of the first game.
    lengths, results, margins : ndarray
        By game.
    turns, rates : ndarray
        By turn.
    visit_turns, visit_actions, visit_counts : ndarray
        By visited action.
    owners : ndarray
        By game and point.
    """

    game: GameSpec
    settings: Mapping[str, str]
    first: int
    lengths: NDArray[np.int32]
    results: NDArray[np.int8]
    margins: NDArray[np.int32]
    turns: NDArray[np.int32]
    rates: NDArray[np.float32]
    visit_turns: NDArray[np.int32]
    visit_actions: NDArray[np.int32]
    visit_counts: NDArray[np.int32]
    owners: NDArray[np.int8]

    @property
    def count(self) -> int:
        """Number of games."""
        return len(self.results)

    @property
    def digested(self) -> tuple[NDArray[Any], ...]:
        """The arrays that tell these games from others."""
        return self.lengths, self.turns, self.rates, self.results

    @property
    def positions(self) -> int:
        """Number of positions that were searched."""
        return int(np.count_nonzero(~np.isnan(self.rates)))

    @property
    def length(self) -> int:
        """Number of turns of all games."""
        return len(self.turns)

    def pack(self) -> bytes:
        """Return the bytes of the file; equal for equal games."""
        header = {
            "format": FORMAT,
            "kind": KIND,
            "game": str(self.game),
            "settings": dict(self.settings),
            "first": self.first,
            "count": self.count,
        }
        text = np.array(json.dumps(header, ensure_ascii=False))
        numbers = {field.name: getattr(self, field.name) for field in fields(self)[3:]}
        return pack({"header": text, **numbers})


def read(path: Path, game: GameSpec, variants: bool = False) -> VisitShard:
    """Return the shard in the file at `path`. That its turns are legal is for those to see who replay them.

    Parameters
    ----------
    path : Path
    game : GameSpec
        The game that was played.
    variants : bool
        Whether it may be any variant of the game.

    Raises
    ------
    DamagedShardError
        If it cannot be read, is not a complete npz file, or is not a shard with visits.
    ShardError
        If it holds another game than `game`, or another format. The message names both.
    """
    try:
        with Archive(path) as archive:  # shards of other kinds have other arrays: their header tells
            arrays = {name: archive.read(name, LIMITS[name]) for name in archive.names if name in LIMITS}
    except ArchiveError as error:
        raise DamagedShardError(str(error)) from None
    header = header_of(path, arrays)
    require(path, "kind", KIND, header.get("kind"))
    require(path, "format", FORMAT, header["format"])
    found = spec_of(header["game"])
    if found is None or found.game != game.game or not (variants or found.options == game.options):
        raise ShardError(f"{path}: expected games of {game}, got {header['game']}")
    count = header["count"]
    numbers = {name: array_of(path, arrays, name, count, kind) for name, kind in BY_GAME.items()}
    lengths, results = numbers["lengths"], numbers["results"]
    if np.any(lengths < 0) or np.any((results <= Outcome.ONGOING) | (results > max(Outcome))):
        raise DamagedShardError(f"{path}: expected lengths and results of games, got other numbers")
    total = int(lengths.sum())
    numbers |= {name: array_of(path, arrays, name, total, kind) for name, kind in BY_TURN.items()}
    visits = arrays["visit_turns"].size if "visit_turns" in arrays else 0
    numbers |= {name: array_of(path, arrays, name, visits, kind) for name, kind in BY_VISIT.items()}
    _check_visits(path, numbers, total, int(found.game.rules.ACTIONS))
    points = len(found.game.module("simulation").points(found.game.rules.start(found.values)))
    numbers["owners"] = array_of(path, arrays, "owners", count, np.int8, points)
    return VisitShard(found, header["settings"], header["first"], **numbers)


def _check_visits(path: Path, numbers: Mapping[str, NDArray[Any]], turns: int, actions: int) -> None:
    """Raise DamagedShardError unless visits and rates are possible ones."""
    at, rates = numbers["visit_turns"], numbers["rates"]
    sound = not at.size or (at[0] >= 0 and at[-1] < turns and bool(np.all(np.diff(at) >= 0)))
    sound &= bool(np.all((numbers["visit_actions"] >= 0) & (numbers["visit_actions"] < actions)))
    sound &= bool(np.all(numbers["visit_counts"] > 0))
    sound &= bool(np.all(np.isnan(rates) | ((rates >= 0) & (rates <= 1))))
    if not sound:
        raise DamagedShardError(f"{path}: expected visits and win rates of searches, got other numbers")
