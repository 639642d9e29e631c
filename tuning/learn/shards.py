"""Shards: npz files with the positions and results of some games of self-play.

The arrays of a shard are

``header``
    JSON text: format, game, settings of the games (their seed and the engine's version among them), layout of
    a state, number of the first game and of games.
``states``
    The positions, all at the start of a turn: ``STATE`` of the game's rules without padding between fields.
``scores``
    int32, by position: score of the search in centi-points for the side to move; proven results as in
    `search.info.Score`.
``plies``
    int32, by position: number of turns before it.
``games``
    int64, by position: number of the game.
``results``
    int8, by game: `engine.game.Outcome`.
``turns``
    int32, by game: number of turns.
``inner``
    bool, by position: whether it did not occur in the game, but in the search of the last position before it
    that did. Its score is that of a search of its own. Shards without such positions lack this array.

Nothing is pickled, and files with pickles are refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.lib.recfunctions import repack_fields
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.engine.game import GameSpec, Outcome
from tengen.engine.storage.npz import ONE_TEXT, ArchiveError, Limit, pack, unpack
from tengen.engine.storage.parsing import parse_json

FORMAT = 1
BY_POSITION = {"scores": np.int32, "plies": np.int32, "games": np.int64}
BY_GAME = {"results": np.int8, "turns": np.int32}
MAX_LENGTH = 4_000_000  # of positions or games in a shard; their size is bounded as well
LIMITS = {
    "header": ONE_TEXT,
    "states": Limit(None, (MAX_LENGTH,)),
    **{name: Limit(kind, (MAX_LENGTH,)) for name, kind in (BY_POSITION | BY_GAME).items()},
    "inner": Limit(np.bool_, (MAX_LENGTH,)),
}
RENAMED_FIELDS = {  # names of state fields in older shards, and today's
    "turn": "side_to_move",
    "twin": "multi_red",
    "takers": "capture_points",
    "exactly": "exactly_five",
    "goal": "pairs_to_win",
}
HEADER = ("format", "game", "settings", "layout", "first", "count")


class ShardError(TengenError):
    """A file that is not a shard, or a shard of another game or format."""


class DamagedShardError(ShardError):
    """A file that is not a complete shard."""


class AnyShard(Protocol):
    """What every kind of shard tells about its games; see `Shard`."""

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings that identify the run of self-play."""

    @property
    def first(self) -> int:
        """Number of the first game."""

    @property
    def count(self) -> int:
        """Number of games."""

    @property
    def results(self) -> NDArray[np.int8]:
        """By game: `engine.game.Outcome`."""

    @property
    def positions(self) -> int:
        """Number of positions that were searched."""

    @property
    def length(self) -> int:
        """Number of turns of all games."""

    @property
    def digested(self) -> tuple[NDArray[Any], ...]:
        """The arrays that tell games from others."""

    def pack(self) -> bytes:
        """Return the bytes of the file; equal for equal games."""


@dataclass(frozen=True, eq=False)
class Shard:
    """Consecutive games with their positions.

    Attributes
    ----------
    game : GameSpec
    settings : mapping of str to str
        The settings that identify the run of self-play.
    first : int
        Number of the first game.
    states : ndarray
        The game's STATE, shape (positions,).
    scores, plies, games : ndarray
        By position; see the docstring of this module.
    results, turns : ndarray
        By game.
    inner : ndarray
        By position.
    """

    game: GameSpec
    settings: Mapping[str, str]
    first: int
    states: NDArray[Any]
    scores: NDArray[np.int32]
    plies: NDArray[np.int32]
    games: NDArray[np.int64]
    results: NDArray[np.int8]
    turns: NDArray[np.int32]
    inner: NDArray[np.bool_]

    @property
    def count(self) -> int:
        """Number of games."""
        return len(self.results)

    @property
    def positions(self) -> int:
        """Number of positions that were searched."""
        return len(self.states)

    @property
    def length(self) -> int:
        """Number of turns of all games."""
        return int(self.turns.sum())

    @property
    def digested(self) -> tuple[NDArray[Any], ...]:
        """The arrays that tell these games from others."""
        return self.games, self.plies, self.scores, self.results

    def pack(self) -> bytes:
        """Return the bytes of the file; equal for equal games."""
        header = {
            "format": FORMAT,
            "game": str(self.game),
            "settings": dict(self.settings),
            "layout": layout(self.states.dtype),
            "first": self.first,
            "count": self.count,
        }
        text = np.array(json.dumps(header, ensure_ascii=False))
        names = (*BY_POSITION, *BY_GAME, *(("inner",) if self.inner.any() else ()))
        numbers = {name: getattr(self, name) for name in names}
        return pack({"header": text, "states": repack_fields(self.states, recurse=True), **numbers})


def layout(dtype: np.dtype[Any]) -> list[str]:
    """Return the fields of a record type, without padding, as texts of name, type and shape."""
    plain: Any = repack_fields(dtype, recurse=True)
    return [" ".join(map(str, field)) for field in plain.descr]


def read(path: Path, game: GameSpec, variants: bool = False) -> Shard:
    """Return the shard in the file at `path`.

    Parameters
    ----------
    path : Path
    game : GameSpec
        What its positions are of.
    variants : bool
        Whether they may be of any variant of the game.

    Raises
    ------
    DamagedShardError
        If it cannot be read, is not a complete npz file, or is not a shard.
    ShardError
        If it holds positions of another game than `game`, of another layout, or in another format. The
        message names both.
    """
    try:
        arrays = unpack(path, LIMITS)
    except ArchiveError as error:
        raise DamagedShardError(str(error)) from None
    header = header_of(path, arrays, ("layout",))
    require(path, "format", FORMAT, header["format"])
    found = spec_of(header["game"])
    if found is None or found.game != game.game or not (variants or found.options == game.options):
        require(path, "positions of", str(game), header["game"])
    else:
        game = found
    states = _states(path, arrays, game, [_renamed(field) for field in header["layout"]])
    by_position = {
        name: array_of(path, arrays, name, len(states), kind) for name, kind in BY_POSITION.items()
    }
    by_game = {name: array_of(path, arrays, name, header["count"], kind) for name, kind in BY_GAME.items()}
    first, count = header["first"], header["count"]
    for name, low, high in (("games", first, first + count - 1), ("results", min(Outcome) + 1, max(Outcome))):
        numbers = (by_position | by_game)[name]
        if np.any((numbers < low) | (numbers > high)):
            raise DamagedShardError(f"{path}: {name}: expected numbers from {low} to {high}, got others")
    inner = np.zeros(len(states), np.bool_)
    if "inner" in arrays:
        inner = array_of(path, arrays, "inner", len(states), np.bool_)
    return Shard(game, header["settings"], first, states, **by_position, **by_game, inner=inner)


def _states(
    path: Path, arrays: Mapping[str, NDArray[Any]], game: GameSpec, fields: list[str]
) -> NDArray[Any]:
    """Return the positions of a shard as the game's STATE; `fields` is the layout that its header names."""
    today = game.game.rules.STATE
    former = game.game.module("former") if game.game.offers("former") else None
    state = former.STATE if former and fields == layout(former.STATE) else today
    for expected, found in zip(layout(state), [*fields, "no such field"], strict=False):
        require(path, f"states of {game} with the field", expected, found)
    states = array_of(path, arrays, "states", None, None)
    if states.dtype.names:
        states.dtype.names = tuple(_renamed(name) for name in states.dtype.names)
    if layout(states.dtype) != layout(state):
        raise DamagedShardError(f"{path}: states: expected those of {game}, got {states.dtype}")
    return former.current(states) if former and state is not today else states.astype(today)


def _renamed(field: str) -> str:
    """Return a field, either its name or its text in `layout`, by the name that it has today."""
    name, *rest = field.split(" ")
    return " ".join([RENAMED_FIELDS.get(name, name), *rest])


def header_of(path: Path, arrays: Mapping[str, NDArray[Any]], lists: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the header of a shard; all entries are checked for presence and type.

    Parameters
    ----------
    path : Path
    arrays : mapping of str to ndarray
    lists : tuple of str
        Names of entries that are lists of texts.
    """
    try:
        header = parse_json(str(arrays["header"]))
        numbers = [header[name] for name in ("format", "first", "count")]
        texts = [header["game"], *header["settings"].values()]
        texts += [text for name in lists for text in header[name]]
        if not all(isinstance(number, int) for number in numbers):
            raise TypeError(numbers)
        if not all(isinstance(text, str) for text in texts):
            raise TypeError(texts)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise DamagedShardError(f"{path}: expected the header of a shard, got none ({what})") from None
    return dict(header)


def array_of(
    path: Path, arrays: Mapping[str, NDArray[Any]], name: str, length: int | None, kind: Any, width: int = 0
) -> NDArray[Any]:
    """Return the array `name` after checking its length and type, if given; `width` is that of a table."""
    if name not in arrays:
        raise DamagedShardError(f"{path}: expected a shard, got a file without {name}")
    array = arrays[name]
    expected = (len(array) if array.ndim and length is None else length, *((width,) if width else ()))
    if array.shape != expected:
        what = f"{length} of {width}" if width else f"{length} in a row"
        raise DamagedShardError(f"{path}: {name}: expected {what}, got {array.shape}")
    if kind is not None and array.dtype != kind:
        raise DamagedShardError(f"{path}: {name}: expected {np.dtype(kind)}, got {array.dtype}")
    return array


def require(path: Path, what: str, expected: object, found: object) -> None:
    """Raise ShardError if `found` is not as expected."""
    if found != expected:
        raise ShardError(f"{path}: expected {what} {expected}, got {found}")


def spec_of(text: str) -> GameSpec | None:
    """Return the game that `text` names; None if it names none."""
    try:
        return GameSpec.parse(text)
    except TengenError:
        return None
