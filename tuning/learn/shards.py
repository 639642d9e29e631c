"""Shards: npz files with some games of self-play, as typed columns.

Attributes of a shard that are columns are annotated with a `Column`. The header is JSON text: format, kind,
game, settings of the games (their seed and the engine's version among them), number of the first game and of
games, and the layout of states. `PositionShard` has games that were played by alpha-beta, `VisitShard` those
of Monte-Carlo tree search. Nothing is pickled, and files with pickles are refused.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, get_type_hints

import numpy as np
from numpy.lib.recfunctions import repack_fields
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.engine.game import Outcome
from tengen.engine.spec import GameSpec
from tengen.engine.storage.npz import ONE_TEXT, Archive, ArchiveError, Limit, pack
from tengen.engine.storage.parsing import parse_json

FORMAT = 1
MAX_LENGTH, MAX_WIDTH = 8_000_000, 1_000  # of a column; the size of the file is bounded as well
RENAMED_FIELDS = {  # names of state fields in older shards, and today's
    "turn": "side_to_move",
    "twin": "multi_red",
    "takers": "capture_points",
    "exactly": "exactly_five",
    "goal": "pairs_to_win",
}


class ShardError(TengenError):
    """A file that is not a shard, or a shard of another game or format."""


class DamagedShardError(ShardError):
    """A file that is not a complete shard."""


@dataclass(frozen=True)
class Column:
    """What an array of a file is."""

    kind: Any  # its type in the file; None for the game's STATE, without padding between fields
    rows: str  # what it has a row for; all columns with the same word are as long
    # Bounds of its numbers; those of type float may be NaN if they have bounds, and are finite else
    low: float | None = None
    high: float | None = None
    table: bool = False  # whether a row has several numbers
    optional: bool = False  # whether files may lack it, which then is 0 everywhere

    @property
    def limit(self) -> Limit:
        """What the array may be in a file."""
        most = (MAX_LENGTH, MAX_WIDTH) if self.table else (MAX_LENGTH,)
        return Limit(self.kind, most, finite=self.low is None)

    def fault(self, array: NDArray[Any], low: float | None, high: float | None) -> str:
        """Return what is wrong with the numbers, within these bounds where it has none; empty if sound."""
        low, high = low if self.low is None else self.low, high if self.high is None else self.high
        below = low is not None and bool(np.any(array < low))
        if not below and (high is None or not np.any(array > high)):
            return ""
        return f"expected numbers from {low}{'' if high is None else f' to {high}'}, got others"


@dataclass(frozen=True, eq=False, kw_only=True)
class Columns:
    """Arrays of a file: attributes that are annotated with a `Column`."""

    @classmethod
    def columns(cls) -> dict[str, Column]:
        """Return the columns by name."""
        hints = get_type_hints(cls, include_extras=True)
        extras = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
        return {name: extra[0] for name, extra in extras.items() if extra}

    def stored(self) -> dict[str, NDArray[Any]]:
        """Return the arrays as they are in the file."""
        found = {}
        for name, column in self.columns().items():
            array = getattr(self, name)
            if not column.optional or array.any():
                if column.kind is None:
                    found[name] = repack_fields(array, recurse=True)
                elif np.issubdtype(column.kind, np.integer):
                    found[name] = np.round(array).astype(column.kind)
                else:
                    found[name] = array.astype(column.kind)
        return found

    @classmethod
    def read_columns(cls, path: Path, archive: Archive, counts: Mapping[str, int]) -> dict[str, NDArray[Any]]:
        """Return the arrays of a file, as long as they should be.

        `counts` are lengths that are known, by what columns have a row for; others are those of the first
        column. Raises ArchiveError or DamagedShardError if one is missing, or is not as declared.
        """
        columns, lengths = cls.columns(), dict(counts)
        archive.require_no_others({"header": None, **columns})
        found = {}
        for name, column in columns.items():
            if name in archive.names:
                array = archive.read(name, column.limit)
            elif column.optional:
                array = np.zeros(lengths[column.rows], column.kind)
            else:
                raise DamagedShardError(f"{path}: expected a shard, got a file without {name}")
            length = lengths.setdefault(column.rows, len(array))
            if len(array) != length:
                raise DamagedShardError(f"{path}: {name}: expected {length} in a row, got {array.shape}")
            found[name] = array
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class Shard(Columns):
    """Consecutive games."""

    KIND: ClassVar[str]  # as the header names it
    DIGESTED: ClassVar[tuple[str, ...]]  # columns that tell these games from others

    game: GameSpec
    settings: Mapping[str, str]  # that identify the run of self-play
    first: int  # number of the first game
    # `engine.game.Outcome`
    results: Annotated[NDArray[np.int8], Column(np.int8, "game", 1, int(max(Outcome)))]

    @property
    def count(self) -> int:
        """Number of games."""
        return len(self.results)

    @property
    def positions(self) -> int:
        """Number of positions that were searched."""
        raise NotImplementedError

    @property
    def length(self) -> int:
        """Number of turns of all games."""
        raise NotImplementedError

    def _bounds(self) -> dict[str, tuple[int, int]]:
        """Return bounds of the numbers of columns that depend on the games."""
        return {}

    def _fault(self) -> str:
        """Return what is wrong with columns that do not fit together; empty if they do."""
        return ""

    def pack(self) -> bytes:
        """Return the bytes of the file; equal for equal games."""
        arrays = self.stored()
        header = {
            "format": FORMAT,
            "kind": self.KIND,
            "game": str(self.game),
            "settings": dict(self.settings),
            "first": self.first,
            "count": self.count,
            **({"layout": layout(arrays["states"].dtype)} if "states" in arrays else {}),
        }
        return pack({"header": np.array(json.dumps(header, ensure_ascii=False)), **arrays})

    @classmethod
    def read(cls, path: Path, game: GameSpec, variants: bool = False) -> Self:
        """Return the shard of `game`, or of any of its `variants`, in the file at `path`.

        Turns in it may be illegal. Raises DamagedShardError if it cannot be read, is not a complete npz file,
        or is not a shard; ShardError if it is of another kind, game, layout or format. The message names
        both.
        """
        try:
            with Archive(path) as archive:
                text = archive.read("header", ONE_TEXT) if "header" in archive.names else ""
                header = _parse_header(path, str(text))
                _require(path, "kind", cls.KIND, header.get("kind", PositionShard.KIND))
                _require(path, "format", FORMAT, header["format"])
                found = None
                with contextlib.suppress(TengenError):
                    found = GameSpec.parse(header["game"])
                alike = found and found.game == game.game
                if not (found and alike and (variants or found.options == game.options)):
                    raise ShardError(f"{path}: expected games of {game}, got {header['game']}")
                arrays = cls.read_columns(path, archive, {"game": header["count"]})
        except ArchiveError as error:
            raise DamagedShardError(str(error)) from None
        if "states" in arrays:
            arrays["states"] = _current_states(path, arrays["states"], found, header.get("layout", []))
        shard = cls(game=found, settings=header["settings"], first=header["first"], **arrays)
        bounds = shard._bounds()
        for name, column in cls.columns().items():
            if name != "states" and (fault := column.fault(arrays[name], *bounds.get(name, (None, None)))):
                raise DamagedShardError(f"{path}: {name}: {fault}")
        if fault := shard._fault():
            raise DamagedShardError(f"{path}: {fault}")
        return shard


@dataclass(frozen=True, eq=False, kw_only=True)
class PositionShard(Shard):
    """Games as positions, all at the start of a turn, with the scores of their searches.

    An inner position did not occur in the game, but in the search of the last position before it that did.
    Its score is that of a search of its own.
    """

    KIND = "positions"
    DIGESTED = ("games", "plies", "scores", "results")

    states: Annotated[NDArray[Any], Column(None, "position")]  # the game's STATE
    # Of the search, in centi-points for the side to move; proven results as in `search.info.Score`
    scores: Annotated[NDArray[np.int32], Column(np.int32, "position")]
    plies: Annotated[NDArray[np.int32], Column(np.int32, "position")]  # turns before it
    games: Annotated[NDArray[np.int64], Column(np.int64, "position")]  # the number of its game
    turns: Annotated[NDArray[np.int32], Column(np.int32, "game")]  # their number
    inner: Annotated[NDArray[np.bool_], Column(np.bool_, "position", optional=True)]

    @property
    def positions(self) -> int:
        """Number of positions that were searched."""
        return len(self.states)

    @property
    def length(self) -> int:
        """Number of turns of all games."""
        return int(self.turns.sum())

    def _bounds(self) -> dict[str, tuple[int, int]]:
        return {"games": (self.first, self.first + self.count - 1)}


@dataclass(frozen=True, eq=False, kw_only=True)
class VisitShard(Shard):
    """Games as turns, each from the start position of the game, with the visits of their searches."""

    KIND = "visits"
    DIGESTED = ("lengths", "turns", "rates", "results")

    lengths: Annotated[NDArray[np.int32], Column(np.int32, "game", 0)]  # number of turns
    # Of the first side, in hundredths of a point; 0 if the game was broken off
    margins: Annotated[NDArray[np.int32], Column(np.int32, "game")]
    turns: Annotated[NDArray[np.int32], Column(np.int32, "turn")]  # actions, one game after the other
    # Win rates of the search for the side to move; NaN for turns without one
    rates: Annotated[NDArray[np.float32], Column(np.float32, "turn", 0, 1)]
    # By visited action of each search: index among the turns, ascending; the action; number of visits
    visit_turns: Annotated[NDArray[np.int32], Column(np.int32, "visit")]
    visit_actions: Annotated[NDArray[np.int32], Column(np.int32, "visit")]
    visit_counts: Annotated[NDArray[np.int32], Column(np.int32, "visit", 1)]
    # How surely a point is the first side's at the end; points as in ``simulation.points``, rows from the top
    owners: Annotated[NDArray[np.int8], Column(np.int8, "game", -100, 100, table=True)]

    @property
    def positions(self) -> int:
        """Number of positions that were searched."""
        return int(np.count_nonzero(~np.isnan(self.rates)))

    @property
    def length(self) -> int:
        """Number of turns of all games."""
        return len(self.turns)

    def _bounds(self) -> dict[str, tuple[int, int]]:
        return {
            "visit_turns": (0, len(self.turns) - 1),
            "visit_actions": (0, int(self.game.game.rules.ACTIONS) - 1),
        }

    def _fault(self) -> str:
        if (total := int(self.lengths.sum())) != len(self.turns):
            return f"turns: expected {total} in a row, got {self.turns.shape}"
        if np.any(np.diff(self.visit_turns) < 0):
            return "visit_turns: expected ascending numbers, got others"
        rules = self.game.game.rules
        points = len(self.game.game.module("simulation").points(rules.start(self.game.values)))
        if self.owners.shape != (self.count, points):
            return f"owners: expected {self.count} of {points}, got {self.owners.shape}"
        return ""


def layout(dtype: np.dtype[Any]) -> list[str]:
    """Return the fields of a record type, without padding, as texts of name, type and shape."""
    plain: Any = repack_fields(dtype, recurse=True)
    return [" ".join(map(str, field)) for field in plain.descr]


def _current_states(path: Path, states: NDArray[Any], spec: GameSpec, fields: list[str]) -> NDArray[Any]:
    """Return the positions of a shard as the game's STATE; `fields` is the layout that its header names."""
    fields = [_renamed(text) for text in fields]
    today = spec.game.rules.STATE
    former = spec.game.module("former") if spec.game.offers("former") else None
    state = former.STATE if former and fields == layout(former.STATE) else today
    for expected, found in zip(layout(state), [*fields, "no such field"], strict=False):
        _require(path, f"states of {spec} with the field", expected, found)
    if states.dtype.names:
        states.dtype.names = tuple(_renamed(name) for name in states.dtype.names)
    if layout(states.dtype) != layout(state):
        raise DamagedShardError(f"{path}: states: expected those of {spec}, got {states.dtype}")
    return former.current(states) if former and state is not today else states.astype(today)


def _renamed(text: str) -> str:
    """Return a field, either its name or its text in `layout`, by the name that it has today."""
    name, *rest = text.split(" ")
    return " ".join([RENAMED_FIELDS.get(name, name), *rest])


def _parse_header(path: Path, text: str) -> dict[str, Any]:
    """Return the header of a shard; all entries are checked for presence and type."""
    try:
        header = parse_json(text)
        numbers = [header[name] for name in ("format", "first", "count")]
        texts = [header["game"], *header["settings"].values(), *header.get("layout", [])]
        if not all(isinstance(number, int) for number in numbers):
            raise TypeError(numbers)
        if not all(isinstance(text, str) for text in texts):
            raise TypeError(texts)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise DamagedShardError(f"{path}: expected the header of a shard, got none ({what})") from None
    return dict(header)


def _require(path: Path, what: str, expected: object, found: object) -> None:
    """Raise ShardError if `found` is not as expected."""
    if found != expected:
        raise ShardError(f"{path}: expected {what} {expected}, got {found}")
